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
#include <mutex>
#include <thread>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folder_lock.h"
#include "neardup/base/guard.h"
#include "neardup/store/arrival_decision.h"
#include "neardup/store/batch_record.h"
#include "neardup/store/change.h"
#include "neardup/store/checkpointer.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/log_writer.h"
#include "neardup/store/store_files.h"
#include "neardup/store/store_state.h"

namespace neardup::store {
namespace {

using fingerprint::Fingerprint;

constexpr std::chrono::seconds kPauseAfterFailure{1};

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
        settings_(manifest.settings),
        checkpointer_(folder_, options_, std::move(manifest)) {}
  ~Impl() { stop(); }

  Status open();
  void start() {
    thread_ = std::thread([this] { make_checkpoints(); });
  }

  [[nodiscard]] const StoreSettings& settings() const { return settings_; }
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
  // What an answer waits for.
  struct Pending {
    std::shared_ptr<LogWriter> log;
    LogWriter::Ticket ticket;
  };

  Status replay();
  void skip_to(uint64_t number);
  Status replay_batch(const LoggedRecord& record, ChangeReader& reader, ClosedLog& closed);
  [[nodiscard]] Status check_record(const Record& record) const;
  // Writing: require write_mutex_.
  Status ready();
  void forget_durable();
  Status show(Record document, std::optional<uint64_t> replaced, Batch& batch);
  void show_erasure(const std::vector<uint64_t>& numbers, Batch& batch);
  Result<Pending> write(const std::function<Status(Batch& batch)>& change);
  void take_back(const Batch& batch);
  Status settle(const Pending& pending);

  Status begin_log();
  Result<LogStart> close_log(NumberSet& erased);
  void make_checkpoints();
  void stop();

  std::string folder_;
  StoreOptions options_;
  FolderLock lock_;
  const StoreSettings settings_;
  Checkpointer checkpointer_;
  std::unique_ptr<StoreState> state_;  // its threads write files by the checkpointer

  mutable std::mutex write_mutex_;  // of the log and what follows; who has it decides and shows
  std::shared_ptr<LogWriter> log_;
  LogWriter::Ticket last_;
  std::deque<Batch> shown_;  // that are not known to be durable; without their bytes
  bool needs_log_ = false;   // the old one takes no more
  uint64_t log_first_ = 0;   // first document of the log
  std::atomic<uint64_t> next_number_{0};

  std::mutex checkpoint_mutex_;  // one at a time

  std::mutex thread_mutex_;
  std::condition_variable due_;
  bool is_due_ = false, is_ending_ = false;
  std::thread thread_;
};

Status EmbeddedStore::Impl::open() {
  NEARDUP_ASSIGN(state_, checkpointer_.open());
  return replay();
}

// What is read again has its answer. Its logs are closed, so that nothing is written behind what a crash has left.
Status EmbeddedStore::Impl::replay() {
  const StoreManifest& manifest = checkpointer_.manifest();
  NEARDUP_ASSIGN(const std::vector<uint64_t> logs, list_logs(folder_, manifest.first_log));
  next_number_ = manifest.next_number;
  ClosedLog closed;
  ChangeReader reader;
  NEARDUP_ASSIGN(const LogEnd end, read_logs(folder_, logs, manifest.last_sequence, [&](const LoggedRecord& record) {
                   return replay_batch(record, reader, closed);
                 }));
  skip_to(std::max(manifest.first_free, next_number_.load()));
  log_first_ = next_number_;
  NEARDUP_ASSIGN(log_,
                 LogWriter::create(folder_, logs.empty() ? manifest.first_log : logs.back() + 1, end.last_sequence));
  if (closed.log == 0) return {};
  checkpointer_.add(closed);
  state_->begin_log(log_first_);
  state_->keys().freeze();
  is_due_ = true;
  return {};
}

// Numbers of documents that were given up: what finds them may be in a segment.
void EmbeddedStore::Impl::skip_to(uint64_t number) {
  for (; next_number_ < number; ++next_number_) {
    const uint64_t skipped = next_number_;
    state_->erase({&skipped, 1});
  }
}

Status EmbeddedStore::Impl::replay_batch(const LoggedRecord& record, ChangeReader& reader, ClosedLog& closed) {
  if (closed.log != record.log) {
    if (closed.log != 0) {
      checkpointer_.add(closed);
      state_->begin_log(next_number_);
    }
    closed = {record.log, record.sequence - 1, next_number_, next_number_};
  }
  return for_each_piece(record.bytes, [&](std::string_view bytes) -> Status {
    NEARDUP_ASSIGN(const Change change, reader.read(bytes));
    state_->erase(change.erased);
    if (!change.document) return {};
    if (change.document->number < next_number_)
      return fail(Code::kCorruption, fmt::format("log {} of '{}' has document {} twice; restore the store from a copy",
                                                 record.log, folder_, change.document->number));
    skip_to(change.document->number);
    closed.end = ++next_number_;
    return state_->add(*change.document, std::string(bytes));
  });
}

Status EmbeddedStore::Impl::check_record(const Record& record) const {
  if (record.id.empty()) return fail(Code::kInvalidArgument, "a document without an id cannot be stored");
  if (record.fingerprints.empty() || record.fingerprints.size() == settings_.num_fingerprints) return {};
  return fail(Code::kInvalidArgument, fmt::format("document '{}' has {} fingerprints, the store holds {} of each",
                                                  record.id, record.fingerprints.size(), settings_.num_fingerprints));
}

Result<std::vector<Answer>> EmbeddedStore::Impl::check(std::span<const Record> arriving, const Judge& judge) const {
  std::vector<Answer> answers;
  for (const Record& record : arriving) {
    NEARDUP_TRY(check_record(record));
    NEARDUP_ASSIGN(ArrivalDecision decision, decide_arrival(*state_, record, judge));
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
                     NEARDUP_ASSIGN(ArrivalDecision decision, decide_arrival(*state_, record, judge));
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

// Closes the log if there is anything in it, with all of it durable.
Result<LogStart> EmbeddedStore::Impl::close_log(NumberSet& erased) {
  const std::lock_guard lock(write_mutex_);
  NEARDUP_TRY(ready());
  if (last_.is_set()) NEARDUP_TRY(log_->wait(last_));
  if (last_.is_set()) NEARDUP_TRY(begin_log());
  erased = state_->erased();
  return LogStart{log_->number(), log_->last_durable(), log_first_};
}

// Requires write_mutex_, and that nothing waits for the old log. Where it fails the next file may be there all the
// same, and say from where it goes on: nothing is written to the old one any more.
Status EmbeddedStore::Impl::begin_log() {
  needs_log_ = true;
  NEARDUP_ASSIGN(auto next, LogWriter::create(folder_, log_->number() + 1, log_->last_durable()));
  checkpointer_.add({log_->number(), log_->previous(), log_first_, next_number_});
  needs_log_ = false;
  log_ = std::move(next);
  last_ = {};
  log_first_ = next_number_;
  state_->begin_log(log_first_);
  state_->keys().freeze();
  return {};
}

Status EmbeddedStore::Impl::checkpoint() {
  const std::lock_guard one(checkpoint_mutex_);
  NumberSet erased;
  NEARDUP_ASSIGN(const LogStart start, close_log(erased));
  return checkpointer_.run(*state_, start, erased, next_number_);
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
