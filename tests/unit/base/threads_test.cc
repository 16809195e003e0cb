#include "neardup/base/threads.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

namespace neardup {
namespace {

TEST(ParallelFor, CallsEveryIndexOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    std::vector<std::atomic<int>> calls(1000);
    ASSERT_TRUE(parallel_for(threads, calls.size(), [&](size_t i, int thread) -> Status {
      EXPECT_LT(thread, threads);
      ++calls[i];
      return {};
    }));
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, ReportsTheLowestErrorAndStops) {
  std::atomic<size_t> calls{0};
  const Status status = parallel_for(4, 100'000, [&](size_t i, int) -> Status {
    ++calls;
    if (i >= 10) return fail(Code::kIo, std::to_string(i));
    return {};
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "10");
  EXPECT_LT(calls, 1000u);
}

TEST(ParallelFor, NothingToDo) {
  EXPECT_TRUE(parallel_for(4, 0, [](size_t, int) -> Status { return fail(Code::kIo, "called"); }));
}

struct Trace {
  std::mutex mutex;
  std::vector<size_t> begun, committed;
  std::set<size_t> working;
  size_t widest = 0;
};

Status run_traced(int threads, size_t window, size_t count, Trace& trace) {
  return run_pipeline({.num_threads = threads,
                       .window = window,
                       .begin = [&](size_t i) -> Result<bool> {
                         const std::lock_guard lock(trace.mutex);
                         if (i == count) return false;
                         trace.begun.push_back(i);
                         trace.widest = std::max(trace.widest, i + 1 - trace.committed.size());
                         return true;
                       },
                       .work = [&](size_t i, int) -> Status {
                         std::this_thread::sleep_for(std::chrono::microseconds((i * 7919) % 97));
                         const std::lock_guard lock(trace.mutex);
                         trace.working.insert(i);
                         return {};
                       },
                       .commit = [&](size_t i) -> Status {
                         const std::lock_guard lock(trace.mutex);
                         EXPECT_TRUE(trace.working.contains(i)) << "committed before its work";
                         trace.committed.push_back(i);
                         return {};
                       }});
}

TEST(Pipeline, BeginsAndCommitsInOrderWithinTheWindow) {
  for (const int threads : {1, 2, 3, 8}) {
    for (const size_t extra : {0, 1, 5}) {
      Trace trace;
      const size_t window = static_cast<size_t>(threads) + extra;
      ASSERT_TRUE(run_traced(threads, window, 300, trace));
      ASSERT_EQ(trace.begun.size(), 300u);
      ASSERT_EQ(trace.committed.size(), 300u);
      for (size_t i = 0; i < 300; ++i) {
        EXPECT_EQ(trace.begun[i], i);
        EXPECT_EQ(trace.committed[i], i);
      }
      EXPECT_LE(trace.widest, window);
    }
  }
}

TEST(Pipeline, AnErrorInEachStepStopsIt) {
  for (const int step : {0, 1, 2}) {
    std::atomic<size_t> last{0};
    const auto at = [&](int which, size_t i) { return which == step && i == 20; };
    const Status status = run_pipeline({.num_threads = 3,
                                        .window = 4,
                                        .begin = [&](size_t i) -> Result<bool> {
                                          last = i;
                                          if (at(0, i)) return fail(Code::kIo, "begin");
                                          return i < 100'000;
                                        },
                                        .work = [&](size_t i, int) -> Status {
                                          if (at(1, i)) return fail(Code::kIo, "work");
                                          return {};
                                        },
                                        .commit = [&](size_t i) -> Status {
                                          if (at(2, i)) return fail(Code::kIo, "commit");
                                          return {};
                                        }});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, std::vector<std::string>({"begin", "work", "commit"})[static_cast<size_t>(step)]);
    EXPECT_LT(last, 40u);
  }
}

TEST(ParallelFor, OutOfMemoryIsAnError) {
  for (const int threads : {1, 4}) {
    const Status status = parallel_for(threads, 100, [](size_t i, int) -> Status {
      if (i == 7) throw std::bad_alloc();
      return {};
    });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::kMemory);
  }
}

TEST(ParallelFor, WhatTheSystemRefusesIsAnError) {
  const auto code_of = [](const auto& thrown) {
    return parallel_for(3, 100,
                        [&](size_t i, int) -> Status {
                          if (i == 7) throw thrown;
                          return {};
                        })
        .error()
        .code;
  };
  EXPECT_EQ(code_of(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again))), Code::kMemory);
  EXPECT_EQ(code_of(std::system_error(std::make_error_code(std::errc::io_error))), Code::kIo);
  EXPECT_EQ(code_of(std::length_error("vector")), Code::kMemory);
}

TEST(Pipeline, OutOfMemoryInEachStepIsAnError) {
  for (const int step : {0, 1, 2}) {
    const auto throw_at = [&](int which, size_t i) {
      if (which == step && i == 20) throw std::bad_alloc();
    };
    const Status status = run_pipeline({.num_threads = 3,
                                        .window = 4,
                                        .begin = [&](size_t i) -> Result<bool> {
                                          throw_at(0, i);
                                          return i < 100;
                                        },
                                        .work = [&](size_t i, int) -> Status {
                                          throw_at(1, i);
                                          return {};
                                        },
                                        .commit = [&](size_t i) -> Status {
                                          throw_at(2, i);
                                          return {};
                                        }});
    ASSERT_FALSE(status) << step;
    EXPECT_EQ(status.error().code, Code::kMemory);
  }
}

// No thread can be started while this lives: each would get a stack larger than the address space.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, size_t{1} << 60);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t before_;
};

TEST(Threads, TheCallerDoesAllWhereNoOtherThreadStarts) {
  const NoMoreThreads guard;
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
  size_t calls = 0;
  const std::thread::id caller = std::this_thread::get_id();
  EXPECT_TRUE(parallel_for(4, 100, [&](size_t, int thread) -> Status {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_LT(thread, 4);
    ++calls;
    return {};
  }));
  EXPECT_EQ(calls, 100u);
  Trace trace;
  EXPECT_TRUE(run_traced(4, 4, 100, trace));
  EXPECT_EQ(trace.committed.size(), 100u);
}

TEST(Threads, AtLeastOne) {
  EXPECT_EQ(resolve_num_threads(5), 5);
  EXPECT_GE(resolve_num_threads(0), 1);
}

}  // namespace
}  // namespace neardup
