// Batches are begun in the order of the inputs, worked on by any thread, and committed in order again: so the part's
// files are the same for any number of threads, and a run that goes on only has to pass over as many batches as its
// checkpoint says. Checkpoints come every few seconds and when a run is cancelled; an error leaves the last one.
// docs/design/shards_and_resume.md.
#include "neardup/engine/read/read_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "neardup/engine/read/disk_need.h"
#include "neardup/engine/read/document_pipeline.h"
#include "neardup/engine/read/part.h"
#include "neardup/engine/stage_plan.h"

namespace neardup::engine {
namespace {

constexpr auto kCheckpointEvery = std::chrono::seconds(5);
constexpr uint64_t kToldAfterShare = 64;  // one part of so many of the inputs
constexpr int kCheckpointShare = 20;      // a slow disk makes them rarer: of the time at most a twentieth waits for it

void append_unread(std::string& json, const corpus::Unread& unread) {
  json += ",\"unread_bytes\":" + std::to_string(unread.text_bytes);
  if (unread.packed_bytes > 0) json += ",\"unread_packed_bytes\":" + std::to_string(unread.packed_bytes);
  if (unread.num_lines > 0) json += ",\"unread_lines\":" + std::to_string(unread.num_lines);
}

void append_rejection(std::string& out, const corpus::Rejection& rejection, uint32_t input, uint32_t flags) {
  std::string json = rejection.reason;
  json += "\"reason\":";
  append_json_string(json, rejection.reason);
  json += ",\"message\":";
  append_json_string(json, rejection.message);
  json += ",\"excerpt\":";
  append_json_string(json, rejection.excerpt);
  if (rejection.unread) {
    flags |= kHasUnread;
    append_unread(json, *rejection.unread);
  }
  const RejectedRow row{.batch = 0,
                        .line = static_cast<uint32_t>(rejection.line),
                        .input = input,
                        .reason_bytes = static_cast<uint32_t>(rejection.reason.size()),
                        .size_bytes = static_cast<uint32_t>(json.size()),
                        .flags = flags};
  out.append(bytes_of_one(row));
  out += json;
}

// Documents of other values are not compared: their checksums differ, too.
void keep_within(Row& row, std::string_view value) {
  row.within = hash64(value);
  row.checksum = fold_within(row.checksum, row.within);
}

// One slot of the pipeline: a batch on its way from the reader to the part.
struct ReadSlot {
  corpus::Batch batch;
  bool is_reference = false;
  uint64_t bytes = 0;
  PartBatch result;
  std::string first_rejection;  // for --strict
};

class PartReader {
 public:
  PartReader(const Sources& sources, const DedupOptions& options, const WorkFolder& folder, PartWriter writer,
             const Context& context)
      : sources_(sources), options_(options), folder_(folder), writer_(std::move(writer)), context_(context) {}

  Status open(const std::shared_ptr<const feature::Idf>& idf, int shard, int num_shards);
  Status run();

 private:
  Status skip_done_batches();
  void begin_stage(uint64_t total_bytes);
  Result<bool> next(ReadSlot& slot);
  [[nodiscard]] const corpus::Reader& reader_of(const ReadSlot& slot) const;
  Status load(ReadSlot& slot);
  Status finish(ReadSlot& slot);
  Status commit(ReadSlot& slot);
  Status checkpoint_in_time();
  void tell_disk_need();
  void add_document(const corpus::Document& document, ReadSlot& slot,
                    const recipe::TextFingerprint& text_fingerprint) const;

