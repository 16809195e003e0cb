#include "neardup/server/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "neardup/server/secret_file.h"

namespace neardup::server {
namespace {

Result<std::vector<std::string>> read_keys(const std::string& path) {
  std::vector<std::string> keys;
  if (path.empty()) return keys;
  NEARDUP_ASSIGN(const std::string bytes, read_secret_file(path));
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    std::string key = bytes.substr(begin, end - begin);
    begin = end + 1;
    if (key.ends_with('\r')) key.pop_back();
    if (key.empty()) continue;
    if (key.size() < Keys::kLeastKeyBytes)
      return fail(Code::kInvalidArgument,
                  fmt::format("{}: a key has fewer than {} characters; make one with: openssl rand -hex 32", path,
                              Keys::kLeastKeyBytes));
    keys.push_back(std::move(key));
  }
  if (keys.empty()) return fail(Code::kInvalidArgument, fmt::format("{}: holds no key; one a line", path));
  return keys;
}

/// Looks at all of them, whichever is the one.
bool is_among(std::string_view given, const std::vector<std::string>& keys) {
  bool found = false;
  for (const std::string& key : keys) found |= is_equal_in_constant_time(given, key);
  return found;
}

bool has_prefix_of_any_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + ('a' - 'A')) : b);
         });
}

}  // namespace

bool is_equal_in_constant_time(std::string_view given, std::string_view secret) {
  if (secret.empty()) return false;
  volatile uint8_t difference = given.size() == secret.size() ? 0 : 1;
  for (size_t i = 0; i < given.size(); ++i)
    difference = difference | static_cast<uint8_t>(given[i] ^ secret[i % secret.size()]);
  return difference == 0;
}

Result<Keys> Keys::read(const std::string& full_path, const std::string& read_path) {
  Keys keys;
  NEARDUP_ASSIGN(keys.full_, read_keys(full_path));
  NEARDUP_ASSIGN(keys.read_, read_keys(read_path));
  return keys;
}

Access Keys::access_of(std::string_view authorization) const {
  if (!any()) return Access::kFull;
  constexpr std::string_view kScheme = "bearer ";
  if (!has_prefix_of_any_case(authorization, kScheme)) return Access::kNone;
  const std::string_view given = authorization.substr(kScheme.size());
  const bool is_full = is_among(given, full_), is_read = is_among(given, read_);
  if (is_full) return Access::kFull;
  return is_read ? Access::kRead : Access::kNone;
}

}  // namespace neardup::server
