#include "neardup/cli/same_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace neardup::cli {

Status check_output_is_no_input(const std::string& output, std::span<const std::string> inputs) {
  struct stat out {};
  if (output.empty() || stat(output.c_str(), &out) != 0) return {};
  for (const std::string& input : inputs) {
    struct stat in {};
    if (stat(input.c_str(), &in) != 0 || in.st_dev != out.st_dev || in.st_ino != out.st_ino) continue;
    return fail(Code::kInvalidArgument,
                fmt::format("-o {} is also an input ({}), and would be replaced; name another file", output, input));
  }
  return {};
}

}  // namespace neardup::cli
