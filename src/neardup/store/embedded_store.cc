// One writer decides at a time, in the order in which documents come to it; what it shows in memory may still be on its
// way to the disk, and whoever builds on it waits for a later sync of the same log, which cannot succeed without the
// earlier one. Where a sync fails, all that is not known to be durable is taken back, newest first, and all who wait
// hear it: the memory then is what the disk is.
// A checkpoint closes the log under the writer's lock, which takes two syncs; all else of it goes on beside writers.
// docs/design/store.md.
#include "neardup/store/embedded_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "neardup/base/bytes.h"
#include "neardup/base/file.h"
#include "neardup/base/folder_lock.h"
#include "neardup/base/guard.h"
#include "neardup/store/change.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/erased_file.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/log_writer.h"
#include "neardup/store/store_files.h"
#include "neardup/store/store_state.h"

namespace neardup::store {
namespace {

using fingerprint::Fingerprint;

constexpr std::chrono::seconds kPauseAfterFailure{1};

// What one call changed is one record of the log: pieces, each behind its length, as a record is behind its own.
void append_piece(std::string& record, std::string_view piece) {
  append_little(record, static_cast<uint32_t>(piece.size()));
  record += piece;
}

template <class Visit>
Status for_each_piece(std::string_view record, const Visit& visit) {
  ByteReader reader(record);
  while (!reader.rest().empty()) {
    const std::string_view piece = reader.piece(reader.number<uint32_t>());
    if (!reader.ok()) return fail(Code::kCorruption, "a record of a log does not end where it should");
    NEARDUP_TRY(visit(piece));
  }
  return {};
}

Result<FolderLock> lock_store(const std::string& folder) {
  return FolderLock::acquire(folder + "/" + std::string(kLockName), false, false,
                             "another process has this store open; ask that one, or end it");
}

}  // namespace

class EmbeddedStore::Impl {
 public:
  Impl(std::string folder, StoreOptions options, FolderLock lock, StoreManifest manifest)
      : folder_(std::move(folder)),
        options_(std::move(options)),
        lock_(std::move(lock)),
        manifest_(std::move(manifest)),
        next_file_(manifest_.next_file) {}
  ~Impl() {
    stop();
    state_.reset();  // its threads write files
  }

  Status open();
  void start() {
    thread_ = std::thread([this] { make_checkpoints(); });
  }

  [[nodiscard]] const StoreSettings& settings() const { return manifest_.settings; }
  Result<std::vector<Answer>> check_and_insert(std::span<const Record> arriving, const Judge& judge);
  Result<std::vector<Answer>> check(std::span<const Record> arriving, const Judge& judge) const;
  Status put(std::span<const Record> documents);
  Result<uint64_t> erase(const std::function<Result<std::vector<uint64_t>>()>& choose);
  Status checkpoint();
  Result<Statistics> statistics() const;
  [[nodiscard]] const StoreState& state() const { return *state_; }

 private:
  // What one call changes: all of it is durable, or nothing.
  struct Batch {
    std::string bytes;  // for the log
    std::vector<uint64_t> added, erased;
    uint64_t sequence = 0;  // in the log
  };
  struct Decision {
    Answer answer;
    std::optional<uint64_t> replaced;
  };
  // What a closed log leaves to a checkpoint.
  struct Closed {
    uint64_t log = 0;
    uint64_t previous = 0;        // sequence number of the last record before it
    uint64_t first = 0, end = 0;  // documents
  };

  // What an answer waits for.
  struct Pending {
    std::shared_ptr<LogWriter> log;
    LogWriter::Ticket ticket;
  };

  Status replay();
  Status replay_batch(const LoggedRecord& record, ChangeReader& reader);
  [[nodiscard]] Status check_record(const Record& record) const;
  Result<Decision> decide(const Record& arriving, const Judge& judge) const;
  Result<std::optional<Answer>> answer_of_id(const Record& arriving, std::optional<uint64_t> known) const;
  Result<std::optional<Fate>> fate_of_text(const Record& arriving, std::optional<uint64_t> known) const;
  Result<Fate> fate_of_nearest(const Record& arriving, std::optional<uint64_t> known, const Judge& judge) const;
  Result<std::string> id_of(uint64_t number) const;

