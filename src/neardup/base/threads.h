// Threads: a parallel loop and an ordered pipeline, both deterministic in what they deliver.
#pragma once

#include <cstddef>
#include <functional>

#include "neardup/base/result.h"

namespace neardup {

/// Returns `requested`, or the number of usable cores (CPU affinity respected) where `requested` is 0. At least 1.
[[nodiscard]] int resolve_num_threads(int requested);

/// Calls `body(index, thread)` once for each index in [0, count), on `num_threads` threads (0 <= thread < num_threads).
/// Indices are handed out in ascending order, one at a time. Returns after all calls have ended.
/// Where the system starts fewer threads, those it started (at least the caller) do all the work.
/// Errors: the Error of the lowest failing index among those that ran; no new index is begun after a failure. A
/// std::bad_alloc or std::system_error of the body is an Error too (guard.h).
[[nodiscard]] Status parallel_for(int num_threads, size_t count, const std::function<Status(size_t, int)>& body);

/// An ordered pipeline: `work(index, thread)` runs on any thread in any order, `commit(index)` runs once for each index
/// in ascending order, never two at once, after work(index). At most `window` indices lie between the
/// oldest uncommitted one and the newest begun one, so that memory stays bounded: slot index % window is free to use
/// by work(index) and commit(index). `begin(index)` runs in ascending order, never two at once, before
/// work(index); it returns false when there is no such index: the end. Requires: window >= num_threads.
/// Threads that do not start, and exceptions: as in parallel_for.
/// Errors: the first Error returned by any of the three; the pipeline then stops.
struct Pipeline {
  int num_threads = 1;
  size_t window = 4;
  std::function<Result<bool>(size_t index)> begin;
  std::function<Status(size_t index, int thread)> work;
  std::function<Status(size_t index)> commit;
};
[[nodiscard]] Status run_pipeline(const Pipeline& pipeline);

}  // namespace neardup
