// What a long operation is given by its caller: where to report progress, and whether to stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup {

/// What parts of the work that are done at the same time may take of memory.
struct MemoryShares {
  struct Share {
    std::string_view name;
    uint64_t bytes = 0;
  };
  std::string_view phase;
  std::vector<Share> shares;
};

/// A stage of a run, and about what share of its time it takes, in any unit.
struct StageShare {
  std::string_view stage;
  double share = 0;
};

/// Receives progress. The library calls it; a face shows it. Threads: calls come from any thread, never two at once
/// for one stage; implementations that are shared between stages must lock.
class Progress {
 public:
  virtual ~Progress() = default;
  /// A stage begins. `total_bytes` and `total_items` are 0 where unknown. `item_name` is what is counted ("documents").
  virtual void begin_stage(std::string_view stage, std::string_view item_name, uint64_t total_bytes,
                           uint64_t total_items) = 0;
  /// The current stage has done so much in all (not since the last call).
  virtual void advance(uint64_t done_bytes, uint64_t done_items) = 0;
  virtual void end_stage() = 0;
  /// The stages that the run goes through from now on, some perhaps left out, one perhaps in several parts of its name.
  virtual void plan_stages(std::span<const StageShare> stages) { static_cast<void>(stages); }
  /// How `memory_bytes` in all are divided from now on. It may come several times, each time of other phases.
  virtual void plan_memory(uint64_t memory_bytes, std::span<const MemoryShares> phases) {
    static_cast<void>(memory_bytes), static_cast<void>(phases);
  }
  /// Something a person should know that does not stop the work. One sentence.
  virtual void warn(std::string_view message) = 0;
};

/// Carried through every long operation. Copyable, all members optional.
struct Context {
  Progress* progress = nullptr;               // not owned
  const std::atomic<bool>* cancel = nullptr;  // not owned; set to true (also from a signal handler) to stop

  [[nodiscard]] bool cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
  /// Returns kCancelled if the caller asked to stop, else success. Call it at least every few milliseconds of work.
  [[nodiscard]] Status check_cancel() const {
    if (cancelled()) return fail(Code::kCancelled, "stopped on request");
    return {};
  }
};

}  // namespace neardup
