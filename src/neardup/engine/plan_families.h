// What the two families cost: space, time and what each finds, for a whole set joined with itself.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "neardup/planner/machine.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// The Jaccard similarities for which the table tells the share that is found.
inline constexpr std::array<double, 7> kShownJaccards = {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

/// What one family takes to find candidates among N documents.
struct FamilyCost {
  std::string name;                                   // "simhash" or "minhash"
  std::string setting;                                // for people
  double bytes_each = 0;                              // kept for each document
  double join_bytes = 0;                              // working memory of the join beyond that, for all
  double join_seconds = 0;                            // on one thread, found pairs aside
  double chance_pairs = 0;                            // candidates for each document that share nothing with it
  std::array<double, kShownJaccards.size()> found{};  // share of the pairs of that similarity that become candidates
};

struct FamilyRequest {
  uint64_t num_documents = 0;
  int num_bits = 64;
  int max_distance = 3;
  recipe::MinHashSpec minhash = {};
  planner::Machine machine = {};  // times are for this one
};

/// SimHash is one fingerprint of `num_bits` bits within `max_distance`, of the same features, which weigh the same, of
/// texts of one length: their angle's cosine is 2 J / (1 + J) and each bit differs with probability angle / pi
/// (Charikar 2002). MinHash: 1 - (1 - J^rows)^bands. Times were measured on the machine that planner::Machine
/// describes; for another one the joins scale as its arithmetic and its sorting do.
[[nodiscard]] std::vector<FamilyCost> compare_families(const FamilyRequest& request);

}  // namespace neardup::engine
