#include "neardup/cli/same_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "neardup/base/disk/stale_temporaries.h"

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

Status check_output(const std::string& output, std::span<const std::string> inputs) {
  if (output.empty()) return {};
  NEARDUP_TRY(check_output_is_no_input(output, inputs));
  // A pipe is opened once: a second opening would be another writer to its other end.
  if (const auto there = file_info(output); there && !there->is_regular && !there->is_directory) return {};
  NEARDUP_TRY(create_output(output));
  return {};
}

}  // namespace neardup::cli
