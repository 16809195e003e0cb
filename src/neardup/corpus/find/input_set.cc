#include "neardup/corpus/find/input_set.h"

#include <unistd.h>

#include "neardup/base/work_place.h"
#include "neardup/corpus/find/data_folders.h"
#include "neardup/corpus/find/standard_input.h"

namespace neardup::corpus {

Result<InputSet> InputSet::open(const std::vector<std::string>& arguments, const corpus::DiscoverOptions& options,
                                const Context& context) {
  InputSet set;
  NEARDUP_ASSIGN(set.inputs_, corpus::discover_files(arguments, options));
  if (context.progress != nullptr)
    for (const std::string& warning : warnings_of(set.inputs_)) context.progress->warn(warning);
  if (!corpus::names_standard_input(arguments)) return set;
  NEARDUP_ASSIGN(set.folder_, make_work_place());
  NEARDUP_TRY(corpus::add_standard_input(set.inputs_, STDIN_FILENO, set.folder_->path() + "/stdin", options, context));
  return set;
}

}  // namespace neardup::corpus
