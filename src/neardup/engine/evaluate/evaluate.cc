#include "neardup/engine/evaluate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/per_thread.h"
#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/cluster/candidates.h"
#include "neardup/corpus/find/data_folders.h"
#include "neardup/engine/evaluate/band_levels.h"
#include "neardup/engine/evaluate/comparer.h"
#include "neardup/engine/evaluate/labels.h"
#include "neardup/engine/evaluate/pair_tally.h"
#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/candidate_joins.h"
#include "neardup/engine/match/candidate_layer.h"
#include "neardup/engine/match/code_frames.h"
#include "neardup/engine/match/commonness_pass.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/pair_filter.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/engine/read/family.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/engine/read/read_stage.h"
#include "neardup/engine/record_limits.h"
#include "neardup/evaluate/label_line.h"

namespace neardup::engine {
namespace {

constexpr size_t kMostAskedRules = 32;               // with those that are always looked at no more than kMostRules
constexpr uint64_t kLeastFree = uint64_t{16} << 20;  // for joins, candidates and sets

class Evaluator {
 public:
  Evaluator(const EvaluateOptions& options, const Context& context)
      : options_(options),
        run_(options.run),
        context_(context),
        folder_(run_.output),
        num_threads_(resolve_num_threads(run_.num_threads)),
        rules_() {
    settle_rule(run_);
    rules_ = evaluated_rules(standard_rule(), run_.verify.templates, options.asked);
    if (options_.labels_file.empty()) run_.read.group_key = options_.cluster_key;
    run_.groups = {
        .num_values = ~uint64_t{0},
        .memory_bytes = MemoryPlan(run_.memory_bytes).bytes_of(MemoryUse::kGroupValues)};  // labels: each one counts
  }

  Result<evaluate::Evaluation> run();

 private:
  [[nodiscard]] bool is_code() const { return run_.recipe.tokenizer == "code"; }
  /// Returns what dedup takes by itself.
  [[nodiscard]] verify::Rule standard_rule() const {
    return is_code() ? verify::Rule{verify::Rule::Kind::kCode} : verify::Rule{};
  }
  [[nodiscard]] Result<Sources> sources() const;
  Result<Documents> read();
  Status provide_commonness(const Documents& documents);
  Result<evaluate::Truth> read_truth(const Documents& documents);
  Result<evaluate::Truth> read_pairs(const Documents& documents);
  Status hold(const Documents& documents);
  [[nodiscard]] uint64_t tally_bytes() const { return PairTally::kBytesPerVertex * rules_.size() * groups_.size(); }
  [[nodiscard]] uint64_t sample_bytes() const {
    constexpr uint64_t kBytesPerUnit = 16;
    return evaluate::Outcomes::kMostUnits * kBytesPerUnit * (fingerprint::kMaxDistance + 1) * rules_.size();
  }
  [[nodiscard]] uint64_t free_bytes() const { return run_.memory_bytes - held_bytes_; }
  [[nodiscard]] uint64_t share(MemoryUse use) const { return MemoryPlan(free_bytes()).bytes_of(use); }
  Status place_levels(const Documents& documents);
  Status make_decisions(const Documents& documents);
  Result<cluster::CandidateSet> candidate_set(const std::string& name, uint64_t memory_bytes) const;
  CandidateSink add_to(const Documents& documents, cluster::CandidateSet& candidates) const;
  Status join(const Documents& documents, cluster::CandidateSet& candidates) const;
  Status join_short(const Documents& documents, const ShortTexts& texts, cluster::CandidateSet& candidates) const;
  JoinSettings join_settings() const;
  Status compare(const Documents& documents, const ShortTexts& texts, cluster::CandidateSet& candidates,
                 PairTally& tally) const;
  Status compare_short(const ShortTexts& texts, cluster::CandidateSet& candidates, PairTally& tally) const;
  void count_equal(PairTally& tally) const;
  [[nodiscard]] size_t number_of(const verify::Rule& rule) const {
    return static_cast<size_t>(std::ranges::find(rules_, verify::to_string(rule), &verify::to_string) - rules_.begin());
  }
  [[nodiscard]] uint64_t weight(uint32_t g, uint32_t h) const { return uint64_t{group_sizes_[g]} * group_sizes_[h]; }
  void describe(const Documents& documents, const evaluate::Truth& truth, evaluate::Evaluation& out) const;

