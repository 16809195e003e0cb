#include "neardup/store/store_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "neardup/store/batch_record.h"
#include "neardup/store/change.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/store_files.h"

namespace neardup::store {
namespace {

constexpr size_t kLogsInMemory = 4;

class Replay {
 public:
  Replay(const std::string& folder, StoreState& state, Checkpointer& checkpointer, const StoreManifest& manifest,
         Moves moves)
      : moves_(moves),
        folder_(folder),
        state_(state),
        checkpointer_(checkpointer),
        next_number_(manifest.next_number),
        first_free_(manifest.first_free) {
    static_cast<void>(state_.begin_at(next_number_));
  }

  Status take(const LoggedRecord& record);
  void skip_to(uint64_t number);
  void end();
  [[nodiscard]] uint64_t next_number() const { return next_number_; }
  [[nodiscard]] bool any() const { return closed_.log != 0; }

 private:
  Status take_change(const LoggedRecord& record, std::string_view bytes);
  Status next_log(const LoggedRecord& record);

  Moves moves_;
  const std::string& folder_;
  StoreState& state_;
  Checkpointer& checkpointer_;
  uint64_t next_number_;
  uint64_t first_free_;
  uint64_t last_sequence_ = 0;
  size_t num_logs_ = 0;
  ClosedLog closed_;
  ChangeReader reader_;
};

// Numbers of documents that were given up: what finds them may be in a segment.
void Replay::skip_to(uint64_t number) {
  if (number <= next_number_) return;
  state_.leave_out(next_number_, number);
  next_number_ = number;
  if (closed_.first == closed_.end && state_.begin_at(number)) closed_.first = closed_.end = number;
}

Status Replay::take(const LoggedRecord& record) {
  if (closed_.log != record.log) NEARDUP_TRY(next_log(record));
  last_sequence_ = record.sequence;
  closed_.size_bytes = record.offset + record.bytes.size();
  return for_each_piece(record.bytes, [&](std::string_view bytes) { return take_change(record, bytes); });
}

// Where there are many logs those before are moved to files meanwhile, so that not all of it is in memory; on a full
// disk it is, until a checkpoint finds room: what the index seals meanwhile, too.
Status Replay::next_log(const LoggedRecord& record) {
  if (closed_.log != 0) {
    end();
    if (++num_logs_ % kLogsInMemory == 0 && moves_ == Moves::kOldLogs) {
      const std::atomic<uint64_t> next_number = std::max(next_number_, first_free_);
      const Status moved = checkpointer_.run(
          state_, {record.log, last_sequence_, next_number_, state_.erased(), state_.open_tags()}, next_number);
      if (!moved && moved.error().code != Code::kDiskFull) return moved;
      if (!moved) state_.index().resume();
    }
  }
  closed_ = {record.log, closed_.log == 0 ? record.sequence - 1 : last_sequence_, next_number_, next_number_, 0};
  return {};
}

Status Replay::take_change(const LoggedRecord& record, std::string_view bytes) {
  NEARDUP_ASSIGN(const Change change, reader_.read(bytes));
  state_.erase(change.erased);
  if (change.begun) state_.open_tag(*change.begun);
  if (change.ended) state_.close_tag(*change.ended);
  if (!change.document) return {};
  if (change.document->number < next_number_)
    return fail(Code::kCorruption, fmt::format("log {} of '{}' has document {} twice; restore the store from a copy",
                                               record.log, folder_, change.document->number));
  skip_to(change.document->number);
  closed_.end = ++next_number_;
  NEARDUP_TRY(state_.add(*change.document, state_.keys_to_add(*change.document), std::string(bytes)));
  Replacement replacement;
  state_.take_place(*change.document, change.same_id, replacement);
  return {};
}

void Replay::end() {
  if (closed_.log == 0) return;
  checkpointer_.add(closed_);
  state_.begin_log(next_number_);
  state_.keys().freeze();
}

}  // namespace

// What is read again has its answer: nothing is decided.
Result<Replayed> replay_logs(const std::string& folder, const StoreManifest& named, StoreState& state,
                             Checkpointer& checkpointer, Moves moves) {
  const StoreManifest manifest = named;  // that of the checkpointer changes meanwhile
  NEARDUP_ASSIGN(const std::vector<uint64_t> logs, list_logs(folder, manifest.first_log));
  state.index().keep_in_memory(true);
  Replay replay(folder, state, checkpointer, manifest, moves);
  NEARDUP_ASSIGN(const LogEnd end, read_logs(folder, logs, manifest.last_sequence,
                                             [&](const LoggedRecord& record) { return replay.take(record); }));
  replay.skip_to(std::max(manifest.first_free, replay.next_number()));
  replay.end();
  state.index().keep_in_memory(false);
  return Replayed{logs.empty() ? manifest.first_log : logs.back() + 1, end.last_sequence, replay.next_number(),
                  replay.any()};
}

}  // namespace neardup::store
