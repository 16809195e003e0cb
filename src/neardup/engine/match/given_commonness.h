// How common n-grams are, as the caller says: by the counts of another run, or of nothing.
#pragma once

#include <memory>
#include <string>

#include "neardup/verify/commonness.h"

namespace neardup::engine {

/// Names the counts of no text at all, in place of a file: every n-gram weighs the same. A file of that name is ./none.
inline constexpr const char* kNoCommonness = "none";

/// Returns the counts in the file `name`, or those of nothing where it is kNoCommonness.
/// Errors: those of Commonness::load().
[[nodiscard]] Result<std::shared_ptr<const verify::Commonness>> given_commonness(const std::string& name,
                                                                                 uint64_t memory_bytes = ~uint64_t{0});

}  // namespace neardup::engine
