#include "neardup/engine/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/threads.h"
#include "neardup/cluster/candidates.h"
#include "neardup/engine/band_levels.h"
#include "neardup/engine/candidate_joins.h"
#include "neardup/engine/comparer.h"
#include "neardup/engine/dedup.h"
#include "neardup/engine/family.h"
#include "neardup/engine/idf_pass.h"
#include "neardup/engine/labels.h"
#include "neardup/engine/pair_tally.h"
#include "neardup/engine/read_stage.h"
#include "neardup/engine/record_limits.h"
#include "neardup/engine/signatures.h"

namespace neardup::engine {
namespace {

constexpr size_t kOrigin = 1;  // in evaluated_rules()

class Evaluator {
 public:
  Evaluator(const EvaluateOptions& options, const Context& context)
      : options_(options),
        run_(options.run),
        context_(context),
        folder_(run_.output),
        num_threads_(resolve_num_threads(run_.num_threads)),
        rules_(evaluated_rules(run_.verify.templates)) {
    if (options_.labels_file.empty()) run_.read.group_key = options_.cluster_key;
    run_.groups = {.num_values = ~uint64_t{0}, .memory_bytes = run_.memory_bytes / 2};  // labels: each one counts
  }

  Result<evaluate::Evaluation> run();

 private:
  Result<Documents> read();
  Result<evaluate::Truth> read_truth(const Documents& documents) const;
  Status check_memory(uint32_t num_groups) const;
  Status place_levels(const Documents& documents);
  Status join(const Documents& documents, cluster::CandidateSet& candidates);
  Status compare(const Documents& documents, const evaluate::Truth& truth, cluster::CandidateSet& candidates,
                 PairTally& tally) const;
  void count_equal(const evaluate::Truth& truth, PairTally& tally) const;
  [[nodiscard]] uint64_t weight(uint32_t g, uint32_t h) const { return uint64_t{group_sizes_[g]} * group_sizes_[h]; }
  void describe(const Documents& documents, const evaluate::Truth& truth, evaluate::Evaluation& out) const;

