// A call whose memory is refused fails by itself: those that wait for their turn behind it go on.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "neardup/remote/remote_store.h"
#include "tests/unit/remote/memory_backend.h"
#include "tests/unit/store/store_model.h"

namespace {

constexpr long kNever = -1;
thread_local long left_before_refusal = kNever;  // allocations of this thread

}  // namespace

// Not inlined: the compiler would see free() end what it knows as operator new, and warn.
[[gnu::noinline]] void* operator new(size_t size) {
  if (left_before_refusal != kNever && left_before_refusal-- == 0) {
    left_before_refusal = 0;  // and the ones behind it
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  if (left_before_refusal != kNever && left_before_refusal-- == 0) return left_before_refusal = 0, nullptr;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace neardup::remote::memory_refused_test {
namespace {

using store::document_of;
using store::views_of;

// Whatever allocation of it is refused, with those behind it: another thread's call comes to its end.
TEST(MemoryRefusedTest, OtherCallsGoOn) {
  auto server = std::make_shared<MemoryServer>(store::StoreSettings{.num_fingerprints = 1});
  server->commits_in_turn = true;
  const auto store = std::make_shared<RemoteStore>(std::make_unique<MemoryBackend>(server));
  const std::vector<store::OwnedRecord> documents = {document_of("a", 20)};
  const std::vector<store::Record> views = views_of(documents);
  ASSERT_TRUE(store->check_and_insert(views, store::ByNumber()));
  size_t num_refused = 0;
  for (long before = 0;; ++before) {
    ASSERT_LT(before, 1000);
    bool is_taken = false;
    std::thread([&] {
      left_before_refusal = before;
      const auto answers = store->check_and_insert(views, store::ByNumber());
      left_before_refusal = kNever;
      is_taken = answers.has_value();
      if (!is_taken) {
        EXPECT_EQ(answers.error().code, Code::kMemory);
      }
    }).join();
    num_refused += is_taken ? 0 : 1;
    std::promise<bool> promise;
    auto goes_on = promise.get_future();
    std::thread([store, views, documents, promise = std::move(promise)]() mutable {
      promise.set_value(store->check_and_insert(views, store::ByNumber()).has_value());
    }).detach();
    ASSERT_EQ(goes_on.wait_for(std::chrono::seconds(60)), std::future_status::ready) << before;
    ASSERT_TRUE(goes_on.get()) << before;
    if (is_taken) break;
  }
  EXPECT_GT(num_refused, 5U);
}

}  // namespace
}  // namespace neardup::remote::memory_refused_test
