// Pairs of documents whose MinHash signatures are similar: candidates by bands, judged from the signatures.
#pragma once

#include <cstdint>
#include <optional>

#include "neardup/base/context.h"
#include "neardup/engine/fingerprints/pair_receiver.h"
#include "neardup/engine/fingerprints/table.h"
#include "neardup/verify/rule.h"

namespace neardup::engine {

struct SignaturePairs {
  const FingerprintTable& left;
  const FingerprintTable* right;  // null: pairs within `left`
  verify::Rule rule;
  int num_threads = 0;
  uint64_t memory_bytes = 0;  // beside what the files take
  Context context;
};

/// Returns the rule that decides about signatures of `file`: `given`, or the one that dedup takes by itself with their
/// recipe. Errors: kInvalidArgument where they are not of what the rule compares, by more than the length of n-grams.
[[nodiscard]] Result<verify::Rule> rule_of_signatures(const std::optional<verify::Rule>& given,
                                                      const FingerprintTable& file);

/// Hands on each pair that meets in a band and that the rule accepts: ids, similarity, its standard error; in the order
/// of the documents. The bands are those of the files' recipe, or of the default where they do not say.
/// Errors: kMemory, kCancelled; kInvalidArgument where the recipe in the file cannot be read; those of `receiver`.
[[nodiscard]] Status find_signature_pairs(const SignaturePairs& job, PairReceiver& receiver);

}  // namespace neardup::engine
