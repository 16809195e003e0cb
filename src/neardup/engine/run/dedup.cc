#include "neardup/engine/run/dedup.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>

#include "neardup/base/memory.h"
#include "neardup/base/version.h"
#include "neardup/corpus/find/data_folders.h"
#include "neardup/engine/checked_file.h"
#include "neardup/engine/match/commonness_pass.h"
#include "neardup/engine/match/given_commonness.h"
#include "neardup/engine/match/match_stage.h"
#include "neardup/engine/output_names.h"
#include "neardup/engine/read/family.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/engine/read/read_stage.h"
#include "neardup/engine/record_limits.h"
#include "neardup/engine/run/dedup_documents.h"
#include "neardup/engine/run/doubts.h"
#include "neardup/engine/run/row_fates.h"
#include "neardup/engine/run/run_identity.h"
#include "neardup/engine/run/unread_inputs.h"
#include "neardup/engine/stage_plan.h"
#include "neardup/engine/stored/insertion.h"
#include "neardup/engine/stored/run_store.h"
#include "neardup/engine/stored/stored_references.h"
#include "neardup/engine/stored/stored_texts.h"
#include "neardup/engine/write/exploration.h"
#include "neardup/engine/write/kept_files.h"
#include "neardup/engine/write/lists.h"
#include "neardup/engine/write/similarity_doubts.h"
#include "neardup/engine/write/summary.h"
#include "neardup/report/render.h"

namespace neardup::engine {
namespace {

using Clock = std::chrono::steady_clock;

// Results that matching itself writes.
constexpr const char* kPairsName = "pairs.jsonl";
constexpr const char* kCommonnessName = "commonness.bin";

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string now_utc() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

Status check_files(const DedupOptions& options) {
  if (options.inputs.empty())
    return fail(Code::kInvalidArgument, "no input; name a file, a folder, or - for standard input");
  if (options.output.empty()) return fail(Code::kInvalidArgument, "no output folder; name one with -o");
  return {};
}

Status check_options(const DedupOptions& options) {
  NEARDUP_TRY(check_distance(options));
  if (options.memory_bytes < kSmallestMemory)
    return fail(Code::kInvalidArgument, fmt::format("{} bytes of memory are too little; {} is the least",
                                                    options.memory_bytes, kSmallestMemory));
  NEARDUP_TRY(check_rule(options.verify, options.recipe));
  NEARDUP_TRY(check_commonness(options));
  NEARDUP_TRY(check_contained(options));
  const bool sharded = options.shard_index || options.merge_shards;
  if (sharded && (options.shard_count < 1 || options.shard_index.value_or(0) < 0 ||
                  options.shard_index.value_or(0) >= options.shard_count))
    return fail(Code::kInvalidArgument, "a shard is i/n with 0 <= i < n");
  return {};
}

// What was written against what was read, each counted where it happened.
Status check_nothing_lost(const Documents& documents, uint64_t num_kept, uint64_t num_removed, uint64_t num_rejected) {
  uint64_t num_read = 0;
  for (const BatchPlace& batch : documents.batches())
    if ((batch.flags & kIsReference) == 0) num_read += batch.num_documents + uint64_t{batch.num_rejected};
  if (num_kept + num_removed + num_rejected == num_read) return {};
  return fail(
      Code::kCorruption,
      fmt::format("{} kept, {} removed and {} rejected records were written, but {} were read: a fault of neardup, "
                  "please report it; the inputs are untouched",
                  num_kept, num_removed, num_rejected, num_read));
}

// What names files or says what is written has no meaning for rows.
DedupOptions for_rows(const DedupOptions& options, const std::string& folder) {
  DedupOptions result = options;
  result.output = folder;
  result.into.clear();
  result.write_pairs = result.resume = result.merge_shards = false;
  result.shard_index = {};
  result.shard_count = 0;
  return result;
}

// Near-duplicates whose text is that of another one: the first of each text was compared, and the others go with it.
uint64_t count_near_copies(const ExactGroups& groups, const Outcome& outcome) {
  uint64_t count = 0;
  for (uint32_t document = 0; document < outcome.fates.size(); ++document)
    count += outcome.fates[document].fate == Fate::kNear && groups.best[groups.group_of[document]] != document;
  return count;
}

// One run, stage by stage.
class Run {
 public:
  Run(DedupOptions options, const Context& context)
      : options_(std::move(options)), context_(context), folder_(options_.output, options_.temp) {
    options_.read.value_key = options_.keep.field;
    options_.read.context = context;
    settle_rule(options_);
    if (options_.checksum == fingerprint::Checksum::kMd5) options_.recipe.checksum = "md5";
    options_.verify.common = nullptr;  // only commonness_file names another one
  }

