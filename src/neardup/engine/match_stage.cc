#include "neardup/engine/match_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "neardup/cluster/band_stars.h"
#include "neardup/cluster/candidates.h"
#include "neardup/cluster/cluster.h"
#include "neardup/engine/candidate_joins.h"
#include "neardup/engine/dedup.h"
#include "neardup/engine/long_pairs.h"
#include "neardup/engine/pairs_file.h"
#include "neardup/engine/short_texts.h"
#include "neardup/engine/signatures.h"
#include "neardup/join/band_buckets.h"
#include "neardup/verify/verify.h"

namespace neardup::engine {
namespace {

// What is held per document besides the input of the join: groups, assignments, fates and the joined arrays.
constexpr uint64_t kBytesPerDocument = 64;

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
  Matcher(const Documents& documents, const ExactGroups& groups, const DedupOptions& options, const Context& context)
      : documents_(documents),
        groups_(groups),
        options_(options),
        context_(context),
        num_threads_(resolve_num_threads(options.num_threads)),
        verifier_(options.verify, tokens_of(documents, groups),
                  std::min(share(options.memory_bytes, 8), kMaxCacheBytes)),
        long_pairs_(documents, groups, share(options.memory_bytes, 4), num_threads_),
        active_(groups_with_features(documents, groups)),
        short_(documents, groups, active_) {}

  Result<Outcome> run(const WorkFolder& folder, const std::string& pairs_path);

