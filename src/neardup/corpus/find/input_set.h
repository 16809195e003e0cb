// The inputs of a command, standard input among them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/disk/temporary_folder.h"
#include "neardup/corpus/find/discover.h"

namespace neardup::corpus {

/// Inputs found from arguments (corpus/find/standard_input.h). "-" is copied to a temporary file that lives as long as
/// this object.
class InputSet {
 public:
  /// Warns through `context` of what warnings_of() says (data_folders.h).
  /// Errors: those of corpus::discover_files and corpus::spool.
  [[nodiscard]] static Result<InputSet> open(const std::vector<std::string>& arguments,
                                             const corpus::DiscoverOptions& options, const Context& context = {});

  [[nodiscard]] const std::vector<corpus::Input>& inputs() const { return inputs_; }

 private:
  InputSet() = default;
  std::vector<corpus::Input> inputs_;
  std::optional<TemporaryFolder> folder_;
};

}  // namespace neardup::corpus