  // Writing: require write_mutex_.
  Status ready();
  void forget_durable();
  Status show(Record document, std::optional<uint64_t> replaced, Batch& batch);
  void show_erasure(const std::vector<uint64_t>& numbers, Batch& batch);
  Result<Pending> write(const std::function<Status(Batch& batch)>& change);
  void take_back(const Batch& batch);
  Status settle(const Pending& pending);

  Status begin_log();
  Status close_log(StoreManifest& next, NumberSet& erased);
  Status move_closed();
  Result<RecordFiles> move_records(const Closed& closed);
  Status seal_keys(const bands::IsLive& is_live);
  Status join_keys(const bands::IsLive& is_live);
  Status store_keys(const bands::KeySegment& segment,
                    const std::function<void(std::shared_ptr<const bands::KeySegment>)>& publish);
  Status store_segments(std::span<const Segment<Fingerprint>> segments);
  Status write_erased(const NumberSet& erased, StoreManifest& next);
  Status name(StoreManifest next);
  Status remove_old_keys();
  Status remove_old_segments();
  void make_checkpoints();
  void stop();

  std::string folder_;
  StoreOptions options_;
  FolderLock lock_;
  std::unique_ptr<StoreState> state_;

  mutable std::mutex write_mutex_;  // of the log and what follows; who has it decides and shows
  std::shared_ptr<LogWriter> log_;
  LogWriter::Ticket last_;
  std::deque<Batch> shown_;  // that are not known to be durable; without their bytes
  bool needs_log_ = false;   // the old one takes no more
  uint64_t log_first_ = 0;   // first document of the log
  std::atomic<uint64_t> next_number_{0};

  std::mutex checkpoint_mutex_;  // of the manifest, and one checkpoint at a time
  StoreManifest manifest_;
  std::deque<Closed> closed_;       // oldest first; of write_mutex_
  std::vector<RecordFiles> moved_;  // that no manifest names yet
  std::atomic<uint64_t> next_file_;
  std::mutex files_mutex_;
  std::map<uint64_t, SegmentFiles> files_;           // by segment of fingerprints
  std::set<uint64_t> newest_;                        // segments of the last commit
  std::map<uint64_t, bands::KeyFileIdentity> keys_;  // by number of the file

