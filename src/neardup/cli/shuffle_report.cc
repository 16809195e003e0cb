#include "neardup/cli/shuffle_report.h"

#include <fmt/format.h>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/engine/read/family.h"

namespace neardup::cli {

Result<planner::ShuffleRequest> shuffle_request(planner::ShuffleRequest request, recipe::Recipe recipe,
                                                int max_distance) {
  const bool is_minhash = engine::prefers_minhash(recipe);
  NEARDUP_TRY(recipe::take_family(recipe, is_minhash ? recipe::Family::kMinHash : recipe::Family::kSimHash));
  if (!is_minhash) {
    const auto fingerprints = static_cast<int>(recipe.num_fingerprints());
    request.value_bytes = 8 * fingerprints;
    request.num_keys = fingerprints * (max_distance + 1);
    return request;
  }
  const recipe::MinHashSpec& minhash = recipe.minhash;
  request.value_bytes = 2 * minhash.num_values;
  request.num_keys = minhash.bands;
  return request;
}

std::string shuffle_text(const planner::ShuffleRequest& request) {
  const std::vector<planner::ShuffleTerm> terms = planner::spark_shuffle(request);
  std::string out =
      fmt::format("\nWhat neardup.spark.dedup() of {} texts of {} shuffles (compared pairs for each text: {}): {}.\n",
                  human_count(request.num_documents), human_bytes(static_cast<double>(request.text_bytes)),
                  request.num_candidates, human_bytes(planner::sum_bytes(terms)));
  for (const planner::ShuffleTerm& term : terms)
    out += fmt::format("  {:<14}  {:>9}\n", term.name, human_bytes(term.bytes));
  return out;
}

std::string shuffle_json(const planner::ShuffleRequest& request) {
  const std::vector<planner::ShuffleTerm> terms = planner::spark_shuffle(request);
  std::string out = fmt::format("{{\"text_bytes\":{},\"candidates\":", request.text_bytes);
  append_json_number(out, request.num_candidates);
  out += ",\"stages\":{";
  for (const planner::ShuffleTerm& term : terms)
    out += fmt::format("{}\"{}\":{:.0f}", out.back() == '{' ? "" : ",", term.name, term.bytes);
  return out + fmt::format("}},\"bytes\":{:.0f}}}", planner::sum_bytes(terms));
}

}  // namespace neardup::cli
