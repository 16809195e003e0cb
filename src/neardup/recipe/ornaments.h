// Ornaments: parts of a title that say nothing of what it tells, such as (photo), Breaking:, - BBC News.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace neardup::recipe {

/// Bytes `begin` to `end` - 1 of a text.
struct Ornament {
  size_t begin = 0, end = 0;
};

/// Returns the parts of a normalised text between signs or its ends that are ornaments, in order: a word from a list of
/// picture marks, calls for attention, marks of answers, agencies and papers, in some fifteen languages; or, in
/// brackets, the first letters of the words before it: "World Health Organization (WHO)". None where all parts are.
/// Cost: linear.
[[nodiscard]] std::vector<Ornament> find_ornaments(std::string_view normalized);

}  // namespace neardup::recipe