  std::mutex thread_mutex_;
  std::condition_variable due_;
  bool is_due_ = false, is_ending_ = false;
  uint64_t found_below_ = 0;  // at replay: keys of documents below are in segments
  std::thread thread_;
};

Status EmbeddedStore::Impl::open() {
  for (const SegmentFiles& files : manifest_.segments) files_.emplace(files.number, files);
  for (const KeyFiles& files : manifest_.keys) keys_.emplace(files.number, files.identity);
  NEARDUP_ASSIGN(state_, open_state(folder_, manifest_, options_,
                                    [this](std::span<const Segment<Fingerprint>> s) { return store_segments(s); }));
  found_below_ = state_->keys().view().end();
  return replay();
}

// What is read again has its answer. Its logs are closed, so that nothing is written behind what a crash has left.
Status EmbeddedStore::Impl::replay() {
  NEARDUP_ASSIGN(const std::vector<uint64_t> logs, list_logs(folder_, manifest_.first_log));
  next_number_ = manifest_.next_number;
  ChangeReader reader;
  NEARDUP_ASSIGN(const LogEnd end, read_logs(folder_, logs, manifest_.last_sequence,
                                             [&](const LoggedRecord& record) { return replay_batch(record, reader); }));
  log_first_ = next_number_;
  NEARDUP_ASSIGN(log_,
                 LogWriter::create(folder_, logs.empty() ? manifest_.first_log : logs.back() + 1, end.last_sequence));
  if (closed_.empty()) return {};
  state_->begin_log(log_first_);
  state_->keys().freeze();
  is_due_ = true;
  return {};
}

Status EmbeddedStore::Impl::replay_batch(const LoggedRecord& record, ChangeReader& reader) {
  if (closed_.empty() || closed_.back().log != record.log) {
    if (!closed_.empty()) state_->begin_log(next_number_);
    closed_.push_back({record.log, record.sequence - 1, next_number_, next_number_});
  }
  return for_each_piece(record.bytes, [&](std::string_view bytes) -> Status {
    NEARDUP_ASSIGN(const Change change, reader.read(bytes));
    state_->erase(change.erased);
    if (!change.document) return {};
    if (change.document->number < next_number_)
      return fail(Code::kCorruption, fmt::format("log {} of '{}' has document {} twice; restore the store from a copy",
                                                 record.log, folder_, change.document->number));
    closed_.back().end = next_number_ = change.document->number + 1;
    return state_->add(*change.document, std::string(bytes), found_below_);
  });
}

Status EmbeddedStore::Impl::check_record(const Record& record) const {
  if (record.id.empty()) return fail(Code::kInvalidArgument, "a document without an id cannot be stored");
  if (record.fingerprints.empty() || record.fingerprints.size() == manifest_.settings.num_fingerprints) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("document '{}' has {} fingerprints, the store holds {} of each", record.id,
                          record.fingerprints.size(), manifest_.settings.num_fingerprints));
}

Result<std::string> EmbeddedStore::Impl::id_of(uint64_t number) const {
  HeldRecord held;
  NEARDUP_TRY(state_->read(number, held));
  return std::string(held->id);
}

// The answer that the same document got when it came, as long as the one that it repeats is there.
Result<std::optional<Answer>> EmbeddedStore::Impl::answer_of_id(const Record& arriving,
                                                                std::optional<uint64_t> known) const {
  if (!known) return std::optional<Answer>();
  HeldRecord held;
  NEARDUP_TRY(state_->read(*known, held));
  const bool is_new = held->fate.kind == Kind::kNew;
  if (held->checksum != arriving.checksum || (!is_new && !state_->is_live(held->fate.kept)))
    return std::optional<Answer>();
  Answer answer{.fate = held->fate, .number = *known, .kept_id = {}, .is_repeated = true};
  if (!is_new) {
    NEARDUP_ASSIGN(answer.kept_id, id_of(answer.fate.kept));
  }
  return std::optional(std::move(answer));
}

// What an equal text was told, whose document is `known` apart, or that it is an exact copy of.
Result<std::optional<Fate>> EmbeddedStore::Impl::fate_of_text(const Record& arriving,
                                                              std::optional<uint64_t> known) const {
  HeldRecord held;
  for (const uint64_t number : state_->find_equal(arriving)) {
    NEARDUP_TRY(state_->read(number, held));
    if (number == known || held->checksum != arriving.checksum || held->within != arriving.within) continue;
    if (held->fate.kind == Kind::kNew) return std::optional(Fate{.kind = Kind::kExact, .kept = number});
    if (held->fate.kept != known && state_->is_live(held->fate.kept)) return std::optional(held->fate);
  }
  return std::optional<Fate>();
}

Result<Fate> EmbeddedStore::Impl::fate_of_nearest(const Record& arriving, std::optional<uint64_t> known,
                                                  const Judge& judge) const {
  HeldRecord held;
  for (const uint64_t number : state_->find_near(arriving)) {
    if (number == known) continue;
    NEARDUP_TRY(state_->read(number, held));
    if (held->within != arriving.within) continue;
    NEARDUP_ASSIGN(const auto likeness, judge.compare(arriving, *held));
    if (likeness) return Fate{Kind::kNear, number, likeness->similarity, likeness->distance};
  }
  return Fate{};
}

