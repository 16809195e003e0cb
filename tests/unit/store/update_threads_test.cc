// Threads of an index that the system does not give, and work that is to stop.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <future>
#include <thread>

#include "neardup/store/updatable_index.h"
#include "tests/comes_true.h"

namespace {

std::atomic<int> threads_left{-1};  // that the system gives; -1 = any number

}  // namespace

// Stands before the system's own.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                              void* argument) {
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static auto* const create = reinterpret_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads_left == 0) return EAGAIN;
  if (threads_left > 0) --threads_left;
  return create(thread, attributes, body, argument);
}

namespace neardup::store::update_threads_test {
namespace {

using fingerprint::Fingerprint;
using Index = UpdatableIndex<Fingerprint>;

UpdateOptions small_options() {
  UpdateOptions options;
  options.plan_for = [](uint64_t) { return hamming::permuted_plan(64, 4, 1); };
  options.mem_capacity = 16;
  options.merge = {4, 2};
  return options;
}

TEST(UpdateThreads, WhatTheSystemDidNotGiveIsAskedForAgain) {
  for (const int given : {0, 1}) {
    Index index(small_options());
    ASSERT_TRUE(index.insert(1, 1));
    threads_left = given;
    const Status status = index.flush();
    threads_left = -1;
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::kMemory);
    ASSERT_TRUE(index.flush());
    // Only the merging thread makes few segments of many here.
    for (uint64_t i = 2; i < 10; ++i) {
      ASSERT_TRUE(index.insert(i, i));
      ASSERT_TRUE(index.flush());
    }
    comes_true([&] { return index.view().segments().size() <= 3; });
    EXPECT_LE(index.view().segments().size(), 3u) << given;
  }
}

TEST(UpdateThreads, StopsSoonAtTheCallersWish) {
  for (const bool compact : {false, true}) {
    std::atomic<bool> cancel{false};
    std::atomic<bool> hold{false}, held{false};
    UpdateOptions options = small_options();
    options.context.cancel = &cancel;
    options.plan_for = [&](uint64_t) {
      held = hold.load();
      while (hold) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // a build that takes long
      return hamming::permuted_plan(64, 4, 1);
    };
    uint64_t commits = 0;
    Index index(options, {}, [&](auto) {
      ++commits;
      return Status{};
    });
    ASSERT_TRUE(index.insert(1, 1));
    ASSERT_TRUE(index.flush());
    hold = true;
    ASSERT_TRUE(index.insert(2, 2));
    auto ended = std::async(std::launch::async, [&] { return compact ? index.compact() : index.settle(); });
    while (!held) std::this_thread::yield();
    cancel = true;
    const bool soon = ended.wait_for(std::chrono::seconds(30)) == std::future_status::ready;
    hold = false;
    EXPECT_TRUE(soon);
    const Status status = ended.get();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::kCancelled);
    EXPECT_FALSE(index.flush());
    EXPECT_EQ(commits, 1u);  // nothing is stored any more
    EXPECT_EQ(index.view().segments().size(), 1u);
  }
}

}  // namespace
}  // namespace neardup::store::update_threads_test
