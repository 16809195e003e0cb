#include "neardup/cli/input_set.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "neardup/corpus/standard_input.h"

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
  NEARDUP_ASSIGN(set.inputs_, corpus::discover_files(arguments, options));
  if (!corpus::names_standard_input(arguments)) return set;
  NEARDUP_ASSIGN(set.temporary_folder_, make_temporary_folder());
  NEARDUP_TRY(
      corpus::add_standard_input(set.inputs_, STDIN_FILENO, set.temporary_folder_ + "/stdin", options, context));
  return set;
}

}  // namespace neardup::cli