Result<EmbeddedStore::Impl::Decision> EmbeddedStore::Impl::decide(const Record& arriving, const Judge& judge) const {
  NEARDUP_ASSIGN(const std::optional<uint64_t> known, state_->find_id(arriving.id));
  NEARDUP_ASSIGN(std::optional<Answer> repeated, answer_of_id(arriving, known));
  if (repeated) return Decision{std::move(*repeated), {}};
  Decision decision{.answer = {}, .replaced = known};
  NEARDUP_ASSIGN(const std::optional<Fate> equal, fate_of_text(arriving, known));
  if (equal) {
    decision.answer.fate = *equal;
  } else {
    NEARDUP_ASSIGN(decision.answer.fate, fate_of_nearest(arriving, known, judge));
  }
  if (decision.answer.fate.kind == Kind::kNew) return decision;
  NEARDUP_ASSIGN(decision.answer.kept_id, id_of(decision.answer.fate.kept));
  return decision;
}

Result<std::vector<Answer>> EmbeddedStore::Impl::check(std::span<const Record> arriving, const Judge& judge) const {
  std::vector<Answer> answers;
  for (const Record& record : arriving) {
    NEARDUP_TRY(check_record(record));
    NEARDUP_ASSIGN(Decision decision, decide(record, judge));
    answers.push_back(std::move(decision.answer));
  }
  return answers;
}

Result<std::vector<Answer>> EmbeddedStore::Impl::check_and_insert(std::span<const Record> arriving,
                                                                  const Judge& judge) {
  for (const Record& record : arriving) NEARDUP_TRY(check_record(record));
  std::vector<Answer> answers;
  NEARDUP_ASSIGN(const Pending pending, write([&](Batch& batch) -> Status {
                   for (const Record& record : arriving) {
                     NEARDUP_ASSIGN(Decision decision, decide(record, judge));
                     answers.push_back(std::move(decision.answer));
                     if (answers.back().is_repeated) continue;
                     Record shown = record;
                     shown.number = answers.back().number = next_number_;
                     shown.fate = answers.back().fate;
                     NEARDUP_TRY(show(shown, decision.replaced, batch));
                   }
                   return {};
                 }));
  NEARDUP_TRY(settle(pending));
  return answers;
}

Status EmbeddedStore::Impl::put(std::span<const Record> documents) {
  for (const Record& record : documents) NEARDUP_TRY(check_record(record));
  NEARDUP_ASSIGN(const Pending pending, write([&](Batch& batch) -> Status {
                   for (const Record& record : documents) {
                     NEARDUP_ASSIGN(const std::optional<uint64_t> known, state_->find_id(record.id));
                     Record shown = record;
                     shown.number = next_number_;
                     shown.fate = {};
                     NEARDUP_TRY(show(shown, known, batch));
                   }
                   return {};
                 }));
  return settle(pending);
}

Result<uint64_t> EmbeddedStore::Impl::erase(const std::function<Result<std::vector<uint64_t>>()>& choose) {
  uint64_t count = 0;
  NEARDUP_ASSIGN(const Pending pending, write([&](Batch& batch) -> Status {
                   NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, choose());
                   count = numbers.size();
                   if (count > 0) show_erasure(numbers, batch);
                   return {};
                 }));
  NEARDUP_TRY(settle(pending));
  return count;
}

// Lets `change` show what one call does, and logs it. Where that ends half-way, all of it is taken back.
Result<EmbeddedStore::Impl::Pending> EmbeddedStore::Impl::write(const std::function<Status(Batch& batch)>& change) {
  const std::lock_guard lock(write_mutex_);
  NEARDUP_TRY(ready());
  Batch batch;
  Status done = guarded([&] { return change(batch); });
  if (done && !batch.bytes.empty()) {
    auto ticket = log_->append(batch.bytes);
    if (ticket) {
      last_ = *ticket;
      batch.sequence = ticket->sequence();
      batch.bytes = {};
      shown_.push_back(std::move(batch));
    } else {
      done = tl::unexpected<Error>(ticket.error());
    }
  }
  // Also where nothing changed: what was found may be on its way to the disk.
  if (done) return Pending{log_, last_};
  take_back(batch);
  return tl::unexpected<Error>(done.error());
}

