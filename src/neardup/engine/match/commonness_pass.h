// Learns how common n-grams are in the documents of a run: what the rule content weighs them by.
#pragma once

#include <memory>
#include <string>

#include "neardup/base/context.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/read/documents.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/commonness.h"

namespace neardup::engine {

/// Returns the counts over the different texts of `documents`, references included: copies of one text count once,
/// whatever --within says of them, and so does a family (families.h), where the signatures of `recipe` tell families.
/// Memory: the shares kFamilies, then kCommonness, kCommonnessQueues and kCountedTexts of `memory_bytes`; explain
/// learns the same counts by the same share. Disk: a copy of the signatures in `scratch_folder` where they do not fit.
/// Errors: those of reading tokens and signatures, kDiskFull, kCancelled.
[[nodiscard]] Result<std::shared_ptr<const verify::Commonness>> learn_commonness(
    const Documents& documents, const ExactGroups& groups, const recipe::Recipe& recipe, uint64_t memory_bytes,
    int num_threads, const std::string& scratch_folder, const Context& context);

}  // namespace neardup::engine