  const EvaluateOptions& options_;
  DedupOptions run_;
  const Context& context_;
  WorkFolder folder_;
  int num_threads_;
  std::vector<verify::Rule> rules_;
  std::shared_ptr<const verify::Commonness> common_;
  ExactGroups groups_;
  std::vector<uint32_t> group_sizes_;
  uint64_t held_bytes_ = 0;           // documents, labels, trees: whatever else there is room for
  std::vector<uint32_t> active_;      // groups with fingerprints, ascending
  int widest_ = 0;                    // distance of SimHash
  std::optional<BandLevels> levels_;  // of MinHash
  std::vector<Decision> decisions_;   // by rule
  LabelledPairs labelled_;            // what their file says of itself; without the pairs
};

Result<Sources> Evaluator::sources() const {
  if (options_.rows == nullptr) {
    NEARDUP_ASSIGN(Sources sources, find_sources(run_, folder_, context_));
    for (const std::string& warning : corpus::warnings_of(sources.inputs))
      if (context_.progress != nullptr) context_.progress->warn(warning);
    return sources;
  }
  return Sources{.references = {}, .inputs = {corpus::input_of_rows(*options_.rows, "rows")}, .store = {}};
}

Result<Documents> Evaluator::read() {
  NEARDUP_TRY(create_directories(folder_.root()));
  NEARDUP_ASSIGN(const Sources sources, this->sources());
  NEARDUP_TRY(choose_family(run_));
  run_.read = within_memory(run_.read, run_.recipe, run_.memory_bytes, num_batch_threads(run_));
  NEARDUP_ASSIGN(const auto idf, provide_idf(run_.recipe, run_.idf_file, sources.all(), run_.read,
                                             {num_batch_threads(run_), run_.memory_bytes}, context_));
  NEARDUP_TRY(read_part(sources, run_, idf, folder_, 0, 1, context_));
  return Documents::open(folder_, 1, run_.recipe.num_fingerprints(), run_.recipe.num_signature_values(), sources);
}

// As dedup learns it.
Status Evaluator::provide_commonness(const Documents& documents) {
  const auto weighs = [](const verify::Rule& rule) { return rule.kind == verify::Rule::Kind::kContent; };
  if (std::ranges::none_of(rules_, weighs)) return {};
  NEARDUP_ASSIGN(common_, learn_commonness(documents, groups_, run_.recipe, run_.memory_bytes, num_threads_,
                                           folder_.scratch(), context_));
  for (verify::Rule& rule : rules_) rule.common = common_.get();
  return {};
}

Result<evaluate::Truth> Evaluator::read_truth(const Documents& documents) {
  if (documents.size() < 2)
    return fail(Code::kInvalidArgument,
                fmt::format("there is nothing to compare among {} documents; --text-key names the field that holds the "
                            "text",
                            documents.size()));
  if (options_.labels_file.empty()) {
    NEARDUP_ASSIGN(auto labels, labels_by_field(documents, options_.cluster_key));
    return evaluate::Truth::from_clusters(std::move(labels), groups_.group_of, groups_.size());
  }
  return read_pairs(documents);
}

Result<evaluate::Truth> Evaluator::read_pairs(const Documents& documents) {
  const LabelOptions options{options_.least_similarity, options_.duplicate_from, options_.stratum_key};
  const uint64_t most_pairs = (free_bytes() - kLeastFree) / kBytesPerLabelledPair;
  NEARDUP_ASSIGN(LabelledPairs labelled,
                 read_labelled_pairs(options_.labels_file, options, most_pairs, documents, context_));
  held_bytes_ += labelled.pairs.size() * kBytesPerKeptPair;
  auto truth =
      evaluate::Truth::from_pairs(std::move(labelled.pairs), labelled.is_judged, groups_.group_of, groups_.size());
  if (!truth) return fail(truth.error().code, fmt::format("{}: {}", options_.labels_file, truth.error().message));
  labelled_ = std::move(labelled);
  return truth;
}

// Counts what is held all the time: groups and labels of documents, the Rand index, the trees, the values of the field
// of the labels.
Status Evaluator::hold(const Documents& documents) {
  constexpr uint64_t kBytesPerDocument = 64 + 16 + 92;
  held_bytes_ = (uint64_t{16} << 20) + sample_bytes() + kBytesPerDocument * documents.size() + tally_bytes() +
                documents.group_values_bytes() + (common_ == nullptr ? 0 : common_->size_bytes());
  const uint64_t needed = held_bytes_ + kLeastFree;
  if (needed <= run_.memory_bytes) return {};
  return fail(Code::kMemory, fmt::format("evaluating {} documents takes at least {} MiB, --memory allows {} MiB; raise "
                                         "it, or evaluate a sample with all members of its clusters",
                                         documents.size(), (needed >> 20) + 1, run_.memory_bytes >> 20));
}

Result<cluster::CandidateSet> Evaluator::candidate_set(const std::string& name, uint64_t memory_bytes) const {
  const std::string folder = folder_.scratch() + "/" + name;
  NEARDUP_TRY(create_directories(folder));
  return cluster::CandidateSet::create(folder, memory_bytes, num_threads_, groups_.size());
}

// Pairs that --within or --size-within keeps apart are no candidates.
CandidateSink Evaluator::add_to(const Documents& documents, cluster::CandidateSet& candidates) const {
  return [this, &documents, &candidates](std::span<const cluster::Candidate> pairs, int thread) -> Status {
    static PerThread<std::vector<cluster::Candidate>> buffers;
    std::vector<cluster::Candidate>& compared = buffers.get();
    compared.clear();
    for (const cluster::Candidate& pair : pairs)
      if (may_be_compared(documents, groups_, decisions_.front(), pair.better, pair.worse)) compared.push_back(pair);
    return candidates.add(compared, thread);
  };
}

// The trees are not there yet, which is more than a join takes for each row at the least.
JoinSettings Evaluator::join_settings() const {
  return {.num_threads = num_threads_,
          .memory_bytes = tally_bytes() + share(MemoryUse::kEvaluatedJoin),
          .joined = nullptr,
          .context = context_};
}

Status Evaluator::join(const Documents& documents, cluster::CandidateSet& candidates) const {
  CandidateJoins joins(documents, groups_, nullptr, join_settings(), add_to(documents, candidates));
  const auto layer = levels_ ? banded_layer({levels_->source(), active_, levels_->rule(), false})
                             : fingerprint_layer(active_, run_.recipe.num_fingerprints(), widest_);
  NEARDUP_TRY(layer->join(joins));
  return candidates.finish();
}

Status Evaluator::join_short(const Documents& documents, const ShortTexts& texts,
                             cluster::CandidateSet& candidates) const {
  const SignatureLayer layer = short_text_layer(texts, decisions_.front().band_rule(PairRoute::kCharacters));
  CandidateJoins joins(documents, groups_, &texts, join_settings(), add_to(documents, candidates));
  NEARDUP_TRY(joins.join_signatures(layer));
  return candidates.finish();
}

// Finds out what the levels are.
Status Evaluator::place_levels(const Documents& documents) {
  widest_ = std::max(options_.max_distance, auto_distance(active_.size()));
  if (run_.recipe.family == recipe::Family::kSimHash) return {};
  NEARDUP_ASSIGN(levels_, BandLevels::create(run_.recipe.minhash,
                                             signatures_of(documents, groups_, active_, run_.recipe.minhash.num_values),
                                             active_, share(MemoryUse::kBandLevels)));
  return {};
}

// What dedup decides by each rule.
Status Evaluator::make_decisions(const Documents& documents) {
  std::vector<uint32_t> common;
  if (is_code()) {
    NEARDUP_ASSIGN(common, common_code(documents, groups_, active_));
  }
  for (const verify::Rule& rule : rules_) {
    NEARDUP_ASSIGN(Decision decision, Decision::create(run_.recipe, rule, {widest_, run_.size_within}));
    if (rule.kind == verify::Rule::Kind::kCode) decision.leave_out(common);
    decisions_.push_back(std::move(decision));
  }
  return {};
}

Status Evaluator::compare(const Documents& documents, const ShortTexts& texts, cluster::CandidateSet& candidates,
                          PairTally& tally) const {
  Comparer comparer(documents, groups_, levels_ ? &*levels_ : nullptr, decisions_, MemoryPlan(free_bytes()),
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
      tally.add(g, h, compared[i], texts.contains(g) && texts.contains(h), weight(g, h));
    }
    done += block.size();
    if (context_.progress != nullptr) context_.progress->advance(0, done);
  }
  if (context_.progress != nullptr) context_.progress->end_stage();
  return {};
}

Status Evaluator::compare_short(const ShortTexts& texts, cluster::CandidateSet& candidates, PairTally& tally) const {
  constexpr size_t kChunk = 256;
  std::vector<uint8_t> similar;
  while (true) {
    NEARDUP_ASSIGN(const auto block, candidates.next());
    if (block.empty()) return {};
    similar.assign(block.size(), 0);
    NEARDUP_TRY(parallel_for(num_threads_, (block.size() + kChunk - 1) / kChunk, [&](size_t chunk, int) -> Status {
      NEARDUP_TRY(context_.check_cancel());
      for (size_t i = chunk * kChunk; i < std::min(block.size(), (chunk + 1) * kChunk); ++i) {
        for (const auto kind : {verify::Rule::Kind::kContent, verify::Rule::Kind::kOrigin}) {
          NEARDUP_ASSIGN(const auto verdict, texts.compare({kind}, block[i].better, block[i].worse, false));
          if (verdict.similar) similar[i] |= PairTally::bit_of(kind);
        }
      }
      return {};
    }));
    for (size_t i = 0; i < block.size(); ++i)
      tally.add_short(block[i].better, block[i].worse, similar[i], weight(block[i].better, block[i].worse));
  }
}

void Evaluator::count_equal(PairTally& tally) const {
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    const uint64_t size = group_sizes_[g];
    if (size > 1) tally.add_equal(g, size * (size - 1) / 2);
  }
}

