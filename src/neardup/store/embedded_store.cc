// How documents become changes: the writer shows and logs them, a thread makes checkpoints beside it.
// docs/design/store.md.
#include "neardup/store/embedded_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folder_lock.h"
#include "neardup/base/guard.h"
#include "neardup/store/arrivals.h"
#include "neardup/store/browse.h"
#include "neardup/store/checkpointer.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/fingerprint_index.h"
#include "neardup/store/log_syncer.h"
#include "neardup/store/neighbours.h"
#include "neardup/store/record_checks.h"
#include "neardup/store/repeated.h"
#include "neardup/store/snapshot.h"
#include "neardup/store/store_files.h"
#include "neardup/store/store_replay.h"
#include "neardup/store/store_state.h"
#include "neardup/store/store_writer.h"
#include "neardup/store/write_pace.h"

namespace neardup::store {
namespace {

constexpr std::chrono::seconds kPauseAfterFailure{1};
constexpr size_t kErasedAtOnce = 1 << 14;  // some milliseconds under the writer's lock

// Files that others remove meanwhile count as nothing.
Result<uint64_t> folder_bytes(const std::string& folder) {
  NEARDUP_ASSIGN(const std::vector<std::string> names, list_folder(folder));
  uint64_t bytes = 0;
  for (const std::string& name : names)
    if (const auto info = file_info(folder + "/" + name); info && info->is_regular) bytes += info->size_bytes;
  return bytes;
}

Candidates candidates_of(const StoreState& state, const Record& document, Wanted wanted) {
  const std::span<const Record> one(&document, 1);
  return std::move(find_candidates(state, one, DocumentKeys(one), wanted)[0]);
}

}  // namespace

class EmbeddedStore::Impl {
 public:
  Impl(std::string folder, StoreOptions options, FolderLock lock, StoreManifest manifest)
      : folder_(std::move(folder)),
        options_(std::move(options)),
        lock_(std::move(lock)),
        settings_(manifest.settings),
        checkpointer_(folder_, options_, std::move(manifest)),
        pace_(
            options_.log_bytes, [this] { return waiting_bytes(); }, [this] { demand_checkpoint(); }, options_.context) {
  }
  ~Impl() { stop(); }

  Status open();
  void start() {
    if (options_.sync_every_ms != 0)
      syncer_ = std::make_unique<LogSyncer>(*writer_, std::chrono::milliseconds(options_.sync_every_ms));
    thread_ = std::thread([this] { make_checkpoints(); });
  }

  [[nodiscard]] const StoreSettings& settings() const { return settings_; }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  Result<std::vector<Answer>> check_and_insert(std::span<const Record> arriving, const Judge& judge);
  Result<std::vector<Answer>> check(std::span<const Record> arriving, const Judge& judge) const;
  Status put(std::span<const Record> documents);
  Status restore(std::span<const Record> documents);
  Status restore_some(std::span<const Record> documents);
  Result<uint64_t> erase(std::span<const std::string_view> ids, std::vector<size_t>* missing);
  Result<uint64_t> erase_tag(std::string_view tag);
  Result<uint64_t> expire(int64_t before);
  Result<bool> begin_tag(std::string_view tag);
  Result<bool> end_tag(std::string_view tag, bool keeps);
  Status checkpoint(Effort effort = Effort::kDue);
  Status snapshot(const std::string& folder);
  Status take_loss() { return writer_->take_loss(); }
  Result<Statistics> statistics() const;
  [[nodiscard]] const StoreState& state() const { return *state_; }

 private:
  using Batch = StoreWriter::Batch;
  using Pending = StoreWriter::Pending;

  Result<uint64_t> erase_some(std::span<const uint64_t> numbers, const std::function<bool(uint64_t)>& should_erase);
  Result<uint64_t> erase_open_tag(std::string_view tag);
  Result<Pending> write_paced(const std::function<Status(Batch& batch)>& change);
  Status settle(const Pending& pending);
  void demand_checkpoint();
  [[nodiscard]] uint64_t waiting_bytes() const { return checkpointer_.waiting_bytes() + writer_->log_bytes(); }
  Status checkpoint_alone(Effort effort = Effort::kDue);
  void make_checkpoints();
  void stop();