  Result<report::Report> run();
  // What became of each of `sources`, references first, and where each came from.
  Result<RowFates> run_rows(Sources sources, report::Report* report);

 private:
  Status load_files();
  Result<Documents> open_documents(const Sources& sources) const;
  Status open_store();
  Status read();
  Status read_stored();
  Status settle_reading();
  Result<Progressed> begin();
  Status provide_recipe();
  Status provide_learnt_idf();
  Status take_learnt_idf();
  Result<report::Report> read_shard();
  Result<report::Report> finish_run();
  Result<report::Report> report_of_complete_run() const;
  Status provide_commonness(const Documents& documents, const ExactGroups& groups);
  Result<bool> has_staged_matches() const;
  Result<uint64_t> mark_of_matches() const;
  Result<Outcome> match(const Documents& documents);
  [[nodiscard]] DedupOptions matching_options() const;
  Status publish();
  void add_stage(const char* name, Clock::time_point start, uint64_t bytes, uint64_t items);
  void fill_run_figures(report::Report& report) const;
  [[nodiscard]] Result<report::Report> report_of_rows(const Documents& documents, const Outcome& outcome) const;

  DedupOptions options_;
  Context context_;
  WorkFolder folder_;
  std::optional<FolderLock> part_lock_;  // of a shard
  Sources sources_;
  std::optional<RunStore> store_;
  std::shared_ptr<const feature::Idf> idf_;
  std::shared_ptr<const verify::Commonness> common_;
  Clock::time_point start_ = Clock::now();
  std::string started_ = now_utc();
  std::vector<report::Stage> stages_;
  ExactGroups groups_;  // from match() on
  uint64_t near_copies_ = 0;
};

// A learnt IDF is kept in the work folder: shards share it, and a resumed run needs not learn it again. One that is
// damaged, or is not the one that was learnt, is learnt anew.
Status Run::take_learnt_idf() {
  NEARDUP_ASSIGN(const std::string id, learnt_idf(folder_));
  const auto known = feature::Idf::load(folder_.idf());
  if (id.empty() || !known || (*known)->id() != id) return {};
  idf_ = *known;
  options_.recipe.idf_id = id;
  return {};
}

Status Run::provide_learnt_idf() {
  NEARDUP_TRY(take_learnt_idf());
  NEARDUP_TRY(provide_recipe());
  return keep_learnt_idf(folder_, idf_->id());
}

Status Run::provide_recipe() {
  if (idf_ != nullptr) return {};
  const auto start = Clock::now();
  NEARDUP_ASSIGN(idf_, provide_idf(options_.recipe, "", sources_.all(), options_.read,
                                   {num_batch_threads(options_), options_.memory_bytes}, context_));
  if (idf_ == nullptr) return {};
  if (options_.recipe.idf == "jieba") return {};
  NEARDUP_TRY(idf_->save(folder_.idf()));
  add_stage("learn", start, 0, idf_->num_documents());
  return {};
}

Status Run::settle_reading() {
  NEARDUP_TRY(choose_family(options_));
  options_.read = within_memory(options_.read, options_.recipe, options_.memory_bytes, num_batch_threads(options_));
  return {};
}

// Shards may begin at the same moment: one after the other looks at the folder.
Result<Progressed> Run::begin() {
  NEARDUP_ASSIGN(const FolderLock turn, FolderLock::acquire(folder_.root() + "/begin.lock", false, true));
  if (reads_standard_input(options_)) {
    NEARDUP_TRY(create_directories_durably(folder_.work()));
    NEARDUP_ASSIGN(sources_, find_sources(options_, folder_, context_));
  }
  NEARDUP_TRY(settle_reading());
  memory_plan(options_).report(MemoryPlan::reading(), context_.progress);
  if (context_.progress != nullptr) context_.progress->plan_stages(stage_plan(options_));
  NEARDUP_ASSIGN(const Progressed progressed, begin_run(options_, sources_, folder_));
  if (progressed == Progressed::kComplete) return progressed;
  NEARDUP_TRY(create_directories_durably(folder_.work()));
  if (options_.shard_index) {
    const std::string part = folder_.part(*options_.shard_index, options_.shard_count);
    NEARDUP_TRY(create_directories_durably(part));
    NEARDUP_ASSIGN(part_lock_, FolderLock::acquire(part + "/lock", false));
  }
  const bool learns = idf_ == nullptr && options_.recipe.learns_idf();
  NEARDUP_TRY(learns ? provide_learnt_idf() : provide_recipe());
  return progressed;
}

// Dictionaries of other runs.
Status Run::load_files() {
  if (!options_.idf_file.empty()) {  // which dictionary it is belongs to the identity of the run, not where it lies
    NEARDUP_ASSIGN(
        idf_, provide_idf(options_.recipe, options_.idf_file, {}, options_.read, {1, options_.memory_bytes}, context_));
  }
  if (!options_.commonness_file.empty() && common_ == nullptr) {
    NEARDUP_ASSIGN(common_, given_commonness(options_.commonness_file,
                                             MemoryPlan(options_.memory_bytes).bytes_of(MemoryUse::kGivenCommonness)));
  }
  options_.verify.common = common_.get();
  return {};
}

Result<report::Report> Run::run() {
  NEARDUP_TRY(check_files(options_));
  NEARDUP_TRY(check_options(options_));
  NEARDUP_TRY(open_store());
  if (!reads_standard_input(options_)) {  // a mistyped name must leave no folder behind
    NEARDUP_ASSIGN(sources_, find_sources(options_, folder_, context_));
  }
  NEARDUP_TRY(load_files());
  NEARDUP_TRY(create_directories_durably(folder_.root()));
  NEARDUP_ASSIGN(const FolderLock lock,
                 FolderLock::acquire(folder_.root() + "/lock", options_.shard_index.has_value()));
  NEARDUP_ASSIGN(const Progressed progressed, begin());
  if (progressed == Progressed::kComplete) {
    NEARDUP_TRY(clear_complete_run(folder_));  // it may have been stopped in doing so
    return report_of_complete_run();
  }
  if (options_.shard_index) options_.resume = true;  // parts that are there belong to this very run
  if (options_.shard_index) return read_shard();
  if (!options_.merge_shards) NEARDUP_TRY(read());
  NEARDUP_TRY(read_stored());
  return finish_run();
}

Status Run::open_store() {
  NEARDUP_ASSIGN(store_, open_run_store(options_, context_));
  if (!store_ || store_->texts == nullptr) return {};
  common_ = store_->texts->matcher().common;
  return check_options(options_);
}

// After the inputs, reads those documents of the store that the inputs repeat.
Status Run::read_stored() {
  if (!store_ || store_->texts == nullptr) return {};
  const auto start = Clock::now();
  Sources files = sources_;
  files.store.reset();
  NEARDUP_ASSIGN(const Documents documents, open_documents(files));
  NEARDUP_TRY(read_stored_references(*store_, documents, static_cast<uint32_t>(documents.num_inputs()), options_,
                                     folder_, context_));
  add_stage("store", start, 0, documents.size());
  return {};
}

Status Run::read() {
  const auto start = Clock::now();
  NEARDUP_TRY(read_part(sources_, options_, idf_, folder_, 0, 1, context_));
  add_stage("read", start, 0, 0);
  return {};
}

Result<report::Report> Run::read_shard() {
  const std::string part = folder_.part(*options_.shard_index, options_.shard_count);
  const auto start = Clock::now();
  NEARDUP_TRY(read_part(sources_, options_, idf_, folder_, *options_.shard_index, options_.shard_count, context_));
  NEARDUP_ASSIGN(const Checkpoint checkpoint, load_checkpoint(part));
  add_stage("read", start, 0, checkpoint.num_documents);
  report::Report report;
  report.total.name = fmt::format("shard {}/{}", *options_.shard_index, options_.shard_count);
  report.total.read = checkpoint.num_documents;
  fill_run_figures(report);
  return report;
}

// What n-grams are common is learnt from what was read, or is that of another run. It stays beside the results.
Status Run::provide_commonness(const Documents& documents, const ExactGroups& groups) {
  if (options_.verify.kind != verify::Rule::Kind::kContent) return {};
  const auto start = Clock::now();
  if (common_ == nullptr) {
    NEARDUP_ASSIGN(common_, learn_commonness(documents, groups, options_.recipe, options_.memory_bytes,
                                             resolve_num_threads(options_.num_threads), folder_.scratch(), context_));
  }
  options_.verify.common = common_.get();
  NEARDUP_TRY(common_->save(folder_.staged() + "/" + kCommonnessName));
  add_stage("learn", start, 0, common_->num_texts());
  return {};
}

// A stop between publish() and the end of the run leaves the outcome, but has moved the files that belong to it.
Result<bool> Run::has_staged_matches() const {
  NEARDUP_ASSIGN(const bool has_pairs, file_exists(folder_.staged() + "/" + kPairsName));
  NEARDUP_ASSIGN(const bool has_commonness, file_exists(folder_.staged() + "/" + kCommonnessName));
  return (!options_.write_pairs || has_pairs) &&
         (options_.verify.kind != verify::Rule::Kind::kContent || has_commonness);
}

// Stands for the run, and for the files that matching has written: an outcome is used again with these alone.
Result<uint64_t> Run::mark_of_matches() const {
  FileMark pairs, commonness;
  if (options_.write_pairs) {
    NEARDUP_ASSIGN(pairs, mark_of_file(folder_.staged() + "/" + kPairsName));
  }
  if (options_.verify.kind == verify::Rule::Kind::kContent) {
    NEARDUP_ASSIGN(commonness, mark_of_file(folder_.staged() + "/" + kCommonnessName));
  }
  const auto& [reading, deciding] = folder_.run();
  const std::array all{reading, deciding, pairs.size_bytes, pairs.checksum, commonness.size_bytes, commonness.checksum};
  return hash64(bytes_of(all));
}

// What an open store keeps in memory is none of theirs; results do not depend on it.
DedupOptions Run::matching_options() const {
  DedupOptions options = options_;
  if (store_) options.memory_bytes -= std::min(store_->size_bytes(), options.memory_bytes / 2);
  return options;
}

Result<Outcome> Run::match(const Documents& documents) {
  const std::string pairs = folder_.staged() + "/" + kPairsName;
  NEARDUP_ASSIGN(const bool is_staged, has_staged_matches());
  if (is_staged) {
    auto known = load_outcome(folder_.outcome());
    NEARDUP_ASSIGN(const uint64_t of, mark_of_matches());
    if (known && known->of == of && known->fates.size() == documents.size()) {
      groups_ = group_exact(documents);
      near_copies_ = count_near_copies(groups_, *known);
      return known;
    }
  }
  auto start = Clock::now();
  groups_ = group_exact(documents);
  add_stage("exact", start, 0, documents.size());
  NEARDUP_TRY(provide_commonness(documents, groups_));
  start = Clock::now();
  NEARDUP_ASSIGN(Outcome outcome, match_documents(documents, groups_, matching_options(), folder_, pairs, context_));
  add_stage("match", start, 0, outcome.num_candidates);
  near_copies_ = count_near_copies(groups_, outcome);
  if (store_ && store_->takes_kept) keep_stored_inputs(documents, outcome);
  NEARDUP_TRY(remove_all(folder_.scratch()));
  NEARDUP_ASSIGN(outcome.of, mark_of_matches());
  NEARDUP_TRY(save_outcome(folder_.outcome(), outcome));
  return outcome;
}

Result<Documents> Run::open_documents(const Sources& sources) const {
  const int num_parts = options_.merge_shards ? options_.shard_count : 1;
  NEARDUP_ASSIGN(Documents documents, Documents::open(folder_, num_parts, options_.recipe.num_fingerprints(),
                                                      options_.recipe.num_signature_values(), sources));
  if (!verify::looks_at_characters(options_.verify)) documents.ignore_short_texts();
  NEARDUP_TRY(create_directories(folder_.staged()));
  return documents;
}

Result<report::Report> Run::finish_run() {
  NEARDUP_ASSIGN(const Documents documents, open_documents(sources_));
  NEARDUP_ASSIGN(const Outcome outcome, match(documents));
  const auto start = Clock::now();
  const Clusters clusters(outcome.fates);
  const ShownDocuments shown = choose_shown(outcome, clusters, options_.verify);
  const std::vector<uint32_t> wanted = shown.documents(outcome, clusters);
  NEARDUP_ASSIGN(KeptFiles kept,
                 write_kept(documents, outcome, clusters, sources_, options_, wanted, folder_.staged(), context_));
  NEARDUP_ASSIGN(const uint64_t num_removed,
                 write_duplicates(documents, outcome, clusters, folder_.staged() + "/duplicates.jsonl", context_));
  NEARDUP_TRY(write_clusters(documents, clusters, folder_.staged() + "/clusters.jsonl", context_));
  NEARDUP_ASSIGN(const uint64_t num_rejected,
                 write_rejected(documents, folder_.stdin_copy(), folder_.staged() + "/rejected.jsonl"));
  NEARDUP_TRY(check_nothing_lost(documents, kept.num_kept, num_removed, num_rejected));
  if (store_) NEARDUP_TRY(add_stored_texts(*store_, documents, wanted, options_.recipe, kept.shown));
  NEARDUP_ASSIGN(report::Report report, summarize(documents, outcome, clusters, shown, kept.shown, options_));
  report.exploration = explore(documents, groups_, outcome, clusters, shown, report.by_input, options_);
  groups_ = {};
  const std::vector<uint32_t> stays = store_ ? kept_inputs(documents, outcome) : std::vector<uint32_t>();
  if (store_) {
    NEARDUP_ASSIGN(report.store, count_use(*store_, documents, stays));
  }
  NEARDUP_ASSIGN(report.warnings, unread_inputs(documents));
  for (const auto* inputs : {&sources_.inputs, &sources_.references})
    for (std::string& warning : corpus::warnings_of(*inputs)) report.warnings.push_back(std::move(warning));
  const auto signs = doubts(documents, sources_, options_);
  report.warnings.insert(report.warnings.end(), signs.begin(), signs.end());
  report.num_near_copies = near_copies_;
  NEARDUP_ASSIGN(const auto doubtful, similarity_doubts(documents, outcome, clusters, shown, options_));
  report.warnings.insert(report.warnings.end(), doubtful.begin(), doubtful.end());
  add_stage("write", start, report.total.bytes_read, report.total.read);
  for (report::Stage& stage : stages_)
    if (stage.name == "read") stage = {stage.name, stage.seconds, report.total.bytes_read, documents.size()};
  fill_run_figures(report);
  NEARDUP_TRY(write_file_atomically(folder_.staged() + "/report.json", report::to_json(report)));
  NEARDUP_TRY(write_file_atomically(folder_.staged() + "/report.html", report::to_html(report)));
  NEARDUP_TRY(publish());
  if (store_ && store_->takes_kept) NEARDUP_TRY(insert_kept(*store_, documents, stays, options_, context_));
  NEARDUP_TRY(complete_run(folder_, report.total));
  return report;
}

// The texts are where the rows are.
Result<report::Report> Run::report_of_rows(const Documents& documents, const Outcome& outcome) const {
  const Clusters clusters(outcome.fates);
  const ShownDocuments shown = choose_shown(outcome, clusters, options_.verify);
  ShownTexts texts;
  for (const uint32_t document : shown.documents(outcome, clusters)) {
    const corpus::Rows& rows = *documents.input(documents.row(document).input).rows;
    corpus::Arena room;
    const corpus::TextRow row = rows.row(row_of_document(documents, document), room);
    texts.emplace(document, shown_beginning(options_.recipe, row.text));
  }
  NEARDUP_ASSIGN(report::Report report, summarize(documents, outcome, clusters, shown, texts, options_));
  report.exploration = explore(documents, groups_, outcome, clusters, shown, report.by_input, options_);
  report.has_files = false;
  report.num_near_copies = near_copies_;
  for (report::PairExample& example : report.examples) example.command.clear();  // no file has them
  fill_run_figures(report);
  return report;
}

Result<RowFates> Run::run_rows(Sources sources, report::Report* report) {
  NEARDUP_TRY(check_options(options_));
  sources_ = std::move(sources);
  NEARDUP_TRY(load_files());
  NEARDUP_TRY(create_directories(folder_.root()));
  NEARDUP_TRY(settle_reading());
  NEARDUP_TRY(provide_recipe());
  NEARDUP_TRY(read());
  NEARDUP_ASSIGN(const Documents documents, open_documents(sources_));
  NEARDUP_ASSIGN(const Outcome outcome, match(documents));
  if (report != nullptr) {
    NEARDUP_ASSIGN(*report, report_of_rows(documents, outcome));
  }
  return fates_of_rows(documents, outcome, sources_.inputs.front().rows->size());
}

// Moves the results to their place. A stop in between leaves them for the next --resume, which stages them anew.
Status Run::publish() {
  for (const std::string& name : output_names()) {
    const std::string from = folder_.staged() + "/" + name, to = folder_.output() + "/" + name;
    NEARDUP_TRY(remove_all(to));  // also what only an overwritten run wrote
    NEARDUP_ASSIGN(const bool is_staged, file_exists(from));
    if (!is_staged) continue;
    NEARDUP_TRY(move_path(from, to));
    NEARDUP_ASSIGN(const FileInfo info, file_info(to));
    if (info.is_directory) NEARDUP_TRY(sync_folders(to));
  }
  return sync_folder(folder_.output());  // before run.json says that they are there
}

Result<report::Report> Run::report_of_complete_run() const {
  report::Report report;
  NEARDUP_ASSIGN(report.total, completed_total(folder_));
  report.warnings.push_back("this run was complete already: nothing was done");
  fill_run_figures(report);
  return report;
}

void Run::add_stage(const char* name, Clock::time_point start, uint64_t bytes, uint64_t items) {
  stages_.push_back({name, seconds_since(start), bytes, items});
}

void Run::fill_run_figures(report::Report& report) const {
  report.version = kVersion;
  report.command = options_.command;
  report.started = started_;
  report.stages = stages_;
  report.seconds = seconds_since(start_);
  report.peak_memory_bytes = peak_memory_bytes();
  report.num_threads = resolve_num_threads(options_.num_threads);
}

}  // namespace

Result<report::Report> dedup(const DedupOptions& options, const Context& context) {
  return Run(options, context).run();
}

Result<RowFates> dedup_documents(const corpus::Rows& rows, const corpus::Rows* references, const DedupOptions& options,
                                 const Context& context, const std::string& work_folder, report::Report* report) {
  NEARDUP_ASSIGN(const TemporaryFolder folder, TemporaryFolder::create(work_folder + "/neardup-"));
  Sources sources;
  if (references != nullptr) sources.references.push_back(corpus::input_of_rows(*references, "references"));
  sources.inputs.push_back(corpus::input_of_rows(rows, "rows"));
  return Run(for_rows(options, folder.path()), context).run_rows(std::move(sources), report);
}

}  // namespace neardup::engine
