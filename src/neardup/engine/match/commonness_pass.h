// Learns how common n-grams are in the documents of a run: what the rule content weighs them by.
#pragma once

#include <memory>

#include "neardup/base/context.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/read/documents.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/commonness.h"

namespace neardup::engine {

/// Of the memory of a run its table takes one part of so many: explain learns the same counts by the same share.
inline constexpr uint64_t kCommonnessShare = 8;

/// Returns the counts over the different texts of `documents`, references included: copies of one text count once,
/// whatever --within says of them, and so does a family (families.h), where the signatures of `recipe` tell families.
/// The table takes at most an eighth of `memory_bytes`, what waits to be counted half as much, the texts that are
/// counted at a time another eighth; before that finding families half of it.
/// Errors: those of reading tokens and signatures, kCancelled.
[[nodiscard]] Result<std::shared_ptr<const verify::Commonness>> learn_commonness(const Documents& documents,
                                                                                 const ExactGroups& groups,
                                                                                 const recipe::Recipe& recipe,
                                                                                 uint64_t memory_bytes, int num_threads,
                                                                                 const Context& context);

}  // namespace neardup::engine
