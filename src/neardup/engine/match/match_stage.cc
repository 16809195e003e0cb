#include "neardup/engine/match/match_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/band_stars.h"
#include "neardup/cluster/candidate.h"
#include "neardup/cluster/candidates.h"
#include "neardup/cluster/components.h"
#include "neardup/cluster/star.h"
#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/candidate_joins.h"
#include "neardup/engine/match/code_frames.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/long_pairs.h"
#include "neardup/engine/match/pair_filter.h"
#include "neardup/engine/match/pairs_file.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/join/band_buckets.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"
#include "neardup/verify/verifier.h"

namespace neardup::engine {
namespace {

// What is held per document besides the input of the join: groups, assignments, fates and the joined arrays.
constexpr uint64_t kBytesPerDocument = 64;
constexpr uint64_t kAnyNumber = ~uint64_t{0};

uint64_t share(uint64_t memory_bytes, uint64_t divisor) {
  return std::max<uint64_t>(memory_bytes / divisor, uint64_t{4} << 20);
}

Status check_memory(const Documents& documents, uint64_t memory_bytes) {
  const uint64_t needed = kBytesPerDocument * documents.size() + (uint64_t{16} << 20);
  if (needed <= memory_bytes) return {};
  return fail(Code::kMemory,
              fmt::format("{} documents need at least {} MiB of memory here, --memory allows {} MiB; raise "
                          "it, or reduce the inputs part by part with --reference",
                          documents.size(), (needed >> 20) + 1, memory_bytes >> 20));
}

class Matcher {
 public:
  Matcher(const Documents& documents, const ExactGroups& groups, std::vector<uint32_t> active, Decision decision,
          const DedupOptions& options, const Context& context)
      : documents_(documents),
        groups_(groups),
        options_(options),
        context_(context),
        num_threads_(resolve_num_threads(options.num_threads)),
        decision_(std::move(decision)),
        verifier_(
            decision_.verifier(tokens_of(documents, groups), std::min(share(options.memory_bytes, 8), kMaxCacheBytes))),
        long_pairs_(documents, groups, verify::comparing_bytes_per_token(options.verify),
                    share(options.memory_bytes, 4), num_threads_),
        active_(std::move(active)),
        short_(documents, groups, active_) {}

  Result<Outcome> run(const WorkFolder& folder, const std::string& pairs_path);

 private:
  Result<Outcome> run_list(const WorkFolder& folder, const std::string& pairs_path, uint64_t most_candidates);
  Status join(DisjointSets* joined, const CandidateSink& sink);
  [[nodiscard]] uint64_t stars_bytes(uint64_t count, uint64_t num_short) const;
  [[nodiscard]] uint64_t stars_budget() const;
  [[nodiscard]] bool stars_fit() const;
  [[nodiscard]] uint32_t ranks_at_once() const;
  [[nodiscard]] uint64_t most_candidates() const;
  [[nodiscard]] std::vector<uint32_t> short_ranks() const;
  [[nodiscard]] cluster::ClusterOptions star_options() const;
  [[nodiscard]] cluster::ClusterOptions component_options();
  Result<Outcome> run_band_stars();
  Result<Outcome> run_stars_in_parts();
  cluster::Verify compare_active();
  Outcome settle_stars(const cluster::BandStars& stars) const;
  Result<Outcome> run_band_components();
  Status add_distances(std::vector<cluster::Assignment>& assignments) const;
  Result<verify::Verdict> look_at(uint32_t better, uint32_t worse, bool exactly);
  Result<std::vector<cluster::Assignment>> assign(cluster::CandidateSet& candidates, const WorkFolder& folder,
                                                  const std::string& pairs_path);
  Result<cluster::Verdict> compare(uint32_t better, uint32_t worse);
  Outcome settle(const std::vector<cluster::Assignment>& assignments, uint64_t num_candidates) const;