void Evaluator::describe(const Documents& documents, const evaluate::Truth& truth, evaluate::Evaluation& out) const {
  out.recipe_name = run_.recipe.name;
  out.recipe_id = recipe::recipe_id(run_.recipe);
  out.is_judged = truth.is_judged();
  out.num_documents = documents.size();
  for (const BatchPlace& batch : documents.batches()) out.num_rejected += batch.num_rejected;
  out.num_labelled = truth.num_labelled();
  out.num_same = truth.num_same();
  out.num_different = truth.num_different();
  out.strata = labelled_.strata;
  out.is_graded = labelled_.is_graded;
  out.is_weighted = labelled_.is_weighted;
  out.duplicate_from = options_.duplicate_from;
  out.is_minhash = levels_.has_value();
  if (levels_) {
    for (size_t level = 0; level < levels_->num_levels(); ++level) out.levels.push_back(levels_->num_bands(level));
    out.standard = {levels_->standard(), number_of(standard_rule())};
  } else {
    for (int k = 0; k <= widest_; ++k) out.levels.push_back(k);
    out.standard = {static_cast<size_t>(auto_distance(active_.size())), number_of(standard_rule())};
  }
  for (const verify::Rule& rule : options_.asked) out.asked.push_back({out.standard.level, number_of(rule)});
}