  std::string folder_;
  StoreOptions options_;
  FolderLock lock_;
  const StoreSettings settings_;
  Checkpointer checkpointer_;
  std::unique_ptr<StoreState> state_;  // its threads write files by the checkpointer
  std::unique_ptr<StoreWriter> writer_;
  std::unique_ptr<LogSyncer> syncer_;  // where callers do not wait

  WritePace pace_;

  std::mutex checkpoint_mutex_;  // one at a time

  mutable std::mutex figures_mutex_;  // of what follows
  uint64_t checkpoints_ = 0, failed_checkpoints_ = 0;
  std::string checkpoint_failure_;

  std::mutex thread_mutex_;
  std::condition_variable due_;
  bool is_due_ = false, is_ending_ = false;
  std::thread thread_;
};

Status EmbeddedStore::Impl::open() {
  NEARDUP_ASSIGN(state_, checkpointer_.open());
  NEARDUP_ASSIGN(const Replayed replayed, replay_logs(folder_, checkpointer_.manifest(), *state_, checkpointer_));
  // What a killed process put into the newest log counts from here on: the next one says that it goes on from there.
  if (replayed.next_log != checkpointer_.manifest().first_log) NEARDUP_TRY(sync_log(folder_, replayed.next_log - 1));
  is_due_ = replayed.any;
  writer_ = std::make_unique<StoreWriter>(folder_, *state_, checkpointer_, options_.sync_every_ms == 0);
  NEARDUP_TRY(writer_->start(replayed.next_log, replayed.last_sequence, replayed.next_number));
  remove_empty_logs(folder_, checkpointer_.manifest().first_log, replayed.next_log);
  return {};
}

Result<std::vector<Answer>> EmbeddedStore::Impl::check(std::span<const Record> arriving, const Judge& judge) const {
  for (const Record& record : arriving) NEARDUP_TRY(check_record(settings_, record));
  Arrivals arrivals(*state_, arriving, {judge, options_.most_compared});
  NEARDUP_TRY(arrivals.prepare());
  return std::move(arrivals).prepared();
}

// After pace_.wait_turn().
Result<StoreWriter::Pending> EmbeddedStore::Impl::write_paced(const std::function<Status(Batch& batch)>& change) {
  uint64_t bytes = 0;
  auto pending = writer_->write([&](Batch& batch) {
    const Status done = change(batch);
    bytes = batch.bytes.size();
    return done;
  });
  pace_.wrote(bytes);
  return pending;
}

Result<std::vector<Answer>> EmbeddedStore::Impl::check_and_insert(std::span<const Record> arriving,
                                                                  const Judge& judge) {
  for (const Record& record : arriving) NEARDUP_TRY(check_record(settings_, record));
  pace_.wait_turn();  // what is prepared meanwhile would be old
  Arrivals arrivals(*state_, arriving, {judge, options_.most_compared});
  NEARDUP_TRY(arrivals.prepare());
  NEARDUP_ASSIGN(const Pending pending, write_paced([&](Batch& batch) { return arrivals.show(*writer_, batch); }));
  NEARDUP_TRY(settle(pending));
  return std::move(arrivals.answers());
}

Status EmbeddedStore::Impl::put(std::span<const Record> documents) {
  for (const Record& record : documents) NEARDUP_TRY(check_record(settings_, record));
  pace_.wait_turn();
  Puts puts(*state_, documents);
  NEARDUP_TRY(puts.prepare());
  NEARDUP_ASSIGN(const Pending pending, write_paced([&](Batch& batch) { return puts.show(*writer_, batch); }));
  return settle(pending);
}

Status EmbeddedStore::Impl::restore_some(std::span<const Record> documents) {
  pace_.wait_turn();
  NEARDUP_TRY(writer_->leave_out_to(documents.front().number));
  NEARDUP_ASSIGN(const Pending pending, write_paced([&](Batch& batch) -> Status {
                   for (const Record& document : documents) {
                     if (document.number < writer_->next_number())
                       return fail(Code::kInvalidArgument,
                                   fmt::format("number {} was given to another document already; copy into a "
                                               "store that is empty",
                                               document.number));
                     writer_->skip_to(document.number);
                     NEARDUP_ASSIGN(const std::vector<uint64_t> same_id, state_->find_ids(document.id));
                     NEARDUP_TRY(writer_->show(document, state_->keys_to_add(document), same_id, batch));
                   }
                   return {};
                 }));
  return settle(pending);
}

// Some at a time, between numbers that many are left out of.
Status EmbeddedStore::Impl::restore(std::span<const Record> documents) {
  for (const Record& record : documents) NEARDUP_TRY(check_record(settings_, record));
  while (!documents.empty()) {
    size_t count = 1;
    while (count < documents.size() && documents[count].number <= documents[count - 1].number + kMostLeftOut) ++count;
    NEARDUP_TRY(restore_some(documents.first(count)));
    documents = documents.subspan(count);
  }
  return {};
}

Result<uint64_t> EmbeddedStore::Impl::erase(std::span<const std::string_view> ids, std::vector<size_t>* missing) {
  uint64_t count = 0;
  std::vector<size_t> not_there;
  NEARDUP_ASSIGN(const Pending pending, writer_->write([&](Batch& batch) -> Status {
    std::set<uint64_t> numbers;
    for (size_t i = 0; i < ids.size(); ++i) {
      NEARDUP_ASSIGN(const std::vector<uint64_t> found, state_->find_ids(ids[i]));
      if (found.empty()) not_there.push_back(i);
      numbers.insert(found.begin(), found.end());
    }
    if (missing != nullptr) missing->reserve(missing->size() + not_there.size());  // nothing fails once it is done
    count = numbers.size();
    if (count > 0) writer_->show_erasure({numbers.begin(), numbers.end()}, batch);
    return {};
  }));
  NEARDUP_TRY(settle(pending));
  if (missing != nullptr) missing->insert(missing->end(), not_there.begin(), not_there.end());
  return count;
}

// Of `numbers`, ascending, those that are meant when it is their turn; in steps that hold up nobody for long. They are
// chosen before, so `numbers` must have those too that are erased already: that may not be durable yet, and is waited
// for, or taken back by then.
Result<uint64_t> EmbeddedStore::Impl::erase_some(std::span<const uint64_t> numbers,
                                                 const std::function<bool(uint64_t)>& should_erase) {
  uint64_t count = 0;
  for (; !numbers.empty(); numbers = numbers.subspan(std::min(numbers.size(), kErasedAtOnce))) {
    NEARDUP_ASSIGN(const Pending pending, writer_->write([&](Batch& batch) -> Status {
      std::vector<uint64_t> some;
      for (const uint64_t number : numbers.first(std::min(numbers.size(), kErasedAtOnce)))
        if (should_erase(number)) some.push_back(number);
      count += some.size();
      if (!some.empty()) writer_->show_erasure(some, batch);
      return {};
    }));
    NEARDUP_TRY(settle(pending));
  }
  return count;
}

// A tag that is open begins anew: it takes nobody's place any more.
Result<uint64_t> EmbeddedStore::Impl::erase_open_tag(std::string_view tag) {
  uint64_t count = 0;
  NEARDUP_ASSIGN(const Pending pending, writer_->write([&](Batch& batch) -> Status {
    if (!state_->is_open(tag)) return {};
    const std::vector<uint64_t> numbers = state_->documents_of(tag);
    count = numbers.size();
    if (count > 0) writer_->show_erasure(numbers, batch);
    writer_->show_tag_end(tag, batch);
    writer_->show_tag_begin(tag, batch);
    return {};
  }));
  NEARDUP_TRY(settle(pending));
  return count;
}

Result<uint64_t> EmbeddedStore::Impl::erase_tag(std::string_view tag) {
  uint64_t count = 0;
  if (state_->is_open(tag)) {
    NEARDUP_ASSIGN(count, erase_open_tag(tag));
  }
  NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, state_->find_tag(tag));
  NEARDUP_ASSIGN(const uint64_t others, erase_some(numbers, [&](uint64_t number) { return state_->is_live(number); }));
  return count + others;
}

