// StoreWriter: the changes of a store, one after the other: shown in memory, logged, and durable once wait() returns;
// or taken back as if they had never been.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/store/checkpointer.h"
#include "neardup/store/log_writer.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// Threads: any number; who changes takes turns.
class StoreWriter {
 public:
  /// What one call changes: all of it is durable, or nothing.
  struct Batch {
    std::string bytes;  // for the log
    std::vector<uint64_t> added;
    std::vector<std::function<void()>> undo;  // all else, in the order in which it is done; each stands here before
    uint64_t sequence = 0;                    // in the log
  };
  /// What an answer waits for.
  struct Pending {
    std::shared_ptr<LogWriter> log;
    LogWriter::Ticket ticket;
  };

  /// `state` and `checkpointer` must outlive it. `waits`: whether wait() waits for the disk; else
  /// somebody else calls sync().
  StoreWriter(std::string folder, StoreState& state, Checkpointer& checkpointer, bool waits);

  /// Makes the log of that number, to go on from `previous` (a sequence number) and `next_number` (of a document).
  /// Once, before all else. Where the disk is full it succeeds all the same: whoever changes anything hears of it,
  /// until there is room. Errors: kIo.
  [[nodiscard]] Status start(uint64_t log, uint64_t previous, uint64_t next_number);

  /// Lets `change` show what one call does, and logs it. Where that ends half-way, all of it is taken back, for which
  /// no memory is needed. Nobody else changes anything meanwhile. Errors: those of `change`, kIo, kDiskFull, kMemory.
  [[nodiscard]] Result<Pending> write(const std::function<Status(Batch& batch)>& change);
  /// Gives up the numbers before `number` where they are many (kMostLeftOut), and begins a log behind them, so that
  /// they cost nothing. Errors: as write().
  [[nodiscard]] Status leave_out_to(uint64_t number);
  /// Returns when what was written is durable, and all that it may build on; where somebody else calls sync(), when it
  /// is in the file, as a kill of the process leaves it. Errors: kIo, kDiskFull, kMemory: it is taken back, and so is
  /// what others wrote since.
  [[nodiscard]] Status wait(const Pending& pending);
  /// Returns when all that was shown is durable. Errors: as wait(); the next write() returns it, too.
  [[nodiscard]] Status sync();
  /// Returns, once, why something was lost that was acknowledged without waiting. write() does so, too.
  [[nodiscard]] Status take_loss();

  // What a change is made of: to be called by it alone.
  /// Adds a document under the next number, in the place of others with its id (StoreState::take_place()); `keys` are
  /// those by which it is found.
  [[nodiscard]] Status show(Record document, std::span<const uint64_t> keys, std::span<const uint64_t> same_id,
                            Batch& batch);
  /// Gives up the numbers before `number`.
  void skip_to(uint64_t number);
  /// Requires: they are live, ascending.
  void show_erasure(const std::vector<uint64_t>& numbers, Batch& batch);
  /// Requires: the tag is not open; for the second: it is.
  void show_tag_begin(std::string_view tag, Batch& batch);
  void show_tag_end(std::string_view tag, Batch& batch);

  /// Closes the log if there is anything in it, with all of it durable.
  [[nodiscard]] Result<LogStart> close_log();
  /// Returns the number of the next document.
  [[nodiscard]] const std::atomic<uint64_t>& next_number() const { return next_number_; }
  /// Returns the bytes of the log that goes on.
  [[nodiscard]] uint64_t log_bytes() const { return log_bytes_; }
  /// Fills in what is counted of documents, all at one moment.
  void count(Statistics& statistics) const;

 private:
  // All of these require mutex_.
  Status ready();
  void forget_durable();
  Status log(Batch& batch);
  void take_back(const Batch& batch) noexcept;
  Status begin_first_log();
  Status begin_log();

  static constexpr size_t kUsualArrivalBytes = size_t{1} << 20;      // room of more is given back
  static constexpr uint64_t kMostWaitingBytes = uint64_t{32} << 20;  // then who need not wait waits

  const std::string folder_;
  StoreState& state_;
  Checkpointer& checkpointer_;
  const bool waits_;

  mutable std::mutex mutex_;        // of the log and what follows; who has it decides and shows
  std::shared_ptr<LogWriter> log_;  // null: the disk was full when it was to be made
  uint64_t first_log_ = 0;          // its number, until it is there
  uint64_t first_previous_ = 0;     // and the sequence number that it goes on from
  LogWriter::Ticket last_;          // of what was appended and may not be durable yet
  bool log_has_records_ = false;    // or had some that were taken back
  std::string arrival_;             // room to write one in
  std::deque<Batch> shown_;         // that are not known to be durable; without their bytes
  bool needs_log_ = false;          // the old one takes no more
  Status loss_;                     // that nobody was told of; where nobody waits
  uint64_t log_first_ = 0;          // first document of the log
  std::atomic<uint64_t> next_number_{0};
  std::atomic<uint64_t> log_bytes_{0};
};

}  // namespace neardup::store