Result<evaluate::Evaluation> Evaluator::run() {
  NEARDUP_ASSIGN(const Documents documents, read());
  groups_ = group_exact(documents);
  NEARDUP_TRY(provide_commonness(documents));
  NEARDUP_TRY(hold(documents));
  group_sizes_.assign(groups_.size(), 0);
  for (const uint32_t group : groups_.group_of) ++group_sizes_[group];
  active_ = groups_with_features(documents, groups_);
  NEARDUP_ASSIGN(const evaluate::Truth truth, read_truth(documents));
  MemoryPlan(free_bytes()).report(MemoryPlan::evaluating(), context_.progress);
  NEARDUP_TRY(place_levels(documents));
  NEARDUP_TRY(make_decisions(documents));
  ShortTexts texts(documents, groups_, active_);
  NEARDUP_TRY(texts.load(share(MemoryUse::kShortTexts)));
  NEARDUP_ASSIGN(cluster::CandidateSet short_pairs, candidate_set("short", share(MemoryUse::kShortCandidates)));
  NEARDUP_TRY(join_short(documents, texts, short_pairs));
  NEARDUP_ASSIGN(cluster::CandidateSet candidates, candidate_set("all", share(MemoryUse::kEvaluatedPairs)));
  NEARDUP_TRY(join(documents, candidates));
  evaluate::Evaluation evaluation;
  describe(documents, truth, evaluation);
  PairTally tally(evaluation.levels.size(), groups_, truth, decisions_);
  count_equal(tally);
  NEARDUP_TRY(compare_short(texts, short_pairs, tally));
  NEARDUP_TRY(compare(documents, texts, candidates, tally));
  tally.finish(evaluation);
  return evaluation;
}