Result<uint64_t> EmbeddedStore::Impl::expire(int64_t before) {
  NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, numbers_before(*state_, before));
  return erase_some(numbers, [&](uint64_t number) { return state_->is_seen(number, {}); });
}

Result<bool> EmbeddedStore::Impl::begin_tag(std::string_view tag) {
  if (tag.empty()) return fail(Code::kInvalidArgument, "a crawl needs a tag that is not empty");
  bool is_begun = false;
  NEARDUP_ASSIGN(const Pending pending, writer_->write([&](Batch& batch) -> Status {
    if (state_->is_open(tag)) return {};
    if (state_->num_open_tags() >= kMostOpenTags)
      return fail(Code::kInvalidArgument,
                  fmt::format("{} tags are open; commit or cancel one before another is begun", kMostOpenTags));
    is_begun = true;
    writer_->show_tag_begin(tag, batch);
    return {};
  }));
  NEARDUP_TRY(settle(pending));
  return is_begun;
}

// What it takes the place of is erased, or its own documents are; and it is open no more: all at once.
Result<bool> EmbeddedStore::Impl::end_tag(std::string_view tag, bool keeps) {
  bool is_ended = false;
  NEARDUP_ASSIGN(const Pending pending, writer_->write([&](Batch& batch) -> Status {
    if (!state_->is_open(tag)) return {};
    is_ended = true;
    const std::vector<uint64_t> erased = keeps ? state_->superseded_by(tag) : state_->documents_of(tag);
    if (!erased.empty()) writer_->show_erasure(erased, batch);
    writer_->show_tag_end(tag, batch);
    return {};
  }));
  NEARDUP_TRY(settle(pending));
  return is_ended;
}

