#include "neardup/cli/given_arguments.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cctype>
#include <cstdlib>
#include <iterator>

#include "neardup/engine/online/store_place.h"
#include "neardup/remote/remote_uri.h"

namespace neardup::cli {
namespace {

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0)
      out += c;
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", byte);
  }
  return out;
}

// Requires that the URI has no password.
std::string with_password(const std::string& uri, std::string_view password) {
  const size_t begin = uri.find("://") + 3, end = uri.find('/', begin);
  const size_t at = uri.rfind('@', end);
  const bool has_user = at != std::string::npos && at > begin;
  std::string user = has_user ? uri.substr(begin, at - begin) : "";
  if (user.ends_with(':')) user.pop_back();
  return fmt::format("{}{}:{}@{}", uri.substr(0, begin), user, percent_encoded(password),
                     uri.substr(has_user ? at + 1 : begin));
}

}  // namespace

bool is_given(const CLI::App& app, const std::string& flag) {
  const CLI::Option* option = app.get_option_no_throw(flag);
  return option != nullptr && option->count() > 0;
}

Result<std::string> given_place(const std::string& typed) {
  if (typed == "-")
    return fail(Code::kInvalidArgument, "a store is no stream, and - is one; a folder of that name is ./-");
  if (!engine::is_on_server(typed)) {
    NEARDUP_TRY(engine::check_scheme(typed));
    return typed;
  }
  NEARDUP_ASSIGN(const remote::RemoteUri uri, remote::parse_remote_uri(typed));
  const char* password = std::getenv(remote::kPasswordVariable);
  const bool is_wanted = uri.kind == remote::ServerKind::kRedis && uri.password.empty();
  return is_wanted && password != nullptr && *password != '\0' ? with_password(typed, password) : typed;
}

std::string without_password(const std::string& argument) {
  for (const char* scheme : {"redis://", "rediss://"}) {
    const size_t begin = argument.find(scheme);
    if (begin == std::string::npos || argument.find('@', begin) == std::string::npos) continue;
    return argument.substr(0, begin) + engine::shown_place(argument.substr(begin));
  }
  return argument;
}

Status complete_places(std::vector<std::string>& paths) {
  for (std::string& path : paths)
    if (engine::is_on_server(path)) {
      NEARDUP_ASSIGN(path, given_place(path));
    }
  return {};
}

}  // namespace neardup::cli
