#include "neardup/cli/input_set.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace neardup::cli {
namespace {

Result<std::string> make_temporary_folder() {
  std::error_code error;
  std::filesystem::path root = std::filesystem::temp_directory_path(error);
  if (error) root = "/tmp";
  std::string pattern = (root / "neardup-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return fail_errno("cannot create temporary folder", pattern, errno);
  return pattern;
}

}  // namespace

InputSet::InputSet(InputSet&& other) noexcept
    : inputs_(std::move(other.inputs_)), temporary_folder_(std::exchange(other.temporary_folder_, {})) {}

InputSet& InputSet::operator=(InputSet&& other) noexcept {
  std::swap(inputs_, other.inputs_);
  std::swap(temporary_folder_, other.temporary_folder_);
  return *this;
}

InputSet::~InputSet() {
  if (!temporary_folder_.empty()) static_cast<void>(remove_all(temporary_folder_));
}

Result<InputSet> InputSet::open(const std::vector<std::string>& arguments, const corpus::DiscoverOptions& options,
                                const Context& context) {
  InputSet set;
  const bool has_stdin = std::find(arguments.begin(), arguments.end(), "-") != arguments.end();
  if (has_stdin && arguments.size() > 1) {
    return fail(Code::kInvalidArgument, "- (standard input) cannot stand beside other inputs");
  }
  if (!has_stdin) {
    NEARDUP_ASSIGN(set.inputs_, corpus::discover(arguments, options));
    return set;
  }
  NEARDUP_ASSIGN(set.temporary_folder_, make_temporary_folder());
  NEARDUP_ASSIGN(corpus::Input input, corpus::spool(STDIN_FILENO, set.temporary_folder_ + "/stdin", options, context));
  set.inputs_.push_back(std::move(input));
  return set;
}

}  // namespace neardup::cli
