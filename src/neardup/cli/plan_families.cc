#include "neardup/cli/plan_families.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/join/bands.h"
#include "neardup/join/plan.h"

namespace neardup::cli {
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
  const join::Plan plan = join::choose_plan({.left = request.num_documents,
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

std::string chance_text(double pairs) {
  if (pairs < 0.0005) return "none";
  return pairs < 10 ? fmt::format("{:.3f}", pairs) : human_count(static_cast<uint64_t>(std::llround(pairs)));
}

std::string percent(double share) { return share < 0.0005 ? "-" : fmt::format("{:.1f}", 100 * share); }

std::string advice(const FamilyRequest& request, const FamilyCost& simhash, const FamilyCost& minhash) {
  const auto count = static_cast<double>(request.num_documents);
  return fmt::format(
      "MinHash finds the pairs that share half of their text and SimHash only the nearly equal ones, unless its "
      "distance "
      "is large; SimHash takes 1/{:.0f} of the space ({} against {} for all), and an index of it answers a single "
      "query. Take MinHash where its signatures fit on the disk, SimHash for billions of documents, for queries one at "
      "a time, or where only nearly equal pages count. Both verify each candidate.\n",
      minhash.bytes_each / simhash.bytes_each, human_bytes(simhash.bytes_each * count),
      human_bytes(minhash.bytes_each * count));
}

}  // namespace

std::vector<FamilyCost> compare_families(const FamilyRequest& request) {
  return {simhash_cost(request), minhash_cost(request)};
}

std::string families_text(const FamilyRequest& request) {
  const auto count = static_cast<double>(request.num_documents);
  std::string out = fmt::format(
      "\nThe families, for all pairs among {} documents (join: one thread; chance: candidates of a document that share "
      "nothing with it; then the percentage found of the pairs with that Jaccard similarity of their word 3-grams):\n",
      human_count(request.num_documents));
  out += fmt::format("  {:<32}  {:>5}  {:>9}  {:>9}  {:>11}", "family", "bytes", "in all", "join", "chance");
  for (const double jaccard : kShownJaccards) out += fmt::format("  {:>5.1f}", jaccard);
  out += '\n';
  const std::vector<FamilyCost> costs = compare_families(request);
  for (const FamilyCost& cost : costs) {
    out += fmt::format("  {:<32}  {:>5.0f}  {:>9}  {:>9}  {:>11}", cost.name + ": " + cost.setting, cost.bytes_each,
                       human_bytes(cost.bytes_each * count), human_seconds(cost.join_seconds),
                       chance_text(cost.chance_pairs));
    for (const double found : cost.found) out += fmt::format("  {:>5}", percent(found));
    out += '\n';
  }
  return out + advice(request, costs[0], costs[1]);
}

std::string families_json(const FamilyRequest& request) {
  std::string out = "[";
  for (const FamilyCost& cost : compare_families(request)) {
    out += fmt::format("{}{{\"family\":\"{}\",\"bytes_each\":{:.0f},\"join_bytes\":{:.0f},\"join_seconds\":",
                       out.size() > 1 ? "," : "", cost.name, cost.bytes_each, cost.join_bytes);
    append_json_number(out, cost.join_seconds);
    out += ",\"chance_pairs\":";
    append_json_number(out, cost.chance_pairs);
    out += ",\"found\":{";
    for (size_t i = 0; i < kShownJaccards.size(); ++i)
      out += fmt::format("{}\"{:.1f}\":{:.4f}", i == 0 ? "" : ",", kShownJaccards[i], cost.found[i]);
    out += "}}";
  }
  return out + "]";
}

}  // namespace neardup::cli
