#include "neardup/cli/same_file.h"

#include <fmt/format.h>

#include "neardup/base/disk/file_id.h"
#include "neardup/base/disk/stale_temporaries.h"

namespace neardup::cli {

Status check_output_is_no_input(const std::string& output, std::span<const std::string> inputs, const char* flag) {
  const auto out = file_id(output);
  if (!out) return {};
  for (const std::string& input : inputs) {
    if (file_id(input) != out) continue;
    return fail(
        Code::kInvalidArgument,
        fmt::format("{} {} is also an input ({}), and would be replaced; name another file", flag, output, input));
  }
  return {};
}

Status check_output(const std::string& output, std::span<const std::string> inputs, const char* flag) {
  if (output.empty()) return {};
  NEARDUP_TRY(check_output_is_no_input(output, inputs, flag));
  // A pipe is opened once: a second opening would be another writer to its other end.
  if (const auto there = file_info(output); there && !there->is_regular && !there->is_directory) return {};
  NEARDUP_TRY(create_output(output));
  return {};
}

Status check_outputs_differ(const std::string& output, const std::string& other) {
  if (output.empty() || other.empty() || !is_same_place(output, other)) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("{} and {} are one file, and both are to be written; name two", output, other));
}

}  // namespace neardup::cli
