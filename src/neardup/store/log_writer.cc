#include "neardup/store/log_writer.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <utility>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/guard.h"
#include "neardup/store/log_format.h"

namespace neardup::store {
namespace {

constexpr uint64_t kLeastFillBytes = uint64_t{1} << 16;
constexpr uint64_t kMostFillBytes = uint64_t{1} << 20;

uint64_t random_salt() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

// Returns the same; where there is no memory for its words, an error all the same.
Status copy_of(const Status& status) noexcept {
  return guarded([&] { return status; });
}

}  // namespace

// Records that go to the disk together.
struct LogWriter::Group {
  std::string bytes = std::string(group_header_bytes(), '\0');
  uint64_t first = 0;
  uint32_t num_records = 0;
  bool is_settled = false;  // in the file, or never
  Status result;
};

Result<std::unique_ptr<LogWriter>> LogWriter::create(const std::string& folder, uint64_t number, uint64_t previous) {
  std::unique_ptr<LogWriter> log(new LogWriter);
  log->path_ = log_path(folder, number);
  log->number_ = number;
  log->salt_ = random_salt();
  log->end_ = log->durable_end_ = kLogHeaderBytes;
  log->filled_bytes_ = kLeastFillBytes;
  log->previous_ = log->last_sequence_ = log->last_written_ = log->last_durable_ = log->last_marked_ = previous;
  std::string bytes = to_bytes(LogHeader{number, previous, log->salt_});
  bytes.resize(kLeastFillBytes);
  NEARDUP_TRY(write_file_atomically(log->path_, bytes));
  log->descriptor_ = open_descriptor(log->path_, O_WRONLY);
  if (log->descriptor_ < 0) return fail_errno("cannot open", log->path_, errno);
  return log;
}

// What was appended and never waited for was never promised.
LogWriter::~LogWriter() {
  if (descriptor_ < 0) return;
  if (needs_mark()) static_cast<void>(guarded([this] { return write_mark(); }));
  static_cast<void>(close_descriptor(descriptor_, path_));
}

// Requires mutex_, or nobody else. Whether all is on the disk, and no group says so of the last one.
bool LogWriter::needs_mark() const {
  return status_ && last_durable_ == last_written_ && last_durable_ != last_marked_;
}

// A group without records. Groups at the end that are not whole are taken for what a crash has left, unless one behind
// them says that they were on the disk: so damage to them shows. Where the mark does not come to the disk all is as
// after a crash.
Status LogWriter::write_mark() {
  std::string mark(group_header_bytes(), '\0');
  seal_group(mark, {last_durable_ + 1, last_durable_, last_durable_, 0}, salt_);
  return write_all_at(descriptor_, end_, mark, path_);
}

// Requires mutex_, and that nobody leads. Nobody waits for it: it counts as on the disk.
void LogWriter::mark_durable(std::unique_lock<std::mutex>& lock) {
  has_leader_ = true;
  lock.unlock();
  const bool is_marked = guarded([&] { return write_mark(); }).has_value();
  lock.lock();
  has_leader_ = false;
  if (!is_marked) return;  // the next group lies where it should
  last_marked_ = last_durable_;
  end_ += group_header_bytes();
  durable_end_ = end_;
}

Result<LogWriter::Ticket> LogWriter::append(std::string_view record) {
  if (record.size() > UINT32_MAX)
    return fail(Code::kInvalidArgument, fmt::format("a record of {} bytes is too long for a log", record.size()));
  const std::lock_guard lock(mutex_);
  if (!status_) return tl::unexpected<Error>(status_.error());
  if (open_ == nullptr) open_ = std::make_shared<Group>();
  append_to_group(open_->bytes, record);  // what may fail is behind
  Ticket ticket;
  ticket.sequence_ = ++last_sequence_;
  ticket.group_ = open_;
  if (open_->num_records++ == 0) open_->first = ticket.sequence_;
  return ticket;
}

// Where nobody leads, all groups but the open one are settled.
Status LogWriter::put(const Ticket& ticket) {
  std::unique_lock lock(mutex_);
  while (!ticket.group_->is_settled) {
    if (has_leader_)
      settled_.wait(lock);
    else
      lead(lock, false);
  }
  return ticket.group_->result;
}

Status LogWriter::wait(const Ticket& ticket) {
  std::unique_lock lock(mutex_);
  const Group& group = *ticket.group_;
  while (!group.is_settled || (group.result && last_durable_ < ticket.sequence_ && !is_dead_)) {
    if (!group.is_settled && !has_leader_)
      lead(lock, true);
    else if (!group.is_settled || has_syncer_)
      settled_.wait(lock);
    else
      sync_written(lock);
  }
  return group.result && last_durable_ < ticket.sequence_ ? status_ : group.result;
}

// Others wait for who leads: nothing here may throw.
void LogWriter::lead(std::unique_lock<std::mutex>& lock, bool syncs) {
  const std::shared_ptr<Group> group = std::exchange(open_, nullptr);
  has_leader_ = true;
  led_bytes_ = group->bytes.size();
  const uint64_t durable = last_durable_;
  const bool is_ahead = durable != last_written_;
  lock.unlock();
  Status result = guarded([&] { return write(*group, durable); });
  const bool is_written = result.has_value();
  // A write that failed takes none of those before it along.
  Status synced = is_written ? (syncs ? sync() : Status()) : (is_ahead ? sync() : Status());
  lock.lock();
  has_leader_ = false;
  led_bytes_ = 0;
  if (!synced) is_dead_ = true;
  if (!is_written && synced && is_ahead) note_synced(last_written_, end_);
  settle(*group, syncs, is_written ? std::move(synced) : std::move(result));
  settled_.notify_all();
}

// Beside append(): end_ and last_written_ are changed by who leads alone.
Status LogWriter::write(Group& group, uint64_t durable) {
  seal_group(group.bytes, {group.first, last_written_, durable, group.num_records}, salt_);
  NEARDUP_TRY(write_all_at(descriptor_, end_, group.bytes, path_));
  const uint64_t end = end_ + group.bytes.size();
  if (end > filled_bytes_) fill_from(end);
  return {};
}

// One at a time, and none after one that failed: the system tells of a write that was lost once, to whoever asks first.
Status LogWriter::sync() {
  return guarded([&]() -> Status {
    const std::lock_guard lock(sync_mutex_);
    if (has_sync_failed_) return fail(Code::kIo, fmt::format("an earlier sync of '{}' failed", path_));
    has_sync_failed_ = true;  // also where not even the message of what fails can be had
    NEARDUP_TRY(sync_bytes(descriptor_, path_));
    has_sync_failed_ = false;
    return {};
  });
}

// Beside who leads.
void LogWriter::sync_written(std::unique_lock<std::mutex>& lock) {
  has_syncer_ = true;
  const uint64_t sequence = last_written_, end = end_;
  lock.unlock();
  Status synced = sync();
  lock.lock();
  has_syncer_ = false;
  if (synced) {
    note_synced(sequence, end);
    if (!has_leader_ && open_ == nullptr && needs_mark()) mark_durable(lock);
  } else {
    is_dead_ = true;
    give_up(std::move(synced));
  }
  settled_.notify_all();
}

// Requires mutex_.
void LogWriter::note_synced(uint64_t sequence, uint64_t end) {
  last_durable_ = std::max(last_durable_, sequence);
  durable_end_ = std::max(durable_end_, end);
}

// Saves time, no more: a disk that is full tells the next group so, and refused memory is no reason to lose this one.
void LogWriter::fill_from(uint64_t byte) {
  static_cast<void>(guarded([&]() -> Status {
    const std::string zeros(std::clamp(byte, kLeastFillBytes, kMostFillBytes), '\0');
    NEARDUP_TRY(write_all_at(descriptor_, byte, zeros, path_));
    filled_bytes_ = byte + zeros.size();
    return {};
  }));
}

// Requires mutex_.
void LogWriter::settle(Group& group, bool syncs, Status result) noexcept {
  group.is_settled = true;
  if (result && is_dead_) result = copy_of(status_);  // a sync beside it failed: another file goes on
  if (result) {
    end_ += group.bytes.size();
    last_written_ = group.first + group.num_records - 1;
    if (syncs) note_synced(last_written_, end_);
  } else {
    group.result = copy_of(result);
    give_up(std::move(result));
  }
  group.bytes = {};
}

// Requires mutex_. Of what is appended and not written: it may build on what failed.
void LogWriter::give_up(Status result) noexcept {
  if (open_ != nullptr) {
    open_->result = copy_of(result);
    open_->is_settled = true;
    open_ = nullptr;
  }
  if (status_) status_ = std::move(result);
}

Status LogWriter::resume() {
  const std::lock_guard lock(mutex_);
  if (is_dead_) return status_;
  status_ = {};
  return {};
}

// Requires mutex_.
uint64_t LogWriter::open_bytes() const { return open_ == nullptr || open_->num_records == 0 ? 0 : open_->bytes.size(); }

bool LogWriter::has_failed() const {
  const std::lock_guard lock(mutex_);
  return !status_;
}

bool LogWriter::is_dead() const {
  const std::lock_guard lock(mutex_);
  return is_dead_;
}

Status LogWriter::failure() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

uint64_t LogWriter::last_durable() const {
  const std::lock_guard lock(mutex_);
  return last_durable_;
}

uint64_t LogWriter::size_bytes() const {
  const std::lock_guard lock(mutex_);
  return end_ + led_bytes_ + open_bytes();
}

uint64_t LogWriter::waiting_bytes() const {
  const std::lock_guard lock(mutex_);
  return end_ - durable_end_ + led_bytes_ + open_bytes();
}

Status sync_log(const std::string& folder, uint64_t number) {
  const std::string path = log_path(folder, number);
  int descriptor = open_descriptor(path, O_WRONLY);
  if (descriptor < 0) return fail_errno("cannot open", path, errno);
  const Status synced = sync_bytes(descriptor, path);
  const Status closed = close_descriptor(descriptor, path);
  return synced ? closed : synced;
}

std::string log_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/log-{:06}.log", folder, number);
}

}  // namespace neardup::store
