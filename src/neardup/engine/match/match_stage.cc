#include "neardup/engine/match/match_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/base/threads.h"
#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/code_frames.h"
#include "neardup/engine/match/contained/contained.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/families.h"
#include "neardup/engine/match/given_commonness.h"
#include "neardup/engine/match/match_strategies.h"

namespace neardup::engine {
namespace {

Status check_documents_fit(const Documents& documents, const MemoryPlan& plan) {
  const uint64_t needed = plan.bytes_of(MemoryUse::kDocuments);
  if (needed <= plan.total_bytes()) return {};
  return fail(Code::kMemory,
              fmt::format("{} documents need at least {} MiB of memory here, --memory allows {} MiB; raise "
                          "it, or reduce the inputs part by part with --reference",
                          documents.size(), (needed >> 20) + 1, plan.total_bytes() >> 20));
}

// Under the rule content texts that are duplicates have much in common that few others say, and so meet in bands that
// are not crowded: docs/design/frames.md. Where a field or a size decides as well, the first texts of a bucket may all
// be ruled out by it.
bool compares_all_pairs(const DedupOptions& options) {
  const bool by_text_alone = options.read.within_key.empty() && !options.size_within;
  return !weighs_by_rarity(options) || !by_text_alone;
}

// As the run asks for it, with what `active` have in common.
Result<Decision> decision_of(const Documents& documents, const ExactGroups& groups, std::span<const uint32_t> active,
                             const DedupOptions& options) {
  const bool is_simhash = options.recipe.family == recipe::Family::kSimHash;
  const int distance = is_simhash ? options.distance.value_or(auto_distance(active.size())) : 0;
  const PairBounds bounds{distance, options.size_within, options.contained};
  NEARDUP_ASSIGN(Decision decision, Decision::create(options.recipe, options.verify, bounds));
  if (options.verify.kind == verify::Rule::Kind::kCode) {
    NEARDUP_ASSIGN(auto common, common_code(documents, groups, active));
    decision.leave_out(std::move(common));
  }
  return decision;
}

DocumentFate fate_of(const Documents& documents, const ExactGroups& groups, const Matches& matches, uint32_t document) {
  const uint32_t group = groups.group_of[document];
  const cluster::Assignment& assignment = matches.assignments[group];
  if (document < documents.num_references()) return {.kept = document, .fate = Fate::kReference};
  DocumentFate fate{.kept = groups.best[assignment.kept]};
  if (assignment.kept != group) {
    fate.fate = !matches.is_contained.empty() && matches.is_contained[group] ? Fate::kContained : Fate::kNear;
    fate.similarity = assignment.similarity;
    fate.distance = static_cast<uint16_t>(std::min(assignment.distance, cluster::kUnknownDistance));
  } else if (fate.kept != document) {
    fate.fate = Fate::kExact;
  }
  return fate;
}

Outcome outcome_of(const Documents& documents, const ExactGroups& groups, const Matches& matches,
                   const PairCounts& counts, int distance) {
  Outcome outcome{.fates = {},
                  .num_candidates = matches.num_candidates,
                  .num_verified = counts.num_verified,
                  .num_similar = counts.num_similar,
                  .num_filtered = counts.num_filtered,
                  .num_settled = matches.num_settled,
                  .distance = static_cast<uint32_t>(distance),
                  .contained = matches.contained,
                  .pairs = matches.pairs};
  outcome.fates.reserve(documents.size());
  for (uint32_t document = 0; document < documents.size(); ++document)
    outcome.fates.push_back(fate_of(documents, groups, matches, document));
  return outcome;
}

// What matching found, without what it was found with.
struct Found {
  Matches matches;
  PairCounts counts;
  int distance = 0;
};

Result<Found> match(const Documents& documents, const ExactGroups& groups, const DedupOptions& options,
                    const MemoryPlan& plan, const WorkFolder& folder, const std::string& pairs_path,
                    const Context& context) {
  const std::vector<uint32_t> active = groups_with_features(documents, groups);
  NEARDUP_ASSIGN(const Decision decision, decision_of(documents, groups, active, options));
  ShortTexts short_texts(documents, groups, active);
  NEARDUP_TRY(short_texts.load(plan.bytes_of(MemoryUse::kShortTexts)));
  const CandidateLayers layers =
      make_layers(documents, groups, active, short_texts, options.recipe, decision, compares_all_pairs(options));
  const int num_threads = resolve_num_threads(options.num_threads);
  PairComparer comparer(documents, groups, short_texts, decision, plan, num_threads);
  const MatchSetting setting{documents,   groups, options,     folder, pairs_path, plan,
                             num_threads, active, short_texts, layers, comparer,   context};
  NEARDUP_ASSIGN(Matches matches, find_matches(setting));
  if (options.contained) NEARDUP_TRY(remove_contained(setting, matches));
  return Found{std::move(matches), comparer.counts(), decision.bounds().max_distance};
}

}  // namespace

Result<Outcome> match_documents(const Documents& documents, const ExactGroups& groups, const DedupOptions& options,
                                const WorkFolder& folder, const std::string& pairs_path, const Context& context) {
  const MemoryPlan plan = memory_plan(options, documents.size());
  NEARDUP_TRY(check_documents_fit(documents, plan));
  plan.report(MemoryPlan::matching(), context.progress);
  NEARDUP_ASSIGN(const Found found, match(documents, groups, options, plan, folder, pairs_path, context));
  return outcome_of(documents, groups, found.matches, found.counts, found.distance);
}

}  // namespace neardup::engine