  const EvaluateOptions& options_;
  DedupOptions run_;
  const Context& context_;
  WorkFolder folder_;
  int num_threads_;
  std::vector<verify::Rule> rules_;
  ExactGroups groups_;
  std::vector<uint32_t> group_sizes_;
  std::vector<uint32_t> active_;      // groups with fingerprints, ascending
  int widest_ = 0;                    // distance of SimHash
  std::optional<BandLevels> levels_;  // of MinHash
  std::vector<int> bounds_;           // of MinHash, by rule
};

Result<Documents> Evaluator::read() {
  NEARDUP_TRY(create_directories(folder_.root()));
  NEARDUP_ASSIGN(const Sources sources, find_sources(run_, folder_, context_));
  NEARDUP_TRY(choose_family(run_, sources));
  run_.read = within_memory(run_.read, run_.recipe, run_.memory_bytes, num_batch_threads(run_));
  NEARDUP_ASSIGN(const auto idf, provide_idf(run_.recipe, run_.idf_file, sources.all(), run_.read,
                                             {num_batch_threads(run_), run_.memory_bytes}, context_));
  NEARDUP_TRY(read_part(sources, run_, idf, folder_, 0, 1, context_));
  return Documents::open(folder_, 1, run_.recipe.num_fingerprints(), run_.recipe.num_signature_values(), sources);
}

Result<evaluate::Truth> Evaluator::read_truth(const Documents& documents) const {
  if (documents.size() < 2)
    return fail(Code::kInvalidArgument,
                fmt::format("there is nothing to compare among {} documents; --text-key names the field that holds the "
                            "text",
                            documents.size()));
  if (options_.labels_file.empty()) {
    NEARDUP_ASSIGN(auto labels, labels_by_field(documents, options_.cluster_key));
    return evaluate::Truth::from_clusters(std::move(labels), groups_.group_of, groups_.size());
  }
  NEARDUP_ASSIGN(LabelledPairs labelled,
                 read_labelled_pairs(options_.labels_file, options_.least_similarity, documents, context_));
  auto truth =
      evaluate::Truth::from_pairs(std::move(labelled.pairs), labelled.is_judged, groups_.group_of, groups_.size());
  if (!truth) return fail(truth.error().code, fmt::format("{}: {}", options_.labels_file, truth.error().message));
  return truth;
}

Status Evaluator::check_memory(uint32_t num_groups) const {
  const uint64_t needed = PairTally::kBytesPerVertex * rules_.size() * num_groups + (uint64_t{32} << 20);
  if (needed <= run_.memory_bytes) return {};
  return fail(Code::kMemory, fmt::format("evaluating {} documents takes at least {} MiB, --memory allows {} MiB; raise "
                                         "it, or evaluate a sample with all members of its clusters",
                                         num_groups, (needed >> 20) + 1, run_.memory_bytes >> 20));
}

Status Evaluator::join(const Documents& documents, cluster::CandidateSet& candidates) {
  CandidateJoins joins(
      documents, groups_, nullptr,
      {.num_threads = num_threads_, .memory_bytes = run_.memory_bytes / 4, .joined = nullptr, .context = context_},
      [&](std::span<const cluster::Candidate> pairs, int thread) { return candidates.add(pairs, thread); });
  if (levels_) NEARDUP_TRY(joins.join_signatures({levels_->source(), active_, levels_->bands(), 0, false}));
  for (size_t which = 0; which < run_.recipe.num_fingerprints(); ++which)
    NEARDUP_TRY(joins.join_prints(active_, which, widest_));
  return candidates.finish();
}

// Finds out what the levels are.
Status Evaluator::place_levels(const Documents& documents) {
  widest_ = std::max(options_.max_distance, auto_distance(active_.size()));
  if (run_.recipe.family == simhash::Family::kSimHash) return {};
  NEARDUP_ASSIGN(levels_, BandLevels::create(run_.recipe.minhash,
                                             signatures_of(documents, groups_, active_, run_.recipe.minhash.num_values),
                                             active_, run_.memory_bytes / 4));
  for (const verify::Rule& rule : rules_) bounds_.push_back(sketch_bound(rule, run_.recipe));
  return {};
}

Status Evaluator::compare(const Documents& documents, const evaluate::Truth& truth, cluster::CandidateSet& candidates,
                          PairTally& tally) const {
  Comparer comparer(documents, groups_, levels_ ? &*levels_ : nullptr, run_.verify.templates, run_.memory_bytes / 4,
                    num_threads_);
  std::vector<Compared> compared;
  uint64_t done = 0;
  if (context_.progress != nullptr) context_.progress->begin_stage("compare", "candidates", 0, candidates.size());
  while (true) {
    NEARDUP_ASSIGN(const auto block, candidates.next());
    if (block.empty()) break;
    NEARDUP_TRY(comparer.compare_all(block, compared, context_));
    for (size_t i = 0; i < block.size(); ++i) {
      const uint32_t g = block[i].better, h = block[i].worse;
      tally.add(g, h, compared[i], truth.between(g, h), weight(g, h));
    }
    done += block.size();
    if (context_.progress != nullptr) context_.progress->advance(0, done);
  }
  if (context_.progress != nullptr) context_.progress->end_stage();
  return {};
}

void Evaluator::count_equal(const evaluate::Truth& truth, PairTally& tally) const {
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    const uint64_t size = group_sizes_[g];
    if (size > 1) tally.add_equal(truth.between(g, g), size * (size - 1) / 2);
  }
}

void Evaluator::describe(const Documents& documents, const evaluate::Truth& truth, evaluate::Evaluation& out) const {
  out.recipe_name = run_.recipe.name;
  out.recipe_id = simhash::recipe_id(run_.recipe);
  out.is_judged = truth.is_judged();
  out.num_documents = documents.size();
  for (const BatchPlace& batch : documents.batches()) out.num_rejected += batch.num_rejected;
  out.num_labelled = truth.num_labelled();
  out.num_same = truth.num_same();
  out.num_different = truth.num_different();
  out.is_minhash = levels_.has_value();
  if (levels_) {
    for (size_t level = 0; level < levels_->num_levels(); ++level) out.levels.push_back(levels_->num_bands(level));
    out.standard = {levels_->standard(), kOrigin};
  } else {
    for (int k = 0; k <= widest_; ++k) out.levels.push_back(k);
    out.standard = {static_cast<size_t>(auto_distance(active_.size())), kOrigin};
  }
}

Result<evaluate::Evaluation> Evaluator::run() {
  NEARDUP_ASSIGN(const Documents documents, read());
  groups_ = group_exact(documents);
  NEARDUP_TRY(check_memory(groups_.size()));
  group_sizes_.assign(groups_.size(), 0);
  for (const uint32_t group : groups_.group_of) ++group_sizes_[group];
  active_ = groups_with_features(documents, groups_);
  NEARDUP_ASSIGN(const evaluate::Truth truth, read_truth(documents));
  NEARDUP_TRY(place_levels(documents));
  NEARDUP_TRY(create_directories(folder_.scratch()));
  NEARDUP_ASSIGN(cluster::CandidateSet candidates,
                 cluster::CandidateSet::create(folder_.scratch(), run_.memory_bytes / 4, num_threads_, groups_.size()));
  NEARDUP_TRY(join(documents, candidates));
  evaluate::Evaluation evaluation;
  describe(documents, truth, evaluation);
  PairTally tally(evaluation.levels.size(), groups_.size(), rules_, bounds_);
  count_equal(truth, tally);
  NEARDUP_TRY(compare(documents, truth, candidates, tally));
  tally.finish(groups_, truth, evaluation);
  return evaluation;
}

}  // namespace

Result<evaluate::Evaluation> evaluate_recipe(const EvaluateOptions& options, const Context& context) {
  NEARDUP_TRY(check_rule(options.run.verify, options.run.recipe));
  return Evaluator(options, context).run();
}

}  // namespace neardup::engine