// A document that is a duplicate needs nothing by which others would find it.
Status EmbeddedStore::Impl::show(Record document, std::optional<uint64_t> replaced, Batch& batch) {
  if (document.fate.kind != Kind::kNew) {
    document.fingerprints = {};
    document.keys = {};
    document.body = {};
  }
  std::string bytes;
  append_arrival(bytes, document, replaced);
  append_piece(batch.bytes, bytes);
  batch.added.push_back(next_number_++);
  NEARDUP_TRY(state_->add(document, std::move(bytes)));
  if (!replaced) return {};
  batch.erased.push_back(*replaced);
  state_->erase({&*replaced, 1});
  return {};
}

void EmbeddedStore::Impl::show_erasure(const std::vector<uint64_t>& numbers, Batch& batch) {
  std::string bytes;
  append_erasure(bytes, numbers);
  append_piece(batch.bytes, bytes);
  batch.erased = numbers;
  state_->erase(numbers);
}

// The log takes records: what a failed write left is taken back first.
Status EmbeddedStore::Impl::ready() {
  forget_durable();
  state_->index().resume();
  if (!log_->has_failed()) return needs_log_ ? begin_log() : Status();
  for (; !shown_.empty(); shown_.pop_back()) take_back(shown_.back());
  if (!needs_log_ && log_->resume()) return {};
  return begin_log();  // nobody knows how much of the old file is on the disk: the next one says from where it goes on
}

void EmbeddedStore::Impl::forget_durable() {
  const uint64_t durable = log_->last_durable();
  while (!shown_.empty() && shown_.front().sequence <= durable) shown_.pop_front();
}

// A document that took the place of another one in the same batch was added after it.
void EmbeddedStore::Impl::take_back(const Batch& batch) {
  state_->restore(batch.erased);
  state_->erase(batch.added);
}

// Without a ticket nothing was ever appended to this log: all is durable.
Status EmbeddedStore::Impl::settle(const Pending& pending) {
  if (!pending.ticket.is_set()) return {};
  NEARDUP_TRY(pending.log->wait(pending.ticket));
  if (pending.log->size_bytes() < options_.log_bytes) return {};
  const std::lock_guard lock(thread_mutex_);
  is_due_ = true;
  due_.notify_all();
  return {};
}

// Closes the log if there is anything in it, with all of it durable, and says from where a restart reads afterwards.
Status EmbeddedStore::Impl::close_log(StoreManifest& next, NumberSet& erased) {
  const std::lock_guard lock(write_mutex_);
  NEARDUP_TRY(ready());
  if (last_.is_set()) NEARDUP_TRY(log_->wait(last_));
  if (last_.is_set()) NEARDUP_TRY(begin_log());
  next.first_log = log_->number();
  next.last_sequence = log_->last_durable();
  next.next_number = log_first_;
  erased = state_->erased();
  return {};
}

// Requires write_mutex_, and that nothing waits for the old log. Where it fails the next file may be there all the
// same, and say from where it goes on: nothing is written to the old one any more.
Status EmbeddedStore::Impl::begin_log() {
  needs_log_ = true;
  NEARDUP_ASSIGN(auto next, LogWriter::create(folder_, log_->number() + 1, log_->last_durable()));
  closed_.push_back({log_->number(), log_->previous(), log_first_, next_number_});
  needs_log_ = false;
  log_ = std::move(next);
  last_ = {};
  log_first_ = next_number_;
  state_->begin_log(log_first_);
  state_->keys().freeze();
  return {};
}

