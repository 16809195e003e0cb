#include "neardup/cli/given_arguments.h"

#include <fmt/format.h>

#include <CLI/App.hpp>

namespace neardup::cli {

bool is_given(const CLI::App& app, const std::string& flag) {
  const CLI::Option* option = app.get_option_no_throw(flag);
  return option != nullptr && option->count() > 0;
}

Status check_is_folder(const std::string& folder, const char* what) {
  if (folder.find("://") == std::string::npos) return {};
  return fail(Code::kUnsupported,
              fmt::format("{}: {} is a folder of this machine; other places are not offered", folder, what));
}

}  // namespace neardup::cli
