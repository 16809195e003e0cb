#include "neardup/engine/plan_families.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "neardup/join/bands.h"
#include "neardup/join/plan.h"

namespace neardup::engine {
namespace {

// Of the machine that planner::Machine{} describes; request.machine scales them.
constexpr double kCyclesPerSecond = 3.5e9;  // join::Plan counts cycles
constexpr double kBandRowNs = 30;           // to sort and group one row in one band: bench/results/minhash.md
constexpr double kBandingRowBytes = 20;     // join/banding.h: 12, and 8 for the band that is sorted
constexpr double kJoinRowBytes = 17;        // bench/results/join.md

/// P(Binomial(n, p) <= k).
double at_most(int n, double p, int k) {
  if (p <= 0) return 1;
  double sum = 0, log_ways = 0;  // n over i; lgamma() would write to a global
  for (int i = 0; i <= std::min(k, n); ++i) {
    sum += std::exp(log_ways + i * std::log(p) + (n - i) * std::log1p(-p));
    log_ways += std::log(n - i) - std::log(i + 1);
  }
  return std::min(1.0, sum);
}

double bit_differs(double jaccard) { return std::acos(2 * jaccard / (1 + jaccard)) / std::numbers::pi; }

FamilyCost simhash_cost(const FamilyRequest& request) {
  const auto count = static_cast<double>(request.num_documents);
  FamilyCost cost{.name = "simhash",
                  .setting = fmt::format("{} bits, distance {}", request.num_bits, request.max_distance),
                  .bytes_each = request.num_bits / 8.0,
                  .join_bytes = kJoinRowBytes * count * request.num_bits / 64};
  const join::JoinPlan plan = join::choose_plan({.left = request.num_documents,
                                                 .right = request.num_documents,
                                                 .self = true,
                                                 .max_distance = std::min(request.max_distance, 16)});
  const double slower = request.machine.compute_ns / planner::Machine{}.compute_ns;
  cost.join_seconds = slower * plan.cost / kCyclesPerSecond * request.num_bits / 64;
  cost.chance_pairs = count * at_most(request.num_bits, 0.5, request.max_distance);
  for (size_t i = 0; i < kShownJaccards.size(); ++i)
    cost.found[i] = at_most(request.num_bits, bit_differs(kShownJaccards[i]), request.max_distance);
  return cost;
}

FamilyCost minhash_cost(const FamilyRequest& request) {
  const auto count = static_cast<double>(request.num_documents);
  const recipe::MinHashSpec& spec = request.minhash;
  const double slower = request.machine.sort_ns / planner::Machine{}.sort_ns;
  FamilyCost cost{.name = "minhash",
                  .setting = fmt::format("{} values, {} bands of {}", spec.num_values, spec.bands, spec.rows),
                  .bytes_each = 2.0 * spec.num_values,
                  .join_bytes = kBandingRowBytes * count,
                  .join_seconds = slower * kBandRowNs * 1e-9 * spec.bands * count,
                  .chance_pairs = count * spec.bands * std::exp2(-16.0 * spec.rows)};
  for (size_t i = 0; i < kShownJaccards.size(); ++i)
    cost.found[i] = join::meeting_probability(kShownJaccards[i], spec.bands, spec.rows);
  return cost;
}

}  // namespace

std::vector<FamilyCost> compare_families(const FamilyRequest& request) {
  return {simhash_cost(request), minhash_cost(request)};
}

}  // namespace neardup::engine