// Gives the records of the oldest closed log their place in its file.
Result<RecordFiles> EmbeddedStore::Impl::move_records(const Closed& closed) {
  std::vector<uint64_t> offsets(closed.end - closed.first, 0);
  ChangeReader reader;
  const auto end = read_logs(folder_, {&closed.log, 1}, closed.previous, [&](const LoggedRecord& record) -> Status {
    return for_each_piece(record.bytes, [&](std::string_view bytes) -> Status {
      NEARDUP_ASSIGN(const Change change, reader.read(bytes));
      if (!change.document) return {};
      const uint64_t number = change.document->number;
      if (number >= closed.first && number < closed.end)
        offsets[number - closed.first] = record.offset + static_cast<uint64_t>(bytes.data() - record.bytes.data());
      return {};
    });
  });
  if (!end) return tl::unexpected<Error>(end.error());
  NEARDUP_ASSIGN(auto file, RecordFile::open(folder_, closed.log, closed.first, std::move(offsets)));
  RecordFiles files{closed.log, closed.first, closed.end - closed.first, 0};
  NEARDUP_ASSIGN(files.checksum, write_places(places_path(folder_, closed.log), *file));
  state_->close_log(std::move(file));
  return files;
}

Status EmbeddedStore::Impl::seal_keys(const bands::IsLive& is_live) {
  bands::KeyIndex& keys = state_->keys();
  while (keys.num_frozen() > 0) {
    NEARDUP_TRY(options_.context.check_cancel());
    NEARDUP_TRY(store_keys(keys.seal(is_live), [&](auto segment) { keys.publish_sealed(std::move(segment)); }));
  }
  return join_keys(is_live);
}

Status EmbeddedStore::Impl::join_keys(const bands::IsLive& is_live) {
  bands::KeyIndex& keys = state_->keys();
  while (true) {
    const auto segments = keys.view().segments_shared();
    std::vector<uint64_t> sizes;
    for (const auto& segment : segments) sizes.push_back(segment->table.size());
    const auto [begin, end] = pick_merge(sizes, {});
    if (begin == end) return {};
    NEARDUP_TRY(options_.context.check_cancel());
    const auto some = std::span(segments).subspan(begin, end - begin);
    NEARDUP_TRY(store_keys(bands::KeyIndex::join(some, is_live), [&, first = begin](auto segment) {
      keys.publish_joined(first, some.size(), std::move(segment));
    }));
  }
}

// Writes a segment, and publishes it as the file holds it.
Status EmbeddedStore::Impl::store_keys(const bands::KeySegment& segment,
                                       const std::function<void(std::shared_ptr<const bands::KeySegment>)>& publish) {
  const uint64_t number = next_file_++;
  const std::string path = keys_path(folder_, number);
  NEARDUP_ASSIGN(const bands::KeyFileIdentity identity, bands::write_key_file(path, segment));
  NEARDUP_ASSIGN(bands::OpenedKeyFile opened, bands::open_key_file(path, hamming::Access::kMap, false));
  opened.segment.file = number;
  keys_[number] = identity;
  publish(std::make_shared<const bands::KeySegment>(std::move(opened.segment)));
  return {};
}

// Called by the index, in the background too: files are written, and named by the next checkpoint.
Status EmbeddedStore::Impl::store_segments(std::span<const Segment<Fingerprint>> segments) {
  std::set<uint64_t> newest;
  for (const Segment<Fingerprint>& segment : segments) {
    newest.insert(segment.number);
    {
      const std::lock_guard lock(files_mutex_);
      if (files_.contains(segment.number)) continue;
    }
    NEARDUP_ASSIGN(const SegmentFiles written, write_segment<Fingerprint>(folder_, next_file_++, segment));
    const std::lock_guard lock(files_mutex_);
    files_.emplace(segment.number, written);
  }
  const std::lock_guard lock(files_mutex_);
  newest_ = std::move(newest);
  return {};
}

// What was erased before the log that a restart begins with: later erasures are in it.
Status EmbeddedStore::Impl::write_erased(const NumberSet& erased, StoreManifest& next) {
  next.erased_file = 0;
  if (erased.size() == 0) return {};
  next.erased_file = next_file_++;
  NEARDUP_ASSIGN(next.erased_checksum,
                 write_erased_file(erased_path(folder_, next.erased_file), DocumentSet(erased.sorted())));
  return {};
}

