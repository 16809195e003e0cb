#include "neardup/engine/evaluate/comparer.h"

#include <algorithm>

#include "neardup/base/threads.h"

namespace neardup::engine {
namespace {

constexpr size_t kComparedAtOnce = 256;  // pairs that a thread takes at a time

using verify::Rule;

std::vector<Rule> rules_of(std::span<const Decision> decisions) {
  std::vector<Rule> rules;
  for (const Decision& decision : decisions) rules.push_back(decision.rule());
  return rules;
}

// What origin and Jaccard tell of a pair is enough for these.
bool follows_from_similarity(const Rule& rule) {
  return rule.kind == Rule::Kind::kNone || rule.kind == Rule::Kind::kOrigin || rule.kind == Rule::Kind::kJaccard;
}

Rule origin_among(const std::vector<Rule>& rules) {
  return {.kind = Rule::Kind::kOrigin, .templates = std::ranges::any_of(rules, &Rule::templates)};
}

uint64_t most_bytes_per_token(const std::vector<Rule>& rules) {
  uint64_t most = verify::comparing_bytes_per_token(origin_among(rules));
  for (const Rule& rule : rules) most = std::max(most, verify::comparing_bytes_per_token(rule));
  return most;
}

// One cache for each verifier.
uint64_t cache_bytes(const std::vector<Rule>& rules, const MemoryPlan& plan) {
  const auto others = rules.size() - static_cast<size_t>(std::ranges::count_if(rules, follows_from_similarity));
  return std::min(plan.bytes_of(MemoryUse::kComparedSets) / (2 + others), MemoryPlan::kMostNgramSets);
}

}  // namespace

Comparer::Comparer(const Documents& documents, const ExactGroups& groups, const BandLevels* levels,
                   std::span<const Decision> decisions, const MemoryPlan& plan, int num_threads)
    : levels_(levels),
      num_threads_(num_threads),
      rules_(rules_of(decisions)),
      origin_(origin_among(rules_), tokens_of(documents, groups), cache_bytes(rules_, plan)),
      jaccard_({Rule::Kind::kJaccard}, tokens_of(documents, groups), cache_bytes(rules_, plan)),
      others_(rules_.size()),
      long_pairs_(documents, groups, most_bytes_per_token(rules_), plan.bytes_of(MemoryUse::kComparedLongTexts),
                  num_threads) {
  for (size_t rule = 0; rule < rules_.size(); ++rule)
    if (!follows_from_similarity(rules_[rule]))
      others_[rule] = decisions[rule].verifier(tokens_of(documents, groups), cache_bytes(rules_, plan));
}

Result<bool> Comparer::accepts(size_t rule, const cluster::Candidate& pair, const verify::Verdict& origin,
                               const verify::Verdict& jaccard) {
  if (others_[rule] != nullptr) {
    NEARDUP_ASSIGN(const verify::Verdict verdict, others_[rule]->compare(pair.better, pair.worse));
    return verdict.similar;
  }
  const Rule& asked = rules_[rule];
  if (asked.kind == Rule::Kind::kOrigin) return origin.similar || (origin.other_numbers && !asked.templates);
  return asked.kind == Rule::Kind::kNone || jaccard.similarity >= static_cast<float>(asked.threshold);
}

Result<Compared> Comparer::compare(const cluster::Candidate& pair) {
  const MemoryBudget::Permit permit = long_pairs_.permit_for(pair.better, pair.worse);
  NEARDUP_ASSIGN(const verify::Verdict origin, origin_.compare_exactly(pair.better, pair.worse));
  NEARDUP_ASSIGN(const verify::Verdict jaccard, jaccard_.compare_exactly(pair.better, pair.worse));
  Compared compared{.jaccard3 = origin.similarity, .jaccard5 = jaccard.similarity, .level = pair.distance};
  for (size_t rule = 0; rule < rules_.size(); ++rule) {
    NEARDUP_ASSIGN(const bool accepted, accepts(rule, pair, origin, jaccard));
    compared.accepted_by |= uint64_t{accepted} << rule;
  }
  if (levels_ == nullptr) return compared;
  NEARDUP_ASSIGN(const BandLevels::Place place, levels_->place(pair.better, pair.worse));
  compared.level = place.level;
  compared.num_equal = place.num_equal;
  return compared;
}

Status Comparer::compare_all(std::span<const cluster::Candidate> pairs, std::vector<Compared>& out,
                             const Context& context) {
  out.resize(pairs.size());
  return parallel_for(num_threads_, (pairs.size() + kComparedAtOnce - 1) / kComparedAtOnce,
                      [&](size_t chunk, int) -> Status {
                        NEARDUP_TRY(context.check_cancel());
                        const size_t end = std::min(pairs.size(), (chunk + 1) * kComparedAtOnce);
                        for (size_t i = chunk * kComparedAtOnce; i < end; ++i) {
                          NEARDUP_ASSIGN(out[i], compare(pairs[i]));
                        }
                        return {};
                      });
}

}  // namespace neardup::engine