 private:
  Result<Outcome> run_list(const WorkFolder& folder, const std::string& pairs_path);
  Result<Outcome> run_band_stars();
  [[nodiscard]] bool stars_fit() const;
  Status join(cluster::CandidateSet& candidates);
  [[nodiscard]] bool may_be_compared(uint32_t a, uint32_t b) const;
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
  verify::Verifier verifier_;
  LongPairs long_pairs_;
  const std::vector<uint32_t> active_;  // groups with fingerprints or a signature, ascending
  ShortTexts short_;                    // those of them that are short texts
  std::vector<join::Band> bands_;       // of MinHash
  int distance_ = 0;
  std::atomic<uint64_t> num_verified_{0};
  std::atomic<uint64_t> num_similar_{0};
  std::atomic<uint64_t> num_filtered_{0};
};

Result<Outcome> Matcher::run(const WorkFolder& folder, const std::string& pairs_path) {
  NEARDUP_TRY(short_.load(options_.memory_bytes / 16));
  if (options_.recipe.family == simhash::Family::kSimHash) {
    distance_ = options_.distance.value_or(auto_distance(active_.size()));
  } else {
    const simhash::MinHashSpec& spec = options_.recipe.minhash;
    NEARDUP_ASSIGN(bands_, join::make_bands(spec.num_values, spec.bands, spec.rows));
    if (options_.cluster == ClusterKind::kStar && !options_.write_pairs && stars_fit()) return run_band_stars();
  }
  return run_list(folder, pairs_path);
}

Result<Outcome> Matcher::run_list(const WorkFolder& folder, const std::string& pairs_path) {
  NEARDUP_TRY(create_directories(folder.scratch()));
  NEARDUP_ASSIGN(
      cluster::CandidateSet candidates,
      cluster::CandidateSet::create(folder.scratch(), share(options_.memory_bytes, 4), num_threads_, groups_.size()));
  NEARDUP_TRY(join(candidates));
  NEARDUP_TRY(candidates.finish());
  NEARDUP_ASSIGN(const auto assignments, assign(candidates, folder, pairs_path));
  return settle(assignments, candidates.size());
}

// Whether everything that is held at once fits: 64 bytes a document, the sets that are compared, and the stars.
bool Matcher::stars_fit() const {
  const auto stars_bytes = [this](size_t count, const simhash::MinHashSpec& spec) {
    return cluster::band_stars_bytes(count, spec.num_values, static_cast<uint64_t>(spec.bands), num_threads_);
  };
  const uint64_t stars =
      stars_bytes(active_.size(), options_.recipe.minhash) + stars_bytes(short_.groups().size(), short_text_spec());
  if (!join::buckets_have_numbers(active_.size(), static_cast<uint64_t>(options_.recipe.minhash.bands))) return false;
  return kBytesPerDocument * documents_.size() + stars + (uint64_t{16} << 20) <= options_.memory_bytes / 8 * 5;
}

Result<Outcome> Matcher::run_band_stars() {
  const simhash::MinHashSpec& spec = options_.recipe.minhash;
  NEARDUP_ASSIGN(const std::vector<uint16_t> values,
                 load_signatures(signatures_of(documents_, groups_, active_, spec.num_values)));
  const auto num_references = std::ranges::lower_bound(active_, groups_.num_reference_groups) - active_.begin();
  const cluster::ClusterOptions cluster_options{
      .num_threads = num_threads_, .num_references = static_cast<uint32_t>(num_references), .context = context_};
  std::vector<cluster::BandedSignatures> layers = {
      {values, spec.num_values, bands_, sketch_bound(options_.verify, options_.recipe)}};
  std::vector<uint16_t> short_values;
  std::vector<uint32_t> short_ranks;
  if (!short_.groups().empty()) {
    NEARDUP_ASSIGN(short_values, load_signatures(short_.signatures()));
    for (uint32_t rank = 0; rank < active_.size(); ++rank)
      if (short_.contains(active_[rank])) short_ranks.push_back(rank);
    const simhash::MinHashSpec of = short_text_spec();
    NEARDUP_ASSIGN(auto bands, join::make_bands(of.num_values, of.bands, of.rows));
    layers.push_back({short_values, of.num_values, std::move(bands), short_text_bound(), short_ranks});
  }
  const cluster::Verify verify = [this](uint32_t better, uint32_t worse) {
    return compare(active_[better], active_[worse]);
  };
  NEARDUP_ASSIGN(const cluster::BandStars stars, cluster::band_stars(layers, verify, cluster_options));
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

Status Matcher::join(cluster::CandidateSet& candidates) {
  CandidateJoins joins(documents_, groups_, active_, &short_, {num_threads_, share(options_.memory_bytes, 2), context_},
                       candidates);
  NEARDUP_TRY(joins.join_short_texts());
  if (options_.recipe.family == simhash::Family::kMinHash)
    return joins.join_signatures(signatures_of(documents_, groups_, active_, options_.recipe.minhash.num_values),
                                 bands_, sketch_bound(options_.verify, options_.recipe));
  for (size_t which = 0; which < options_.recipe.fingerprints.size(); ++which)
    NEARDUP_TRY(joins.join_prints(which, distance_));
  return {};
}

bool Matcher::may_be_compared(uint32_t a, uint32_t b) const {
  const Row &row_a = documents_.row(groups_.best[a]), &row_b = documents_.row(groups_.best[b]);
  if (row_a.within != row_b.within) return false;
  if (!options_.size_within) return true;
  const auto [smaller, larger] = std::minmax(row_a.size_bytes, row_b.size_bytes);
  return static_cast<double>(larger - smaller) <= *options_.size_within * static_cast<double>(larger);
}

Result<verify::Verdict> Matcher::look_at(uint32_t better, uint32_t worse, bool exactly) {
  if (short_.contains(better) && short_.contains(worse)) return short_.compare(better, worse);
  const MemoryBudget::Permit permit = long_pairs_.permit_for(better, worse);
  return exactly ? verifier_.compare_exactly(better, worse) : verifier_.compare(better, worse);
}

Result<cluster::Verdict> Matcher::compare(uint32_t better, uint32_t worse) {
  if (!may_be_compared(better, worse)) {
    num_filtered_.fetch_add(1, std::memory_order_relaxed);
    return cluster::Verdict{};
  }
  NEARDUP_ASSIGN(const verify::Verdict verdict, look_at(better, worse, false));
  num_verified_.fetch_add(1, std::memory_order_relaxed);
  if (verdict.similar) num_similar_.fetch_add(1, std::memory_order_relaxed);
  return cluster::Verdict{verdict.similar, verdict.similarity};
}

Result<std::vector<cluster::Assignment>> Matcher::assign(cluster::CandidateSet& candidates, const WorkFolder& folder,
                                                         const std::string& pairs_path) {
  cluster::ClusterOptions cluster_options{.num_threads = num_threads_,
                                          .num_references = groups_.num_reference_groups,
                                          .total_candidates = candidates.size(),
                                          .context = context_};
  cluster_options.rewind = [&]() -> Status {
    candidates.rewind();
    return {};
  };
  cluster_options.similarity = [this](uint32_t better, uint32_t worse) -> Result<float> {
    NEARDUP_ASSIGN(const verify::Verdict verdict, look_at(better, worse, true));
    return verdict.similarity;
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
  outcome.distance = static_cast<uint32_t>(distance_);
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
      fate.distance = static_cast<uint8_t>(std::min(assignment.distance, 255U));
    } else if (fate.kept != document) {
      fate.fate = Fate::kExact;
    }
  }
  return outcome;
}

}  // namespace

Result<Outcome> match_documents(const Documents& documents, const ExactGroups& groups, const DedupOptions& options,
                                const WorkFolder& folder, const std::string& pairs_path, const Context& context) {
  NEARDUP_TRY(check_memory(documents, options.memory_bytes));
  return Matcher(documents, groups, options, context).run(folder, pairs_path);
}

}  // namespace neardup::engine
