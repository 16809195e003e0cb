// One writer decides at a time, in the order in which documents come to it; what it shows in memory may still be on its
// way to the disk, and whoever builds on it waits for a later sync of the same log, which cannot succeed without the
// earlier one. Where a sync fails, all that is not known to be durable is taken back, newest first, and all who wait
// hear it: the memory then is what the disk is. docs/design/store.md.
#include "neardup/store/store_writer.h"

#include <algorithm>
#include <utility>

#include "neardup/base/guard.h"
#include "neardup/store/batch_record.h"
#include "neardup/store/change.h"

namespace neardup::store {

StoreWriter::StoreWriter(std::string folder, StoreState& state, Checkpointer& checkpointer, bool waits)
    : folder_(std::move(folder)), state_(state), checkpointer_(checkpointer), waits_(waits) {}

Status StoreWriter::start(uint64_t log, uint64_t previous, uint64_t next_number) {
  const std::lock_guard lock(mutex_);
  next_number_ = log_first_ = next_number;
  static_cast<void>(state_.begin_at(next_number));
  first_log_ = log;
  first_previous_ = previous;
  const Status begun = begin_first_log();
  return !begun && begun.error().code == Code::kDiskFull ? Status() : begun;
}

Status StoreWriter::begin_first_log() {
  NEARDUP_ASSIGN(log_, LogWriter::create(folder_, first_log_, first_previous_));
  return {};
}

Result<StoreWriter::Pending> StoreWriter::write(const std::function<Status(Batch& batch)>& change) {
  const std::lock_guard lock(mutex_);
  Batch batch;
  Status done = guarded([&]() -> Status {
    NEARDUP_TRY(ready());
    NEARDUP_TRY(std::exchange(loss_, {}));
    NEARDUP_TRY(change(batch));
    return batch.bytes.empty() ? Status() : log(batch);
  });
  // Also where nothing changed: what was found may be on its way to the disk.
  if (done) return Pending{log_, last_};
  take_back(batch);
  return tl::unexpected<Error>(std::move(done).error());
}

// Its place among what is shown first: what the log has is never forgotten.
Status StoreWriter::log(Batch& batch) {
  shown_.emplace_back();
  auto ticket = guarded([&] { return log_->append(batch.bytes); });
  if (!ticket) {
    shown_.pop_back();
    return tl::unexpected<Error>(std::move(ticket).error());
  }
  last_ = *ticket;
  log_has_records_ = true;
  log_bytes_ = log_->size_bytes();
  batch.sequence = ticket->sequence();
  batch.bytes = {};
  shown_.back() = std::move(batch);
  return {};
}

// Without a ticket nothing was appended to this log since it was begun, or failed: all is durable.
Status StoreWriter::wait(const Pending& pending) {
  if (!pending.ticket.is_set()) return {};
  const bool puts = !waits_ && pending.log->waiting_bytes() < kMostWaitingBytes;
  Status durable = guarded([&] { return puts ? pending.log->put(pending.ticket) : pending.log->wait(pending.ticket); });
  if (!durable) {
    const std::lock_guard lock(mutex_);
    static_cast<void>(guarded([&] { return ready(); }));  // who comes next does so else
    loss_ = {};                                           // this caller is told
  }
  return durable;
}

Status StoreWriter::sync() {
  Pending pending;
  {
    const std::lock_guard lock(mutex_);
    pending = {log_, last_};
  }
  if (!pending.ticket.is_set()) return {};
  return guarded([&]() -> Status {
    if (!waits_) NEARDUP_TRY(pending.log->put(pending.ticket));  // else who only puts would wait for the disk, too
    return pending.log->wait(pending.ticket);
  });
}

Status StoreWriter::take_loss() {
  const std::lock_guard lock(mutex_);
  NEARDUP_TRY(guarded([&] { return ready(); }));
  return std::exchange(loss_, {});
}

// A document that is a duplicate needs nothing by which others would find it, unless it is remembered. What takes a
// step back stands in the batch before the step is made.
Status StoreWriter::show(Record document, std::span<const uint64_t> keys, std::span<const uint64_t> same_id,
                         Batch& batch) {
  leave_out_needless(document);
  document.number = next_number_;
  arrival_.clear();
  append_arrival(arrival_, document, same_id);
  append_piece(batch.bytes, arrival_);
  state_.make_room(next_number_);
  batch.added.push_back(next_number_);
  ++next_number_;
  NEARDUP_TRY(state_.add(document, keys, arrival_));  // a copy has no room behind it
  if (arrival_.capacity() > kUsualArrivalBytes) arrival_ = {};
  if (same_id.empty()) return {};
  const auto made = std::make_shared<Replacement>();
  batch.undo.emplace_back([this, made] { state_.take_back(*made); });
  state_.take_place(document, same_id, *made);
  return {};
}

// A restart takes them for given up, too, by the number of the next document.
void StoreWriter::skip_to(uint64_t number) {
  if (number <= next_number_) return;
  state_.leave_out(next_number_, number);
  next_number_ = number;
}

Status StoreWriter::leave_out_to(uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (number < next_number_ || number - next_number_ <= kMostLeftOut) return {};
  NEARDUP_TRY(ready());
  if (last_.is_set()) NEARDUP_TRY(log_->wait(last_));
  if (log_has_records_ || !state_.begin_at(number)) NEARDUP_TRY(begin_log());
  skip_to(number);
  log_first_ = number;
  static_cast<void>(state_.begin_at(number));
  return {};
}

void StoreWriter::show_erasure(const std::vector<uint64_t>& numbers, Batch& batch) {
  std::string bytes;
  append_erasure(bytes, numbers);
  append_piece(batch.bytes, bytes);
  batch.undo.emplace_back([this, numbers] { state_.restore(numbers); });
  state_.erase(numbers);
}

void StoreWriter::show_tag_begin(std::string_view tag, Batch& batch) {
  std::string bytes;
  append_tag_begin(bytes, tag);
  append_piece(batch.bytes, bytes);
  batch.undo.emplace_back([this, name = std::string(tag)] { state_.close_tag(name); });
  state_.open_tag(tag);
}

void StoreWriter::show_tag_end(std::string_view tag, Batch& batch) {
  std::string bytes;
  append_tag_end(bytes, tag);
  append_piece(batch.bytes, bytes);
  const auto closed = std::make_shared<OpenTags::Closed>();
  batch.undo.emplace_back([this, closed] { state_.reopen_tag(std::move(*closed)); });
  *closed = state_.close_tag(tag);
}

// The log takes records: what a failed write left is taken back first.
Status StoreWriter::ready() {
  if (log_ == nullptr) NEARDUP_TRY(begin_first_log());
  forget_durable();
  state_.index().resume();
  if (!log_->has_failed()) return needs_log_ ? begin_log() : Status();
  forget_durable();  // what a write that failed has synced before it said so
  if (!waits_ && !shown_.empty() && log_->is_dead()) loss_ = log_->failure();
  for (; !shown_.empty(); shown_.pop_back()) take_back(shown_.back());
  log_bytes_ = log_->size_bytes();
  last_ = {};  // nobody who asks from here on builds on what failed
  if (!needs_log_ && log_->resume()) return {};
  return begin_log();  // nobody knows how much of the old file is on the disk: the next one says from where it goes on
}

void StoreWriter::forget_durable() {
  const uint64_t durable = log_->last_durable();
  while (!shown_.empty() && shown_.front().sequence <= durable) shown_.pop_front();
}

// Newest first. A document that took the place of another one in the same batch was added after it.
void StoreWriter::take_back(const Batch& batch) noexcept {
  for (auto undo = batch.undo.rbegin(); undo != batch.undo.rend(); ++undo) (*undo)();
  state_.erase(batch.added);
}

// Under the lock, which takes two syncs; all else of a checkpoint goes on beside writers.
Result<LogStart> StoreWriter::close_log() {
  const std::lock_guard lock(mutex_);
  NEARDUP_TRY(ready());
  if (last_.is_set()) NEARDUP_TRY(log_->wait(last_));
  if (log_has_records_) NEARDUP_TRY(begin_log());
  return LogStart{log_->number(), log_->last_durable(), log_first_, state_.erased(), state_.open_tags()};
}

// Requires that nothing waits for the old log. Where it fails the next file may be there all the same, and say from
// where it goes on: nothing is written to the old one any more.
Status StoreWriter::begin_log() {
  needs_log_ = true;
  state_.keys().freeze();  // all of the old log; the next one has none in that map
  NEARDUP_ASSIGN(std::shared_ptr<LogWriter> next, LogWriter::create(folder_, log_->number() + 1, log_->last_durable()));
  state_.begin_log(next_number_);
  auto added = guarded([&]() -> Status {
    checkpointer_.add({log_->number(), log_->previous(), log_first_, next_number_, log_->size_bytes()});
    return {};
  });
  if (!added) {
    state_.take_back_log();
    return added;
  }
  log_bytes_ = 0;
  needs_log_ = false;
  log_ = std::move(next);
  last_ = {};
  log_has_records_ = false;
  log_first_ = next_number_;
  return {};
}

void StoreWriter::count(Statistics& statistics) const {
  const std::lock_guard lock(mutex_);
  statistics.next_number = next_number_;
  statistics.erased = state_.num_erased();
  statistics.documents = next_number_ - statistics.erased;
  statistics.duplicates = state_.num_duplicates();
  statistics.log_bytes = checkpointer_.waiting_bytes() + (log_ == nullptr ? 0 : log_->size_bytes());
}

}  // namespace neardup::store