// A log that is long enough makes a checkpoint due.
Status EmbeddedStore::Impl::settle(const Pending& pending) {
  NEARDUP_TRY(writer_->wait(pending));
  if (pending.log->size_bytes() >= options_.log_bytes) demand_checkpoint();
  return {};
}

void EmbeddedStore::Impl::demand_checkpoint() {
  const std::lock_guard lock(thread_mutex_);
  is_due_ = true;
  due_.notify_all();
}

Status EmbeddedStore::Impl::checkpoint(Effort effort) {
  const std::lock_guard one(checkpoint_mutex_);
  return checkpoint_alone(effort);
}

// No checkpoint removes a file meanwhile.
Status EmbeddedStore::Impl::snapshot(const std::string& folder) {
  const std::lock_guard one(checkpoint_mutex_);
  NEARDUP_TRY(checkpoint_alone());
  return copy_store(folder_, checkpointer_.manifest(), folder);
}

// Requires checkpoint_mutex_.
Status EmbeddedStore::Impl::checkpoint_alone(Effort effort) {
  Status made = guarded([&]() -> Status {
    NEARDUP_ASSIGN(const LogStart start, writer_->close_log());
    pace_.begin_checkpoint(checkpointer_.waiting_bytes());
    return checkpointer_.run(*state_, start, writer_->next_number(), effort);
  });
  pace_.end_checkpoint(made.has_value());
  const std::lock_guard lock(figures_mutex_);
  ++(made ? checkpoints_ : failed_checkpoints_);
  static_cast<void>(guarded([&]() -> Status {
    checkpoint_failure_ = made ? std::string() : made.error().message;
    return {};
  }));
  return made;
}