Status EmbeddedStore::Impl::checkpoint() {
  const std::lock_guard one(checkpoint_mutex_);
  StoreManifest next = manifest_;
  NumberSet erased;
  NEARDUP_TRY(close_log(next, erased));
  NEARDUP_TRY(move_closed());
  if (moved_.empty()) return {};
  next.records.insert(next.records.end(), moved_.begin(), moved_.end());
  NEARDUP_TRY(seal_keys([&](uint64_t number) { return !erased.contains(number); }));
  NEARDUP_TRY(state_->index().flush());
  NEARDUP_TRY(write_erased(erased, next));
  return name(std::move(next));
}

// One by one: where it ends half-way, the next checkpoint goes on.
Status EmbeddedStore::Impl::move_closed() {
  while (true) {
    Closed closed;
    {
      const std::lock_guard lock(write_mutex_);
      if (closed_.empty()) return {};
      closed = closed_.front();
    }
    NEARDUP_TRY(options_.context.check_cancel());
    NEARDUP_ASSIGN(const RecordFiles files, move_records(closed));
    moved_.push_back(files);
    const std::lock_guard lock(write_mutex_);
    closed_.pop_front();
  }
}

// Makes the manifest name what there is, and removes what no manifest names any more.
Status EmbeddedStore::Impl::name(StoreManifest next) {
  next.keys.clear();
  for (const auto& segment : state_->keys().view().segments_shared())
    next.keys.push_back({segment->file, keys_.at(segment->file)});
  next.segments.clear();
  {
    const View<Fingerprint> view = state_->index().view();
    const std::lock_guard lock(files_mutex_);
    for (const Segment<Fingerprint>& segment : view.segments()) next.segments.push_back(files_.at(segment.number));
  }
  next.next_file = next_file_;
  NEARDUP_TRY(write_file_atomically(manifest_path(folder_), to_bytes(next)));
  const uint64_t old_erased = manifest_.erased_file;
  manifest_ = std::move(next);
  moved_.clear();
  if (old_erased != 0) NEARDUP_TRY(remove_all(erased_path(folder_, old_erased)));
  NEARDUP_TRY(remove_old_keys());
  return remove_old_segments();
}

Status EmbeddedStore::Impl::remove_old_keys() {
  for (auto it = keys_.begin(); it != keys_.end();) {
    const bool is_named = std::any_of(manifest_.keys.begin(), manifest_.keys.end(),
                                      [&](const KeyFiles& files) { return files.number == it->first; });
    if (!is_named) NEARDUP_TRY(remove_all(keys_path(folder_, it->first)));
    it = is_named ? std::next(it) : keys_.erase(it);
  }
  return {};
}

// Files of merges that end meanwhile are newest, and stay.
Status EmbeddedStore::Impl::remove_old_segments() {
  const std::lock_guard lock(files_mutex_);
  for (auto it = files_.begin(); it != files_.end();) {
    const bool is_named =
        std::find(manifest_.segments.begin(), manifest_.segments.end(), it->second) != manifest_.segments.end();
    const bool stays = is_named || newest_.contains(it->first);
    if (!stays) NEARDUP_TRY(remove_all(segment_path(folder_, it->second.number)));
    it = stays ? std::next(it) : files_.erase(it);
  }
  return {};
}

// What fails is tried again when the next one is due; all that was acknowledged is in the logs.
void EmbeddedStore::Impl::make_checkpoints() {
  std::unique_lock lock(thread_mutex_);
  while (true) {
    due_.wait(lock, [this] { return is_due_ || is_ending_; });
    if (is_ending_) return;
    is_due_ = false;
    lock.unlock();
    const Status made = checkpoint();
    lock.lock();
    if (!made) due_.wait_for(lock, kPauseAfterFailure, [this] { return is_ending_; });
  }
}

