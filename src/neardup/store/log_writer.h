// Writes a log: many append, one sync serves all that wait.
//
// Who waits for a record and finds nobody writing writes all that was appended so far as one group (the leader); those
// who come meanwhile make the next group. So a slow disk makes larger groups, not longer queues.
//
// The file is filled with zeros some way ahead: a sync of bytes in a file that does not grow is one write to the disk,
// one of a growing file is two.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::store {

/// A new log file; never one that is there, so that nothing is written behind what a crash has left.
/// After a write that failed nothing is taken until resume(): what was appended later may build on what was lost.
/// Threads: wait() and the figures from any number; append() and resume() by one at a time.
class LogWriter {
  struct Group;

 public:
  /// A record on its way: in the group that decides whether it is durable.
  class Ticket {
   public:
    [[nodiscard]] uint64_t sequence() const { return sequence_; }
    /// Whether it is of a record.
    [[nodiscard]] bool is_set() const { return group_ != nullptr; }

   private:
    friend class LogWriter;
    uint64_t sequence_ = 0;
    std::shared_ptr<Group> group_;
  };

  /// Makes the file of that number in `folder` (log_path()); it is durable, and empty, when this returns. `previous`:
  /// the last sequence number of older files that counts. Errors: kIo, kDiskFull.
  [[nodiscard]] static Result<std::unique_ptr<LogWriter>> create(const std::string& folder, uint64_t number,
                                                                 uint64_t previous);
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Takes a record; its sequence number is greater than all before. It is copied. Errors: kInvalidArgument where it
  /// has 2^32 bytes or more; the error of an earlier write. Where memory is refused it throws, and nothing is taken.
  [[nodiscard]] Result<Ticket> append(std::string_view record);
  /// Returns when the record, and with it each one appended before, is in the file: there after a kill of the process,
  /// but not after a loss of power before a wait() that comes later. Errors: as wait().
  [[nodiscard]] Status put(const Ticket& ticket);
  /// Returns when the record, and with it each one appended before, is on the disk. Errors: kIo, kDiskFull, kMemory: it
  /// does not count, nor does any appended after it and before resume().
  [[nodiscard]] Status wait(const Ticket& ticket);
  /// Takes records again after a write that failed: the next group lies where the lost one should. Errors: that of a
  /// sync, which is never tried again: nobody knows what of the file is on the disk. Another file must go on.
  [[nodiscard]] Status resume();

  /// Returns whether a write failed since the last resume().
  [[nodiscard]] bool has_failed() const;
  /// Returns whether that was a sync: then records may be lost that put() has taken.
  [[nodiscard]] bool is_dead() const;
  /// Returns why, or that none did.
  [[nodiscard]] Status failure() const;
  /// Returns the sequence number of the last record that is on the disk: `previous` where there is none.
  [[nodiscard]] uint64_t last_durable() const;
  /// Returns how long the file is with all that was appended, without the zeros behind it.
  [[nodiscard]] uint64_t size_bytes() const;
  /// Returns how much of it waits for the disk.
  [[nodiscard]] uint64_t waiting_bytes() const;
  [[nodiscard]] uint64_t number() const { return number_; }
  /// Returns the sequence number of the last record of older files that counts.
  [[nodiscard]] uint64_t previous() const { return previous_; }

 private:
  LogWriter() = default;
  [[nodiscard]] bool needs_mark() const;
  [[nodiscard]] Status write_mark();
  void mark_durable(std::unique_lock<std::mutex>& lock);
  void lead(std::unique_lock<std::mutex>& lock, bool syncs);
  [[nodiscard]] Status write(Group& group, uint64_t durable);
  [[nodiscard]] Status sync();
  void fill_from(uint64_t byte);
  void sync_written(std::unique_lock<std::mutex>& lock);
  void note_synced(uint64_t sequence, uint64_t end);
  void settle(Group& group, bool syncs, Status result) noexcept;
  void give_up(Status result) noexcept;
  [[nodiscard]] uint64_t open_bytes() const;

  int descriptor_ = -1;
  std::string path_;
  uint64_t number_ = 0;
  uint64_t previous_ = 0;
  uint64_t salt_ = 0;

  // Of the leader alone.
  uint64_t filled_bytes_ = 0;  // the file's length

  std::mutex sync_mutex_;
  bool has_sync_failed_ = false;  // under sync_mutex_

  mutable std::mutex mutex_;  // of all below
  std::condition_variable settled_;
  std::shared_ptr<Group> open_;  // takes records; null: the next one begins a group
  bool has_leader_ = false;
  bool has_syncer_ = false;  // of what is written
  Status status_;            // of a write; nothing is taken until resume()
  bool is_dead_ = false;     // a sync failed
  uint64_t end_ = 0;         // of the last group that counts, in the file
  uint64_t led_bytes_ = 0;   // of the group that is being written
  uint64_t last_sequence_ = 0;
  uint64_t last_written_ = 0;  // in the file
  uint64_t last_durable_ = 0;
  uint64_t last_marked_ = 0;  // a group without records says that it is on the disk
  uint64_t durable_end_ = 0;  // of the last group that is on the disk
};

/// Returns when all that the log of that number holds is on the disk, whoever wrote it. Errors: kIo, kNotFound.
[[nodiscard]] Status sync_log(const std::string& folder, uint64_t number);

/// Returns the name of the log of that number.
[[nodiscard]] std::string log_path(const std::string& folder, uint64_t number);

}  // namespace neardup::store