// What fails is tried again when the next one is due; all that was acknowledged is in the logs.
void EmbeddedStore::Impl::make_checkpoints() {
  std::unique_lock lock(thread_mutex_);
  while (true) {
    due_.wait(lock, [this] { return is_due_ || is_ending_; });
    if (is_ending_) return;
    is_due_ = false;
    lock.unlock();
    const Status made = guarded([&] { return checkpoint(); });
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
  writer_->count(statistics);
  statistics.open_tags = state_->num_open_tags();
  statistics.fingerprint_segments = state_->index().figures().segments;
  statistics.key_segments = state_->keys().view().segments().size();
  statistics.record_files = state_->num_files();
  statistics.memory_bytes = state_->size_bytes();
  NEARDUP_ASSIGN(statistics.disk_bytes, folder_bytes(folder_));
  const std::lock_guard lock(figures_mutex_);
  statistics.checkpoints = checkpoints_;
  statistics.failed_checkpoints = failed_checkpoints_;
  statistics.checkpoint_failure = checkpoint_failure_;
  return statistics;
}

EmbeddedStore::EmbeddedStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EmbeddedStore::~EmbeddedStore() = default;

Result<std::unique_ptr<EmbeddedStore>> EmbeddedStore::create(const std::string& folder, StoreSettings settings,
                                                             const StoreOptions& options,
                                                             std::span<const GivenFile> files) {
  NEARDUP_TRY(check_new_settings(settings));
  NEARDUP_TRY(create_directories_durably(folder));
  NEARDUP_TRY(check_empty(folder, options.copied_into));
  StoreManifest manifest;
  manifest.settings = std::move(settings);
  {
    NEARDUP_ASSIGN(const FolderLock lock, lock_store(folder));
    NEARDUP_TRY(check_empty(folder, options.copied_into));
    if (options.copied_into) NEARDUP_TRY(mark_copied_into(folder, true));
    NEARDUP_ASSIGN(manifest.settings.files, write_own_files(folder, files));
    NEARDUP_TRY(write_file_atomically(settings_path(folder), to_bytes(manifest)));
    NEARDUP_TRY(write_file_atomically(manifest_path(folder), to_bytes(manifest)));
  }
  return open_locked(folder, options);
}

Result<std::unique_ptr<EmbeddedStore>> EmbeddedStore::open(const std::string& folder, const StoreOptions& options) {
  NEARDUP_TRY(read_store_manifest(folder));  // no lock is left in a folder that is no store
  NEARDUP_TRY(check_whole(folder));
  return open_locked(folder, options);
}

Result<std::unique_ptr<EmbeddedStore>> EmbeddedStore::open_locked(const std::string& folder,
                                                                  const StoreOptions& options) {
  NEARDUP_ASSIGN(FolderLock lock, lock_store(folder));
  NEARDUP_ASSIGN(StoreManifest manifest, read_store_manifest(folder));
  NEARDUP_TRY(check_own_files(folder, manifest.settings.files, options.verify));
  NEARDUP_TRY(sweep_store(folder, manifest));
  auto impl = std::make_unique<Impl>(folder, options, std::move(lock), std::move(manifest));
  NEARDUP_TRY(impl->open());
  impl->start();
  return std::unique_ptr<EmbeddedStore>(new EmbeddedStore(std::move(impl)));
}

const StoreSettings& EmbeddedStore::settings() const { return impl_->settings(); }
std::string EmbeddedStore::file_path(std::string_view name) const { return own_file_path(impl_->folder(), name); }
Status EmbeddedStore::checkpoint() {
  NEARDUP_TRY(impl_->take_loss());
  return impl_->checkpoint();
}
Status EmbeddedStore::compact() {
  NEARDUP_TRY(impl_->take_loss());
  return impl_->checkpoint(Effort::kAll);
}
Result<std::vector<Answer>> EmbeddedStore::check_and_insert(std::span<const Record> arriving, const Judge& judge) {
  return impl_->check_and_insert(arriving, judge);
}
Result<std::vector<Answer>> EmbeddedStore::check(std::span<const Record> arriving, const Judge& judge) const {
  return impl_->check(arriving, judge);
}
Result<StoredNeighbours> EmbeddedStore::query(const Record& document, const Judge& judge, size_t limit) const {
  NEARDUP_TRY(check_fingerprints(settings(), document));
  return find_neighbours(impl_->state(), document, candidates_of(impl_->state(), document, Wanted::kAll), judge, limit);
}
Result<std::optional<uint64_t>> EmbeddedStore::find_repeated(const Record& document, const Judge& judge,
                                                             std::span<const uint64_t> but) const {
  NEARDUP_TRY(check_fingerprints(settings(), document));
  const Candidates candidates = candidates_of(impl_->state(), document, Wanted::kAll);
  return store::find_repeated(impl_->state(), document, candidates, judge, but);
}
Result<std::vector<uint64_t>> EmbeddedStore::find_holders(const Record& document, size_t most,
                                                          std::span<const uint64_t> but) const {
  const Candidates candidates = candidates_of(impl_->state(), document, Wanted::kToPut);
  return store::find_holders(impl_->state(), candidates, most, but);
}
Status EmbeddedStore::put(std::span<const Record> documents) { return impl_->put(documents); }

Result<uint64_t> EmbeddedStore::erase(std::span<const std::string_view> ids, std::vector<size_t>* missing) {
  return impl_->erase(ids, missing);
}
Result<uint64_t> EmbeddedStore::erase_tag(std::string_view tag) { return impl_->erase_tag(tag); }
Result<uint64_t> EmbeddedStore::expire(int64_t before) { return impl_->expire(before); }
Result<bool> EmbeddedStore::begin_tag(std::string_view tag) { return impl_->begin_tag(tag); }
Result<bool> EmbeddedStore::commit_tag(std::string_view tag) { return impl_->end_tag(tag, true); }
Result<bool> EmbeddedStore::cancel_tag(std::string_view tag) { return impl_->end_tag(tag, false); }

Result<bool> EmbeddedStore::find(std::string_view id, const Visitor& visit) const {
  NEARDUP_ASSIGN(const std::optional<uint64_t> number, impl_->state().find_id(id, {}));
  return number ? find_number(*number, visit) : Result<bool>(false);
}
Result<bool> EmbeddedStore::find_number(uint64_t number, const Visitor& visit) const {
  if (!impl_->state().is_seen(number, {})) return false;
  HeldRecord held;
  NEARDUP_ASSIGN(const bool is_there, impl_->state().read(number, held));
  if (is_there) visit(*held);
  return is_there;
}
Result<std::optional<uint64_t>> EmbeddedStore::for_each(uint64_t first, size_t limit, const Visitor& visit) const {
  return visit_documents(impl_->state(), first, limit, visit);
}
Result<std::vector<Member>> EmbeddedStore::duplicates_of(std::string_view id, uint64_t first, size_t limit) const {
  return members_of(impl_->state(), id, first, limit);
}
Result<std::optional<uint64_t>> EmbeddedStore::for_each_to_copy(uint64_t first, size_t limit,
                                                                const CopyVisitor& visit) const {
  return visit_to_copy(impl_->state(), first, limit, visit);
}
Status EmbeddedStore::set_copied_into(bool is_so) { return mark_copied_into(impl_->folder(), is_so); }
Status EmbeddedStore::restore(std::span<const Record> documents) { return impl_->restore(documents); }
Result<std::vector<TagCount>> EmbeddedStore::tags() const { return count_tags(impl_->state()); }

Status EmbeddedStore::snapshot(const std::string& folder) { return impl_->snapshot(folder); }
Result<Statistics> EmbeddedStore::statistics() const { return impl_->statistics(); }

}  // namespace neardup::store
