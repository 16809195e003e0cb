// Standard input among the arguments of a command: written "-", at most once, read after all other inputs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/corpus/find/discover.h"

namespace neardup::corpus {

/// Returns whether "-" is among `arguments`.
[[nodiscard]] bool names_standard_input(std::span<const std::string> arguments);

/// Errors: kInvalidArgument where "-" is given twice.
[[nodiscard]] Status check_given_once(std::span<const std::string> arguments);

/// Returns what discover() finds for all `arguments` but "-"; nothing where "-" stands alone.
/// Errors: those of discover() and check_given_once().
[[nodiscard]] Result<std::vector<Input>> discover_files(std::span<const std::string> arguments,
                                                        const DiscoverOptions& options);

/// Copies what `descriptor` still gives to the new file `copy`, as spool() does, and puts it behind `inputs`. Its name
/// is none of theirs and no folder of theirs: "stdin-2.jsonl" where "stdin.jsonl" is taken.
/// Errors: those of spool().
[[nodiscard]] Status add_standard_input(std::vector<Input>& inputs, int descriptor, const std::string& copy,
                                        const DiscoverOptions& options, const Context& context);

}  // namespace neardup::corpus
