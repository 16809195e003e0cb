// A bucket is hot because its fingerprints are alike, and just there the cost model of plan.cc, which takes them for
// evenly spread, is wrong: in a tight cluster each table of the next level meets every pair again. Cutting always took
// 11.6 s for 234 million pairs, asking 256 random pairs first 6.1 s (bench/DEAD_ENDS.md).
#include "neardup/join/sample.h"

#include <bit>
#include <vector>

#include "neardup/base/hash.h"

namespace neardup::join {
namespace {

constexpr uint64_t kSamples = 256;
// Cycles for a hit: collected, judged by the rules, and in the end looked up or dropped.
constexpr double kHit = 25.0;

// The differing bits of random pairs. Seeded by number: the same choice in every run.
std::vector<uint64_t> sample_differences(const Problem& problem) {
  std::vector<uint64_t> differences;
  for (uint64_t i = 0; i < kSamples; ++i) {
    const uint64_t a = mix64(2 * i + 1) % problem.left.size(), b = mix64(2 * i + 2) % problem.right.size();
    if (problem.self && a == b) continue;
    differences.push_back(problem.left[a] ^ problem.right[b]);
  }
  return differences;
}

}  // namespace

double sampled_cost(const Problem& problem, const JoinPlan& plan, int max_distance) {
  const auto differences = sample_differences(problem);
  if (differences.empty()) return plan.cost;
  double met = 0, hits = 0;
  for (const uint64_t difference : differences) {
    for (const JoinBlock& block : plan.blocks) {
      if (std::popcount(difference & block.mask) > block.threshold) continue;
      met += 1;
      hits += std::popcount(difference) <= max_distance ? 1 : 0;
    }
  }
  const double left = static_cast<double>(problem.left.size()), right = static_cast<double>(problem.right.size());
  const double share = 1.0 / static_cast<double>(differences.size());
  const double pairs = left * right * (problem.self ? 0.5 : 1.0);
  const double tables = plan.is_scan() ? 0 : plan.cost;
  return tables + scan_cost(left, right, problem.self) * met * share + kHit * pairs * hits * share;
}

}  // namespace neardup::join
