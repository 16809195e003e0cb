// What a person should look at before trusting a run.
#pragma once

#include <string>
#include <vector>

#include "neardup/report/figures.h"

namespace neardup::report {

/// Returns the warnings of `report` itself, then those that follow from its figures, each once: figures that do not add
/// up, nothing read, one cluster that holds more than 1 % of all documents, more than 90 % removed (of all, of a
/// source, of a field value), many rejected or too short documents, duplicate ids, verification off. Sentences, no
/// markup; they may contain names from the input. Depends on the figures alone, so it is the same in each form of the
/// report.
[[nodiscard]] std::vector<std::string> all_warnings(const Report& report);

}  // namespace neardup::report