void EmbeddedStore::Impl::stop() {
  {
    const std::lock_guard lock(thread_mutex_);
    is_ending_ = true;
  }
  due_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Result<Statistics> EmbeddedStore::Impl::statistics() const {
  Statistics statistics;
  const std::lock_guard lock(write_mutex_);
  statistics.next_number = next_number_;
  statistics.documents = next_number_ - state_->erased().size();
  statistics.log_bytes = log_->size_bytes();
  statistics.memory_bytes = state_->size_bytes();
  return statistics;
}

EmbeddedStore::EmbeddedStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EmbeddedStore::~EmbeddedStore() = default;

Result<std::unique_ptr<EmbeddedStore>> EmbeddedStore::create(const std::string& folder, StoreSettings settings,
                                                             const StoreOptions& options) {
  if (settings.max_distance < 0 || settings.max_distance > fingerprint::kMaxDistance)
    return fail(Code::kInvalidArgument, fmt::format("expected a distance of 0 to {}, found {}",
                                                    fingerprint::kMaxDistance, settings.max_distance));
  NEARDUP_TRY(create_directories_durably(folder));
  NEARDUP_TRY(check_empty(folder));
  StoreManifest manifest;
  manifest.settings = std::move(settings);
  {
    NEARDUP_ASSIGN(const FolderLock lock, lock_store(folder));
    NEARDUP_TRY(check_empty(folder));
    NEARDUP_TRY(write_file_atomically(manifest_path(folder), to_bytes(manifest)));
  }
  return open(folder, options);
}

Result<std::unique_ptr<EmbeddedStore>> EmbeddedStore::open(const std::string& folder, const StoreOptions& options) {
  NEARDUP_TRY(read_store_manifest(folder));  // no lock is left in a folder that is no store
  NEARDUP_ASSIGN(FolderLock lock, lock_store(folder));
  NEARDUP_ASSIGN(StoreManifest manifest, read_store_manifest(folder));
  NEARDUP_TRY(sweep_store(folder, manifest));
  auto impl = std::make_unique<Impl>(folder, options, std::move(lock), std::move(manifest));
  NEARDUP_TRY(impl->open());
  impl->start();
  return std::unique_ptr<EmbeddedStore>(new EmbeddedStore(std::move(impl)));
}

const StoreSettings& EmbeddedStore::settings() const { return impl_->settings(); }
Status EmbeddedStore::checkpoint() { return impl_->checkpoint(); }
Result<std::vector<Answer>> EmbeddedStore::check_and_insert(std::span<const Record> arriving, const Judge& judge) {
  return impl_->check_and_insert(arriving, judge);
}
Result<std::vector<Answer>> EmbeddedStore::check(std::span<const Record> arriving, const Judge& judge) const {
  return impl_->check(arriving, judge);
}
Status EmbeddedStore::put(std::span<const Record> documents) { return impl_->put(documents); }

Result<uint64_t> EmbeddedStore::erase(std::span<const std::string_view> ids) {
  return impl_->erase([&]() -> Result<std::vector<uint64_t>> {
    std::vector<uint64_t> numbers;
    for (const std::string_view id : ids) {
      NEARDUP_ASSIGN(const std::optional<uint64_t> number, impl_->state().find_id(id));
      if (number) numbers.push_back(*number);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  });
}

Result<uint64_t> EmbeddedStore::erase_tag(std::string_view tag) {
  return impl_->erase([&] { return impl_->state().find_tag(tag); });
}

Result<bool> EmbeddedStore::find(std::string_view id, const Visitor& visit) const {
  NEARDUP_ASSIGN(const std::optional<uint64_t> number, impl_->state().find_id(id));
  if (!number) return false;
  HeldRecord held;
  NEARDUP_TRY(impl_->state().read(*number, held));
  visit(*held);
  return true;
}

Result<Statistics> EmbeddedStore::statistics() const { return impl_->statistics(); }

}  // namespace neardup::store
