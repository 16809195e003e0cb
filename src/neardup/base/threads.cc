#include "neardup/base/threads.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "neardup/base/guard.h"

namespace neardup {
namespace {

// Runs `body(thread)` on num_threads threads, the caller being the last of them. Where the system starts no more
// threads those that did start do the work. `body` does not throw.
void run_threads(int num_threads, const std::function<void(int)>& body) {
  std::vector<std::jthread> threads;
  try {
    threads.reserve(static_cast<size_t>(num_threads) - 1);
    for (int t = 0; t + 1 < num_threads; ++t) threads.emplace_back([&body, t] { body(t); });
  } catch (const std::system_error&) {  // a limit on threads or on memory for stacks
  } catch (const std::bad_alloc&) {
  }
  body(num_threads - 1);
}

}  // namespace

int resolve_num_threads(int requested) {
  if (requested > 0) return requested;
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) return std::max(1, CPU_COUNT(&usable));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Status parallel_for(int num_threads, size_t count, const std::function<Status(size_t, int)>& body) {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  size_t lowest = std::numeric_limits<size_t>::max();
  Status result;
  const auto loop = [&](int thread) {
    while (!failed.load(std::memory_order_relaxed)) {
      const size_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= count) return;
      if (Status status = guarded([&] { return body(index, thread); }); !status) {
        failed = true;
        const std::lock_guard lock(mutex);
        if (index < lowest) {
          lowest = index;
          result = std::move(status);
        }
      }
    }
  };
  run_threads(
      static_cast<int>(std::min<size_t>(static_cast<size_t>(std::max(num_threads, 1)), std::max<size_t>(count, 1))),
      loop);
  return result;
}

namespace {

// The shared state of one run of a pipeline. All members are guarded by `mutex` except where begin and commit run:
// `beginning` and `committing` say that one thread is inside, so that the lock is not held during the callbacks.
struct PipelineRun {
  explicit PipelineRun(const Pipeline& p) : pipeline(p), done(p.window, 0) {}

  const Pipeline& pipeline;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<char> done;  // done[i % window]: work(i) has ended and commit(i) has not begun
  size_t next_begin = 0;
  size_t next_commit = 0;
  bool at_end = false;
  bool beginning = false;
  bool committing = false;
  Status result;

  bool stopped() const { return !result.has_value(); }
  bool can_begin() const { return !at_end && !beginning && next_begin - next_commit < pipeline.window; }
  bool can_commit() const {
    return !committing && next_commit < next_begin && done[next_commit % pipeline.window] != 0;
  }
  bool finished() const { return stopped() || (at_end && !beginning && next_commit == next_begin); }

  void record(Status status) {
    if (!status && result.has_value()) result = std::move(status);
  }

  void commit_one(std::unique_lock<std::mutex>& lock) {
    committing = true;
    const size_t index = next_commit;
    lock.unlock();
    Status status = guarded([&] { return pipeline.commit(index); });
    lock.lock();
    committing = false;
    done[index % pipeline.window] = 0;
    ++next_commit;
    record(std::move(status));
    changed.notify_all();
  }

  void begin_and_work(std::unique_lock<std::mutex>& lock, int thread) {
    beginning = true;
    const size_t index = next_begin;
    lock.unlock();
    Result<bool> more = guarded([&] { return pipeline.begin(index); });
    lock.lock();
    beginning = false;
    if (!more || !*more) {
      at_end = true;
      if (!more) record(tl::unexpected<Error>(std::move(more).error()));
      changed.notify_all();
      return;
    }
    ++next_begin;
    changed.notify_all();
    lock.unlock();
    Status status = guarded([&] { return pipeline.work(index, thread); });
    lock.lock();
    done[index % pipeline.window] = 1;
    record(std::move(status));
    changed.notify_all();
  }

  void loop(int thread) {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return finished() || can_commit() || can_begin(); });
      if (finished()) return;
      if (can_commit()) {
        commit_one(lock);
      } else {
        begin_and_work(lock, thread);
      }
    }
  }
};

}  // namespace

Status run_pipeline(const Pipeline& pipeline) {
  PipelineRun run(pipeline);
  run_threads(std::max(1, pipeline.num_threads), [&run](int thread) { run.loop(thread); });
  return std::move(run.result);
}

}  // namespace neardup
