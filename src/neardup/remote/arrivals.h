// Arrivals: calls that bring documents, cut into batches that go to the server until all of them happened.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "neardup/remote/arrival_batch.h"
#include "neardup/remote/attempts.h"

namespace neardup::remote {

/// Threads: any member from any number. Where commits of different callers are in each other's way they take turns, and
/// documents of calls that wait for theirs at the same time go together.
class Arrivals {
 public:
  /// The backend must outlive it.
  Arrivals(Backend& backend, uint64_t most_compared) : backend_(backend), most_compared_(most_compared) {}

  /// Returns the answer of each, in order. Errors: those of the backend, of judges; kIo where others were faster too
  /// often: then some may be stored.
  [[nodiscard]] Result<std::vector<store::Answer>> take(std::span<const Arriving> documents, Purpose purpose);

  /// Returns whether a crawl had ended, since the last time it was asked, that is not forgotten yet (crawls.h).
  [[nodiscard]] bool take_saw_ended_crawl() { return saw_ended_crawl_.exchange(false); }

  /// Returns how many documents were decided anew, as others had changed meanwhile what they were decided by.
  [[nodiscard]] uint64_t num_conflicts() const { return num_conflicts_; }
  /// Returns how often the server was asked again what had failed.
  [[nodiscard]] uint64_t num_retries() const { return num_retries_; }

 private:
  struct Call {
    std::span<const Arriving> documents;
    std::vector<store::Answer> answers;
    std::optional<Error> error;
    bool is_answered = false;  // by its answers or its error
    bool is_done = false;      // then it is its caller's again
    Call* next = nullptr;      // that waits, or is taken together with it
  };
  class Turn;

  Status take_all(std::span<const Arriving> documents, Purpose purpose, std::vector<store::Answer>& answers);
  Status take_some(std::span<const Arriving> documents, Purpose purpose, std::span<store::Answer> answers);
  Status run(ArrivalBatch& batch, Purpose purpose, Attempts& attempts);
  Status take_in_turn(Call& call);
  void take_waiting(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] Status take_together(Call* calls);
  void note_untold(std::span<const store::Answer> answers);

  Backend& backend_;
  const uint64_t most_compared_;
  UnacknowledgedDocuments unacknowledged_;
  std::atomic<bool> saw_ended_crawl_ = false;
  std::atomic<uint64_t> num_conflicts_ = 0, num_retries_ = 0;

  std::mutex mutex_;  // of what follows
  std::condition_variable ended_;
  Call *first_waiting_ = nullptr, *last_waiting_ = nullptr;  // a chain: to wait takes no memory
  bool is_taking_ = false;
};

}  // namespace neardup::remote
