#include <fmt/format.h>

#include <algorithm>

#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/write/shown_text.h"
#include "neardup/explain/explain.h"
#include "neardup/server/text_backend.h"

namespace neardup::server {
namespace {

std::string_view kind_name(diff::DiffKind kind) {
  if (kind == diff::DiffKind::kEqual) return "equal";
  return kind == diff::DiffKind::kOnlyA ? "only_a" : "only_b";
}

bool is_contained(const engine::PairDecision& decision) { return decision.held && decision.held->is_contained; }

std::string_view verdict_of(const explain::Explained& explained) {
  if (is_contained(explained.decision)) return "contained";
  if (!explained.decision.is_removed) return "different";
  return explained.verdict.name == "exact" ? "exact" : "near";
}

std::optional<double> distance_of(const engine::PairDecision& decision) {
  if (decision.route == engine::PairRoute::kExact) return 0;
  if (decision.match) return static_cast<double>(decision.match->equal.size() - decision.match->num_equal);
  if (decision.distances.empty()) return {};
  return *std::ranges::min_element(decision.distances);
}

std::vector<std::string> reasons_of(const explain::Explained& explained) {
  std::vector<std::string> reasons = {std::string(explain::finding_of(explained.verdict))};
  for (const std::string& reason : explained.verdict.reasons) reasons.push_back(reason);
  if (explained.content) reasons.insert(reasons.end(), explained.content->why.begin(), explained.content->why.end());
  return reasons;
}

/// The store takes the main text of what comes as a page, also under a recipe that takes bytes as they are.
std::string compared_text(const engine::Matcher& matcher, const ExplainedSide& side) {
  if (!side.is_html || matcher.recipe.extraction == "html") return side.text;
  return engine::shown_text(engine::recipe_of_pages(matcher.recipe), side.text);
}

}  // namespace

Result<Explanation> explain_two(const engine::Matcher& matcher, const engine::TextStoreSettings& settings,
                                const ExplainedSide& a, const ExplainedSide& b) {
  if (a.text.size() + b.text.size() > kMostExplainedBytes)
    return fail(Code::kUnsupported,
                fmt::format("the two texts have more than {} bytes; neardup explain A B shows longer "
                            "ones",
                            kMostExplainedBytes));
  engine::DedupOptions options = settings.matching;
  options.recipe = matcher.recipe;
  options.verify.common = matcher.common.get();
  const bool is_minhash = options.recipe.family == recipe::Family::kMinHash;
  NEARDUP_ASSIGN(const auto explained,
                 explain::explain_texts({{"A", compared_text(matcher, a)}, {"B", compared_text(matcher, b)}}, options,
                                        {.simhash = !is_minhash, .minhash = is_minhash}, matcher.idf));
  Explanation explanation{.verdict = verdict_of(*explained)};
  const bool is_exact = explained->decision.route == engine::PairRoute::kExact;
  const engine::PairDecision& decision = explained->decision;
  const float similarity = is_contained(decision) ? decision.held->held.share() : decision.verdict.similarity;
  explanation.similarity = is_exact ? 1 : engine::shown_similarity(similarity);
  explanation.distance = distance_of(explained->decision);
  explanation.why = reasons_of(*explained);
  for (const diff::DiffPiece& piece : explained->diff)
    explanation.pieces.push_back({kind_name(piece.kind), std::string(piece.a), std::string(piece.b)});
  return explanation;
}

}  // namespace neardup::server