  const Sources& sources_;
  const DedupOptions& options_;
  const WorkFolder& folder_;
  PartWriter writer_;
  const Context& context_;
  std::optional<corpus::Reader> references_;
  std::optional<corpus::Reader> inputs_;
  bool in_references_ = false;
  std::optional<DocumentPipeline<ReadSlot>> pipeline_;
  uint64_t done_bytes_ = 0;                       // by this run
  uint64_t skipped_bytes_ = 0, done_before_ = 0;  // bytes and documents that an earlier run has read
  uint64_t left_bytes_ = 0, written_bytes_ = 0;   // of inputs for this run; of work files by this run
  bool told_disk_need_ = false;
  std::optional<uint64_t>
      lines_before_;  // of the input before the next batch; not known where a shard begins inside it
  std::chrono::steady_clock::time_point next_checkpoint_ = std::chrono::steady_clock::now() + kCheckpointEvery;
};

Status PartReader::open(const std::shared_ptr<const feature::Idf>& idf, int shard, int num_shards) {
  NEARDUP_ASSIGN(inputs_, corpus::Reader::open(sources_.inputs, options_.read));
  inputs_->set_shard(shard, num_shards);
  uint64_t total_bytes = inputs_->total_bytes();
  if (shard == 0 && !sources_.references.empty()) {
    NEARDUP_ASSIGN(references_, corpus::Reader::open(sources_.references, options_.read));
    in_references_ = true;
    total_bytes += references_->total_bytes();
  }
  const int num_threads = num_batch_threads(options_);
  NEARDUP_ASSIGN(pipeline_, DocumentPipeline<ReadSlot>::create(options_.recipe, idf, options_.read.record_memory,
                                                               num_threads, static_cast<size_t>(num_threads) + 2));
  NEARDUP_TRY(skip_done_batches());
  done_before_ = writer_.num_documents();
  begin_stage(total_bytes);
  return {};
}

// Of what is left, so that rate and time left are those of this run.
void PartReader::begin_stage(uint64_t total_bytes) {
  Progress* progress = context_.progress;
  left_bytes_ = total_bytes - std::min(total_bytes, skipped_bytes_);
  if (progress == nullptr) return;
  if (left_bytes_ < total_bytes)
    progress->plan_stages(stage_plan(options_, static_cast<double>(left_bytes_) / static_cast<double>(total_bytes)));
  progress->begin_stage("read", "documents", left_bytes_, 0);
}

// What an earlier run has read needs no reading again, but compressed inputs are decompressed up to there.
Status PartReader::skip_done_batches() {
  if (writer_.num_batches() == 0) return {};
  if (context_.progress != nullptr) context_.progress->begin_stage("skip", "batches", 0, writer_.num_batches());
  ReadSlot slot;
  for (uint64_t i = 0; i < writer_.num_batches(); ++i) {
    NEARDUP_TRY(context_.check_cancel());
    NEARDUP_ASSIGN(const bool more, next(slot));
    if (!more)
      return fail(Code::kMismatch, "the inputs have fewer batches than were read before; start again with --overwrite");
    skipped_bytes_ += slot.bytes;
    if (context_.progress != nullptr) context_.progress->advance(0, i + 1);
  }
  if (context_.progress != nullptr) context_.progress->end_stage();
  return {};
}

Result<bool> PartReader::next(ReadSlot& slot) {
  slot.is_reference = in_references_;
  if (in_references_) {
    NEARDUP_ASSIGN(const bool more, references_->next(slot.batch));
    slot.bytes = slot.batch.bytes;
    if (more) return true;
    in_references_ = false;
    slot.is_reference = false;
  }
  NEARDUP_ASSIGN(const bool more, inputs_->next(slot.batch));
  slot.bytes = slot.batch.bytes;
  return more;
}

void PartReader::add_document(const corpus::Document& document, ReadSlot& slot,
                              const recipe::TextFingerprint& text_fingerprint) const {
  PartBatch& out = slot.result;
  const auto num_references = static_cast<uint32_t>(sources_.references.size());
  Row row;
  row.checksum = text_fingerprint.checksum;
  row.size_bytes = text_fingerprint.size_bytes;
  row.keep_key = options_.keep.key(text_fingerprint.size_bytes, document.value);
  row.line = static_cast<uint32_t>(document.line);
  row.input = document.input + (slot.is_reference ? 0 : num_references);
  if (!options_.read.within_key.empty()) keep_within(row, document.within);
  row.flags = (text_fingerprint.has_features ? kHasFeatures : 0) | (document.has_id ? kHasId : 0) |
              (slot.is_reference ? kIsReference : 0) | (document.not_utf8 ? kNotUtf8 : 0) |
              (text_fingerprint.whole ? 0 : kNotWhole) | (text_fingerprint.cut ? kCut : 0);
  row.text_bytes = static_cast<uint32_t>(std::min<size_t>(document.text.size(), std::numeric_limits<uint32_t>::max()));
  out.add(row, document.id, text_fingerprint.tokens, text_fingerprint.short_text);
  out.fingerprints.insert(out.fingerprints.end(), text_fingerprint.fingerprints.begin(),
                          text_fingerprint.fingerprints.end());
  out.signatures.insert(out.signatures.end(), text_fingerprint.signature.begin(), text_fingerprint.signature.end());
  if (!options_.read.group_key.empty()) out.groups.emplace_back(document.group);
}

const corpus::Reader& PartReader::reader_of(const ReadSlot& slot) const {
  return slot.is_reference ? *references_ : *inputs_;
}

Status PartReader::load(ReadSlot& slot) {
  slot.result.clear();
  return reader_of(slot).load(slot.batch);
}

Status PartReader::finish(ReadSlot& slot) {
  const auto num_references = static_cast<uint32_t>(slot.is_reference ? 0 : sources_.references.size());
  PartBatch& out = slot.result;
  const uint32_t flags = slot.is_reference ? kIsReference : 0;
  for (const corpus::Rejection& rejection : slot.batch.rejections)
    append_rejection(out.rejected, rejection, rejection.input + num_references, flags);
  for (const corpus::Rejection& note : slot.batch.notes)
    append_rejection(out.rejected, note, note.input + num_references, flags | kIsNote);
  out.batch = {.first_document = 0,
               .num_lines = slot.batch.num_lines,
               .num_documents = 0,
               .num_rejected = static_cast<uint32_t>(slot.batch.rejections.size()),
               .input = slot.batch.first_input + num_references,
               .flags = flags,
               .checksum = slot.batch.checksum};
  return {};
}

// The batch number in rejected rows is known only here.
void number_rejections(std::string& rejected, uint32_t batch) {
  for (size_t at = 0; at < rejected.size();) {
    RejectedRow row;
    std::copy_n(rejected.data() + at, sizeof row, reinterpret_cast<char*>(&row));
    row.batch = batch;
    std::copy_n(reinterpret_cast<const char*>(&row), sizeof row, rejected.data() + at);
    at += sizeof row + row.size_bytes;
  }
}

Status PartReader::commit(ReadSlot& slot) {
  if (slot.batch.begins_input) lines_before_ = 0;
  if (options_.strict && !slot.batch.rejections.empty()) {
    const corpus::Rejection& first = slot.batch.rejections.front();
    const auto& inputs = reader_of(slot).inputs();
    const std::string line = lines_before_ ? fmt::format(":{}", *lines_before_ + first.line + 1) : std::string();
    return fail(Code::kCorruption, fmt::format("'{}'{}: {}: {} (--strict stops at the first record that is rejected)",
                                               inputs[first.input].path, line, first.reason, first.message));
  }
  if (writer_.num_documents() + slot.result.rows.size() >= std::numeric_limits<uint32_t>::max())
    return fail(Code::kUnsupported,
                "more than 4,294,967,294 documents in one run; split the inputs and use --reference");
  number_rejections(slot.result.rejected, static_cast<uint32_t>(writer_.num_batches()));
  NEARDUP_TRY(writer_.append(slot.result));
  written_bytes_ += slot.result.num_bytes();
  if (slot.result.tokens.capacity() > options_.read.batch_bytes) slot.result = {};  // a long record's memory
  if (lines_before_) *lines_before_ += slot.batch.num_lines;
  done_bytes_ += slot.bytes;
  tell_disk_need();
  if (context_.progress != nullptr) context_.progress->advance(done_bytes_, writer_.num_documents() - done_before_);
  return checkpoint_in_time();
}

// Once, early enough to stop, and late enough to know what documents take.
void PartReader::tell_disk_need() {
  if (told_disk_need_ || context_.progress == nullptr || kToldAfterShare * done_bytes_ < left_bytes_) return;
  told_disk_need_ = true;
  const bool writes_results = !options_.shard_index && options_.mode != Mode::kIds;
  const std::string warning = disk_warning(folder_, {.work = work_to_come(written_bytes_, done_bytes_, left_bytes_),
                                                     .results = writes_results ? inputs_->total_bytes() : 0});
  if (!warning.empty()) context_.progress->warn(warning);
}

Status PartReader::checkpoint_in_time() {
  const auto before = std::chrono::steady_clock::now();
  if (before < next_checkpoint_) return {};
  NEARDUP_TRY(writer_.checkpoint(false));
  const auto now = std::chrono::steady_clock::now();
  next_checkpoint_ =
      now + std::max<std::chrono::steady_clock::duration>(kCheckpointEvery, kCheckpointShare * (now - before));
  return {};
}

Status PartReader::run() {
  Status status = pipeline_->run(context_, {.next = [this](ReadSlot& slot) { return next(slot); },
                                            .load = [this](ReadSlot& slot) { return load(slot); },
                                            .use =
                                                [this](ReadSlot& slot, size_t, const corpus::Document& document,
                                                       auto& fingerprinter, auto& text_fingerprint) {
                                                  fingerprinter.fingerprint(document.text, text_fingerprint);
                                                  add_document(document, slot, text_fingerprint);
                                                },
                                            .finish = [this](ReadSlot& slot, size_t) { return finish(slot); },
                                            .commit = [this](ReadSlot& slot) { return commit(slot); }});
  if (!status && status.error().code != Code::kCancelled) return status;
  NEARDUP_TRY(writer_.checkpoint(status.has_value()));
  if (status && context_.progress != nullptr) context_.progress->end_stage();
  return status;
}

}  // namespace

Status read_part(const Sources& sources, const DedupOptions& options, const std::shared_ptr<const feature::Idf>& idf,
                 const WorkFolder& folder, int shard, int num_shards, const Context& context) {
  const std::string path = folder.part(shard, num_shards);
  std::optional<Checkpoint> checkpoint;
  if (options.resume) {
    auto found = load_checkpoint(path, folder.run().reading);
    if (found) {
      checkpoint = *found;
    } else if (found.error().code != Code::kNotFound) {
      return tl::unexpected<Error>(found.error());
    }
  }
  NEARDUP_ASSIGN(PartWriter writer, PartWriter::open(path, checkpoint, options.groups, folder.run().reading));
  if (checkpoint && checkpoint->complete) return {};
  PartReader reader(sources, options, folder, std::move(writer), context);
  NEARDUP_TRY(reader.open(idf, shard, num_shards));
  return reader.run();
}

}  // namespace neardup::engine