Status check_ranges(const EvaluateOptions& options) {
  NEARDUP_TRY(check_share("--least-similarity", options.least_similarity));
  NEARDUP_TRY(check_share("--size-within", options.run.size_within.value_or(0)));
  if (options.duplicate_from >= 1 && options.duplicate_from <= evaluate::kHighestGrade) return {};
  return fail(Code::kInvalidArgument, fmt::format("--duplicate-from is a label from 1 to {}, not {}",
                                                  evaluate::kHighestGrade, options.duplicate_from));
}

// As in dedup, a distance asks for the family that has one.
Status settle_distance(EvaluateOptions& options) {
  if (!options.run.distance) return {};
  NEARDUP_TRY(check_distance(options.run));
  if (options.run.family == FamilyChoice::kMinHash)
    return fail(Code::kInvalidArgument,
                "--distance counts bits of SimHash fingerprints; leave it out, or take --family simhash");
  options.max_distance = *options.run.distance;
  options.run.family = FamilyChoice::kSimHash;
  options.run.distance = {};
  return {};
}

}  // namespace

Result<evaluate::Evaluation> evaluate_recipe(const EvaluateOptions& given, const Context& context) {
  EvaluateOptions options = given;
  NEARDUP_TRY(check_ranges(options));
  NEARDUP_TRY(settle_distance(options));
  const verify::Rule templates{.kind = verify::Rule::Kind::kOrigin, .templates = options.run.verify.templates};
  NEARDUP_TRY(check_rule(templates, options.run.recipe));
  for (const verify::Rule& rule : options.asked) NEARDUP_TRY(check_rule(rule, options.run.recipe));
  if (options.asked.size() > kMostAskedRules)
    return fail(Code::kInvalidArgument,
                fmt::format("--verify can be given {} times, found {}", kMostAskedRules, options.asked.size()));
  NEARDUP_ASSIGN(evaluate::Evaluation done, Evaluator(options, context).run());
  if (done.num_rejected > 0 && context.progress != nullptr)
    context.progress->warn(
        fmt::format("{} records were rejected; neardup dedup on the same input says why", done.num_rejected));
  return done;
}

}  // namespace neardup::engine
