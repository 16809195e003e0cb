#include "run.h"

#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "neardup/base/guard.h"
#include "words.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

constexpr std::chrono::milliseconds kTick{50};

struct Stage {
  std::string name, unit;
  uint64_t done = 0, total = 0;
};

/// The last that was heard of the work. Threads: its own calls from any.
class LastHeard : public Progress {
 public:
  void begin_stage(std::string_view stage, std::string_view item_name, uint64_t total_bytes,
                   uint64_t total_items) override {
    const std::lock_guard lock(mutex_);
    counts_items_ = total_items != 0 || total_bytes == 0;
    stage_ = {std::string(stage), std::string(counts_items_ ? item_name : "bytes"), 0,
              counts_items_ ? total_items : total_bytes};
    changed_ = true;
  }
  void advance(uint64_t done_bytes, uint64_t done_items) override {
    const std::lock_guard lock(mutex_);
    stage_.done = counts_items_ ? done_items : done_bytes;
    changed_ = true;
  }
  void end_stage() override {
    const std::lock_guard lock(mutex_);
    if (stage_.total != 0) stage_.done = stage_.total;
    changed_ = true;
  }
  void warn(std::string_view message) override {
    const std::lock_guard lock(mutex_);
    warnings_.emplace_back(message);
  }

  /// Returns the stage if there is news of it.
  std::optional<Stage> news() {
    const std::lock_guard lock(mutex_);
    if (!changed_) return {};
    changed_ = false;
    return stage_;
  }
  std::vector<std::string> warnings() {
    const std::lock_guard lock(mutex_);
    return std::exchange(warnings_, {});
  }

 private:
  std::mutex mutex_;
  Stage stage_;
  bool counts_items_ = true, changed_ = false;
  std::vector<std::string> warnings_;
};

/// One thread that works, and whether it has ended.
class Worker {
 public:
  Worker(const std::function<Status(const Context&)>& work, Progress& progress)
      : thread_([this, &work, &progress] {
          Status status = guarded([&] { return work(Context{&progress, &cancel_}); });
          const std::lock_guard lock(mutex_);
          status_ = std::move(status);
          has_ended_ = true;
          ended_.notify_all();
        }) {}

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Stops what still works: an exception passes by.
  ~Worker() {
    const nb::gil_scoped_release release;
    cancel_ = true;
    if (thread_.joinable()) thread_.join();
  }

  /// Waits for a tick. Returns whether the work has ended.
  bool wait() {
    const nb::gil_scoped_release release;
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, kTick, [this] { return has_ended_; });
  }
  Status join() {
    thread_.join();
    return std::move(status_);
  }

 private:
  std::atomic<bool> cancel_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  Status status_;
  std::thread thread_;  // the last member: it uses the others
};

void tell(const nb::object& progress, LastHeard& heard) {
  const std::optional<Stage> stage = heard.news();
  if (stage && !progress.is_none()) progress(stage->name, stage->done, stage->total, stage->unit);
}

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void warn(const std::vector<std::string>& messages) {
  if (messages.empty()) return;
  const nb::object hold = nb::module_::import_("neardup._warnings").attr("hold");
  for (const std::string& message : messages) hold(in_python_words(message));
}

void run_beside(const nb::object& progress, const std::function<Status(const Context&)>& work) {
  LastHeard heard;
  Worker worker(work, heard);
  for (bool has_ended = false; !has_ended;) {
    has_ended = worker.wait();
    check_signals();
    tell(progress, heard);
  }
  value_of(worker.join());
  warn(heard.warnings());
}

}  // namespace neardup::python
