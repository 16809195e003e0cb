#include "neardup/cli/families_report.h"

#include <fmt/format.h>

#include <cmath>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"

namespace neardup::cli {
namespace {

std::string chance_text(double pairs) {
  if (pairs < 0.0005) return "none";
  return pairs < 10 ? fmt::format("{:.3f}", pairs) : human_count(static_cast<uint64_t>(std::llround(pairs)));
}

std::string found_percent(double share) { return share < 0.0005 ? "-" : fmt::format("{:.1f}", 100 * share); }

std::string advice(const engine::FamilyRequest& request, const engine::FamilyCost& simhash,
                   const engine::FamilyCost& minhash) {
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

std::string families_text(const engine::FamilyRequest& request) {
  const auto count = static_cast<double>(request.num_documents);
  std::string out = fmt::format(
      "\nThe families, for all pairs among {} documents (join: one thread; chance: candidates of a document that share "
      "nothing with it; then the percentage found of the pairs with that Jaccard similarity of their word 3-grams):\n",
      human_count(request.num_documents));
  out += fmt::format("  {:<32}  {:>5}  {:>9}  {:>9}  {:>11}", "family", "bytes", "in all", "join", "chance");
  for (const double jaccard : engine::kShownJaccards) out += fmt::format("  {:>5.1f}", jaccard);
  out += '\n';
  const std::vector<engine::FamilyCost> costs = engine::compare_families(request);
  for (const engine::FamilyCost& cost : costs) {
    out += fmt::format("  {:<32}  {:>5.0f}  {:>9}  {:>9}  {:>11}", cost.name + ": " + cost.setting, cost.bytes_each,
                       human_bytes(cost.bytes_each * count), human_seconds(cost.join_seconds),
                       chance_text(cost.chance_pairs));
    for (const double found : cost.found) out += fmt::format("  {:>5}", found_percent(found));
    out += '\n';
  }
  return out + advice(request, costs[0], costs[1]);
}

std::string families_json(const engine::FamilyRequest& request) {
  std::string out = "[";
  for (const engine::FamilyCost& cost : engine::compare_families(request)) {
    out += fmt::format("{}{{\"family\":\"{}\",\"bytes_each\":{:.0f},\"join_bytes\":{:.0f},\"join_seconds\":",
                       out.size() > 1 ? "," : "", cost.name, cost.bytes_each, cost.join_bytes);
    append_json_number(out, cost.join_seconds);
    out += ",\"chance_pairs\":";
    append_json_number(out, cost.chance_pairs);
    out += ",\"found\":{";
    for (size_t i = 0; i < engine::kShownJaccards.size(); ++i)
      out += fmt::format("{}\"{:.1f}\":{:.4f}", i == 0 ? "" : ",", engine::kShownJaccards[i], cost.found[i]);
    out += "}}";
  }
  return out + "]";
}

}  // namespace neardup::cli