  const Documents& documents_;
  const ExactGroups& groups_;
  const DedupOptions& options_;
  const Context& context_;
  const int num_threads_;
  const Decision decision_;
  const std::unique_ptr<verify::Verifier> verifier_;
  LongPairs long_pairs_;
  const std::vector<uint32_t> active_;  // groups with fingerprints or a signature, ascending
  ShortTexts short_;                    // those of them that are short texts
  SignatureLayer layer_;                // of MinHash
  std::optional<SignatureLayer> short_layer_;
  std::atomic<uint64_t> num_verified_{0};
  std::atomic<uint64_t> num_similar_{0};
  std::atomic<uint64_t> num_filtered_{0};
};

Result<Outcome> Matcher::run(const WorkFolder& folder, const std::string& pairs_path) {
  NEARDUP_TRY(short_.load(options_.memory_bytes / 16));
  if (!short_.groups().empty()) short_layer_ = short_text_layer(short_, decision_.band_rule(PairRoute::kCharacters));
  if (options_.recipe.family == recipe::Family::kSimHash) return run_list(folder, pairs_path, kAnyNumber);
  layer_ = {.source = signatures_of(documents_, groups_, active_, options_.recipe.minhash.num_values),
            .groups = active_,
            .rule = decision_.band_rule(PairRoute::kMinHash)};
  if (options_.write_pairs) return run_list(folder, pairs_path, kAnyNumber);
  if (options_.cluster == ClusterKind::kComponents) return run_band_components();
  if (stars_fit()) return run_band_stars();
  return run_list(folder, pairs_path, most_candidates());
}

// Candidates that are more than `most_candidates` are given up for stars part by part.
Result<Outcome> Matcher::run_list(const WorkFolder& folder, const std::string& pairs_path, uint64_t most_candidates) {
  NEARDUP_TRY(create_directories(folder.scratch()));
  NEARDUP_ASSIGN(
      std::optional<cluster::CandidateSet> candidates,
      cluster::CandidateSet::create(folder.scratch(), share(options_.memory_bytes, 4), num_threads_, groups_.size()));
  std::atomic<uint64_t> num_candidates = 0;
  const Status joined = join(nullptr, [&](std::span<const cluster::Candidate> pairs, int thread) -> Status {
    if ((num_candidates += pairs.size()) > most_candidates) return fail(Code::kUnsupported, "too many candidates");
    return candidates->add(pairs, thread);
  });
  if (num_candidates > most_candidates) {
    candidates.reset();
    return run_stars_in_parts();
  }
  NEARDUP_TRY(joined);
  NEARDUP_TRY(candidates->finish());
  NEARDUP_ASSIGN(const auto assignments, assign(*candidates, folder, pairs_path));
  return settle(assignments, candidates->size());
}

Status Matcher::join(DisjointSets* joined, const CandidateSink& sink) {
  CandidateJoins joins(documents_, groups_, &short_, {num_threads_, share(options_.memory_bytes, 2), joined, context_},
                       sink);
  if (short_layer_) NEARDUP_TRY(joins.join_signatures(*short_layer_));
  if (options_.recipe.family == recipe::Family::kMinHash) return joins.join_signatures(layer_);
  for (size_t which = 0; which < options_.recipe.fingerprints.size(); ++which)
    NEARDUP_TRY(joins.join_prints(active_, which, decision_.bounds().max_distance));
  return {};
}

// What band_stars() takes for so many active groups, of which some are short texts.
uint64_t Matcher::stars_bytes(uint64_t count, uint64_t num_short) const {
  const auto bytes = [this](uint64_t ranks, const recipe::MinHashSpec& spec) {
    return cluster::band_stars_bytes(ranks, spec.num_values, static_cast<uint64_t>(spec.bands), num_threads_);
  };
  return bytes(count, options_.recipe.minhash) + bytes(num_short, short_text_spec());
}

// What stars may take: the rest is for the sets that are compared, and for each document.
uint64_t Matcher::stars_budget() const {
  const uint64_t others = kBytesPerDocument * documents_.size() + (uint64_t{16} << 20);
  const uint64_t all = options_.memory_bytes / 8 * 5;
  return all - std::min(all, others);
}

bool Matcher::stars_fit() const {
  if (!join::buckets_have_numbers(active_.size(), layer_.rule.bands().size())) return false;
  return stars_bytes(active_.size(), short_.groups().size()) <= stars_budget();
}

uint32_t Matcher::ranks_at_once() const {
  constexpr uint64_t kSample = cluster::kSampleRanks;
  return cluster::band_stars_ranks(active_.size(), stars_budget(), stars_bytes(kSample, short_layer_ ? kSample : 0));
}

// How long a list is less work than stars part by part, in which each rank is looked at once for every half part before
// it: its bands take as long as about 16 pairs do, written, sorted and read.
uint64_t Matcher::most_candidates() const {
  constexpr uint64_t kPairsPerRank = 16;
  return kPairsPerRank * active_.size() * (2 * active_.size() / ranks_at_once() + 1);
}

// The positions among active_ of the short texts.
std::vector<uint32_t> Matcher::short_ranks() const {
  std::vector<uint32_t> ranks;
  for (uint32_t rank = 0; rank < active_.size(); ++rank)
    if (short_.contains(active_[rank])) ranks.push_back(rank);
  return ranks;
}

cluster::ClusterOptions Matcher::star_options() const {
  const auto num_references = std::ranges::lower_bound(active_, groups_.num_reference_groups) - active_.begin();
  return {.num_threads = num_threads_, .num_references = static_cast<uint32_t>(num_references), .context = context_};
}

Result<Outcome> Matcher::run_band_stars() {
  NEARDUP_ASSIGN(const std::vector<uint16_t> values, load_signatures(layer_.source));
  std::vector<cluster::BandedSignatures> layers = {
      {values, layer_.source.num_values, layer_.rule.bands(), layer_.rule.min_equal()}};
  std::vector<uint16_t> short_values;
  const std::vector<uint32_t> ranks = short_ranks();
  if (short_layer_) {
    NEARDUP_ASSIGN(short_values, load_signatures(short_layer_->source));
    layers.push_back({short_values, short_layer_->source.num_values, short_layer_->rule.bands(),
                      short_layer_->rule.min_equal(), ranks});
  }
  NEARDUP_ASSIGN(const cluster::BandStars stars, cluster::band_stars(layers, compare_active(), star_options()));
  return settle_stars(stars);
}

Result<Outcome> Matcher::run_stars_in_parts() {
  const std::vector<uint32_t> ranks = short_ranks();
  std::vector<cluster::BandedSource> layers = {{layer_.source, layer_.rule.bands(), layer_.rule.min_equal()}};
  if (short_layer_)
    layers.push_back({short_layer_->source, short_layer_->rule.bands(), short_layer_->rule.min_equal(), ranks});
  NEARDUP_ASSIGN(const cluster::BandStars stars,
                 cluster::band_stars_in_parts(layers, ranks_at_once(), compare_active(), star_options()));
  return settle_stars(stars);
}

cluster::Verify Matcher::compare_active() {
  return [this](uint32_t better, uint32_t worse) { return compare(active_[better], active_[worse]); };
}

Outcome Matcher::settle_stars(const cluster::BandStars& stars) const {
  std::vector<cluster::Assignment> assignments(groups_.size());
  for (uint32_t group = 0; group < groups_.size(); ++group) assignments[group].kept = group;
  for (size_t i = 0; i < active_.size(); ++i) {
    assignments[active_[i]] = stars.assignments[i];
    assignments[active_[i]].kept = active_[stars.assignments[i].kept];
  }
  Outcome outcome = settle(assignments, stars.num_candidates);
  outcome.num_settled = stars.num_settled;
  return outcome;
}

// Without a list: each pair is compared as it comes, unless its documents are in one component already.
Result<Outcome> Matcher::run_band_components() {
  DisjointSets sets(groups_.size());
  std::atomic<uint64_t> num_candidates = 0;
  NEARDUP_TRY(join(&sets, [&](std::span<const cluster::Candidate> pairs, int) -> Status {
    for (const cluster::Candidate& pair : pairs) {
      num_candidates.fetch_add(1, std::memory_order_relaxed);
      NEARDUP_ASSIGN(const cluster::Verdict verdict, compare(pair.better, pair.worse));
      if (verdict.similar) sets.unite(pair.better, pair.worse);
    }
    return {};
  }));
  cluster::ClusterOptions cluster_options = component_options();
  NEARDUP_ASSIGN(auto assignments, cluster::assign_components(groups_.size(), sets, nullptr, cluster_options));
  NEARDUP_TRY(add_distances(assignments));
  return settle(assignments, num_candidates);
}

// The distance of a removed document to the kept one, where the two are a candidate pair.
Status Matcher::add_distances(std::vector<cluster::Assignment>& assignments) const {
  constexpr uint32_t kChunk = 1024;
  return parallel_for(num_threads_, assignments.size() / kChunk + 1, [&](size_t chunk, int) -> Status {
    NEARDUP_TRY(context_.check_cancel());
    const auto end = static_cast<uint32_t>(std::min<size_t>(assignments.size(), (chunk + 1) * kChunk));
    for (auto group = static_cast<uint32_t>(chunk * kChunk); group < end; ++group) {
      const uint32_t kept = assignments[group].kept;
      if (kept == group) continue;
      const bool are_short = short_.contains(kept) && short_.contains(group);
      NEARDUP_ASSIGN(const auto distance, candidate_distance(are_short ? *short_layer_ : layer_, kept, group));
      if (distance) assignments[group].distance = *distance;
    }
    return {};
  });
}

Result<verify::Verdict> Matcher::look_at(uint32_t better, uint32_t worse, bool exactly) {
  if (decision_.route(short_.contains(better) && short_.contains(worse)) == PairRoute::kCharacters)
    return short_.compare(decision_.rule(), better, worse);
  const MemoryBudget::Permit permit = long_pairs_.permit_for(better, worse);
  return exactly ? verifier_->compare_exactly(better, worse) : verifier_->compare(better, worse);
}

Result<cluster::Verdict> Matcher::compare(uint32_t better, uint32_t worse) {
  if (!may_be_compared(documents_, groups_, decision_, better, worse)) {
    num_filtered_.fetch_add(1, std::memory_order_relaxed);
    return cluster::Verdict{};
  }
  NEARDUP_ASSIGN(const verify::Verdict verdict, look_at(better, worse, false));
  num_verified_.fetch_add(1, std::memory_order_relaxed);
  if (verdict.similar) num_similar_.fetch_add(1, std::memory_order_relaxed);
  return cluster::Verdict{verdict.similar, verdict.similarity};
}

cluster::ClusterOptions Matcher::component_options() {
  cluster::ClusterOptions cluster_options{
      .num_threads = num_threads_, .num_references = groups_.num_reference_groups, .context = context_};
  cluster_options.similarity = [this](uint32_t better, uint32_t worse) -> Result<float> {
    NEARDUP_ASSIGN(const verify::Verdict verdict, look_at(better, worse, true));
    return verdict.similarity;
  };
  return cluster_options;
}

Result<std::vector<cluster::Assignment>> Matcher::assign(cluster::CandidateSet& candidates, const WorkFolder& folder,
                                                         const std::string& pairs_path) {
  cluster::ClusterOptions cluster_options = component_options();
  cluster_options.total_candidates = candidates.size();
  cluster_options.rewind = [&]() -> Status {
    candidates.rewind();
    return {};
  };
  cluster::CandidateSource source = [&] { return candidates.next(); };
  cluster::Verify verify = [this](uint32_t better, uint32_t worse) { return compare(better, worse); };
  std::optional<VerifiedPairs> verified;
  if (options_.write_pairs) {
    NEARDUP_ASSIGN(verified,
                   VerifiedPairs::collect(source, verify, folder.scratch() + "/pairs.bin", num_threads_, context_));
    NEARDUP_TRY(write_pairs(documents_, groups_, *verified, pairs_path, context_));
    source = [&] { return verified->next(); };
    cluster_options.rewind = [&]() -> Status {
      verified->rewind();
      return {};
    };
    // The counters keep what the pairs told: comparing again for the clusters adds nothing new.
    verify = [this](uint32_t better, uint32_t worse) -> Result<cluster::Verdict> {
      NEARDUP_ASSIGN(const verify::Verdict verdict, look_at(better, worse, false));
      return cluster::Verdict{verdict.similar, verdict.similarity};
    };
  }
  return options_.cluster == ClusterKind::kStar
             ? cluster::star_clusters(groups_.size(), source, verify, cluster_options)
             : cluster::component_clusters(groups_.size(), source, verify, cluster_options);
}

Outcome Matcher::settle(const std::vector<cluster::Assignment>& assignments, uint64_t num_candidates) const {
  Outcome outcome;
  outcome.num_candidates = num_candidates;
  outcome.num_verified = num_verified_;
  outcome.num_similar = num_similar_;
  outcome.num_filtered = num_filtered_;
  outcome.distance = static_cast<uint32_t>(decision_.bounds().max_distance);
  outcome.fates.resize(documents_.size());
  for (uint32_t document = 0; document < documents_.size(); ++document) {
    DocumentFate& fate = outcome.fates[document];
    const uint32_t group = groups_.group_of[document];
    const cluster::Assignment& assignment = assignments[group];
    fate.kept = groups_.best[assignment.kept];
    if (document < documents_.num_references()) {
      fate = {.kept = document, .fate = Fate::kReference};
    } else if (assignment.kept != group) {
      fate.fate = Fate::kNear;
      fate.similarity = assignment.similarity;
      fate.distance = static_cast<uint16_t>(std::min(assignment.distance, cluster::kUnknownDistance));
    } else if (fate.kept != document) {
      fate.fate = Fate::kExact;
    }
  }
  return outcome;
}

// As the run asks for it, with what `active` have in common.
Result<Decision> decision_of(const Documents& documents, const ExactGroups& groups, std::span<const uint32_t> active,
                             const DedupOptions& options) {
  const bool is_simhash = options.recipe.family == recipe::Family::kSimHash;
  const int distance = is_simhash ? options.distance.value_or(auto_distance(active.size())) : 0;
  NEARDUP_ASSIGN(Decision decision, Decision::create(options.recipe, options.verify, {distance, options.size_within}));
  if (options.verify.kind == verify::Rule::Kind::kCode) {
    NEARDUP_ASSIGN(auto common, common_code(documents, groups, active));
    decision.leave_out(std::move(common));
  }
  return decision;
}

}  // namespace

Result<Outcome> match_documents(const Documents& documents, const ExactGroups& groups, const DedupOptions& options,
                                const WorkFolder& folder, const std::string& pairs_path, const Context& context) {
  NEARDUP_TRY(check_memory(documents, options.memory_bytes));
  std::vector<uint32_t> active = groups_with_features(documents, groups);
  NEARDUP_ASSIGN(Decision decision, decision_of(documents, groups, active, options));
  return Matcher(documents, groups, std::move(active), std::move(decision), options, context).run(folder, pairs_path);
}

}  // namespace neardup::engine
