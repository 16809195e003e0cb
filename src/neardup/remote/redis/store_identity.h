// StoreIdentity: which store stands under a prefix, and in which run of its server; what of it a process holds against.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/remote/redis/connection.h"
#include "neardup/remote/redis/key_prefix.h"
#include "neardup/remote/redis/server_facts.h"

namespace neardup::remote::redis {

/// What {P}i holds. Every look-up reads it, so a store that somebody dropped and made anew is told from the one that
/// was opened.
struct StoreIdentity {
  uint64_t id = 0;            // random, given when the store is made
  uint64_t run = 0;           // of the server that has it: another each time it starts or becomes a master; 0 not known
  uint64_t first_number = 0;  // that was given in this run, or is to be

  [[nodiscard]] std::string text() const;
  /// Errors: kCorruption, without saying where.
  [[nodiscard]] static Result<StoreIdentity> parse(std::string_view text);
};

[[nodiscard]] std::string hexadecimal(uint64_t value);
/// Returns which run of the server these facts are of; 0 where they do not say.
[[nodiscard]] uint64_t run_of(const ServerFacts& facts);
/// Returns what the epoch of a state begins at, or is raised by: by that no state that anybody saw before comes again.
[[nodiscard]] uint64_t random_epochs();
/// Of an epoch, in the number that a state is.
inline constexpr uint64_t kEpochStep = 65536;

/// Tells each run of a server from the one before: a server that was started again, or was a replica meanwhile, may
/// have lost what it had said was stored. The first client of a run writes into the store that it is another one, with
/// a new epoch, so that whoever looked at lists before commits nothing, and goes on with numbers that nobody was given
/// before. Threads: any.
class RunWatch {
 public:
  RunWatch(std::string_view prefix, uint64_t id) : prefix_(prefix), id_(id) {}

  /// Called with each connection before anything else goes over it. Errors: kIo where numbers that this process
  /// knows were given to others, as the server lost them: the store is to be opened again. `is_transient`: whether it
  /// is an error that may go away by itself.
  [[nodiscard]] Status meet(Connection& connection, const RemoteUri& uri, bool& is_transient);
  /// Before a commit: what meet() was not allowed to write is to be written first.
  [[nodiscard]] Status before_commit(ConnectionPool& pool);

  /// Numbers below `end` were given, as this process has seen.
  void saw_numbers(uint64_t end);
  /// A look-up found the store in the run that `identity` names. Returns whether numbers that it found beside count:
  /// not where another process met the server in that run first, and some that this process knows may have been given
  /// again there, nor where the run is over. Then meet the server over a new connection, and look once more.
  [[nodiscard]] bool heard(const StoreIdentity& identity);
  /// Whether the server says which run it is in.
  [[nodiscard]] bool knows_runs() const { return knows_runs_; }

 private:
  struct Outcome {
    std::string refused;  // what the server says
    bool is_older = false;
  };
  [[nodiscard]] Result<Outcome> bind(Connection& connection);
  [[nodiscard]] Result<Outcome> write_run(Connection& connection, uint64_t run);
  // Requires: mutex_.
  [[nodiscard]] bool adopt(const StoreIdentity& identity);
  [[nodiscard]] std::string key(char letter) const { return braced(prefix_) + letter; }

  const std::string prefix_;
  const uint64_t id_;
  std::atomic<uint64_t> seen_end_ = 0, bound_run_ = 0;
  std::atomic<bool> knows_runs_ = false, is_refused_ = false;
  uint64_t bound_first_ = 0;  // the first number of bound_run_
  std::mutex mutex_;          // of the run that is bound
};

}  // namespace neardup::remote::redis
