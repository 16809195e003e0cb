// A store that is compacted while others write, lists get their own, and documents go.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "neardup/remote/redis/redis_backend.h"
#include "tests/unit/remote_redis/redis_hardship.h"

namespace neardup::remote {
namespace {

class RedisBeside : public RedisHardship, public testing::WithParamInterface<const char*> {
 protected:
  static constexpr uint64_t kCommon = 77;

  // Until when is tried again: compacting comes between again and again.
  static std::chrono::steady_clock::time_point soon() {
    return std::chrono::steady_clock::now() + std::chrono::seconds(120);
  }
  // As add(), again where others came between; under the common key, too. Returns its number.
  static uint64_t add_surely(Backend& backend, uint64_t i) {
    for (const auto end = soon(); std::chrono::steady_clock::now() < end;) {
      const auto found = look(backend, i);
      EXPECT_TRUE(found) << found.error().message;
      if (!found) return 0;
      const auto done = add(backend, *found, i, std::to_string(i), {&kCommon, 1});
      EXPECT_TRUE(done) << done.error().message;
      if (done && done->at(0)) return found->first_reserved;
    }
    ADD_FAILURE() << i << " was never stored";
    return 0;
  }
  static void erase_surely(Backend& backend, uint64_t i, uint64_t number) {
    for (const auto end = soon(); std::chrono::steady_clock::now() < end;) {
      const auto found = look(backend, i);
      ASSERT_TRUE(found) << found.error().message;
      const uint64_t keys[] = {mix64(i), kCommon}, fingerprint = mix64(i + 1'000'000);
      const StoredDocument document{number, {}, keys, {&fingerprint, 1}};
      Change change;
      change.keys = std::span(keys).first(1), change.fingerprints = {&fingerprint, 1}, change.erased = {&document, 1};
      change.documents = -1, change.erased_documents = 1;
      const auto done = backend.commit(*found->seen, {&change, 1});
      ASSERT_TRUE(done) << done.error().message;
      if (done->at(0)) return;
    }
    ADD_FAILURE() << i << " was never erased";
  }
  // Perhaps with others, whose keys agree in the bits that are kept.
  static void expect_found(Backend& backend, uint64_t i, uint64_t number) {
    const auto found = look(backend, i);
    ASSERT_TRUE(found) << found.error().message;
    for (const auto& numbers : {found->by_key[0], found->by_fingerprint[0]})
      EXPECT_EQ(std::ranges::count(numbers, number), 1) << i;
    EXPECT_EQ(backend.read({&number, 1})->at(0), std::to_string(i));
  }
};

TEST_P(RedisBeside, CompactingLosesNothingOfWhatOthersWrite) {
  constexpr uint64_t kWriters = 3, kEach = 1200;
  RedisServer server;
  const auto backend = made(server.uri({{"expect", "3000"}, {"layout", GetParam()}}));
  add_many(*backend, kCommon, 10'000'000, 12'000);  // so that its list is long
  const auto compacting = open_redis_backend(server.uri(), {});
  ASSERT_TRUE(compacting);
  std::vector<std::map<uint64_t, uint64_t>> there(kWriters);
  std::atomic<uint64_t> num_writing = kWriters;
  std::atomic<int> num_compacted = 0;
  std::vector<std::thread> threads;
  for (uint64_t writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      const auto client = open_redis_backend(server.uri(), {});
      std::map<uint64_t, uint64_t>& own = there[writer];
      const uint64_t first = writer << 20;
      const auto end = soon();
      // Until it was compacted meanwhile, too: others may be much quicker than who compacts.
      const auto goes_on = [&] { return num_compacted == 0 && std::chrono::steady_clock::now() < end; };
      for (uint64_t i = first; client && (i < first + kEach || goes_on()); ++i) {
        own[i] = add_surely(**client, i);
        if (i % 3 == 0) continue;
        erase_surely(**client, own.begin()->first, own.begin()->second);
        own.erase(own.begin());
      }
      --num_writing;
    });
  }
  while (num_writing > 0) {
    const Status compacted = (*compacting)->compact();
    if (compacted) ++num_compacted;
    EXPECT_TRUE(compacted || compacted.error().code == Code::kIo) << compacted.error().message;
    EXPECT_GE(count(**compacting, kCommon), 12'000u);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(num_compacted, 0);
  for (int round = 0; round < 2; ++round) {
    size_t num_there = 0;
    for (const auto& own : there) {
      num_there += own.size();
      for (const auto& [i, number] : own) expect_found(*backend, i, number);
    }
    EXPECT_EQ(backend->numbers_from(0, 100'000)->size(), 12'000 + num_there);
    EXPECT_EQ(backend->figures()->documents, 12'000 + num_there);
    const auto all = backend->look_up({{&kCommon, 1}, {}, 0, false});
    ASSERT_TRUE(all);
    const auto records = backend->read(all->by_key[0]);
    ASSERT_TRUE(records);
    EXPECT_EQ(std::ranges::count_if(*records, [](const std::string& record) { return !record.empty(); }),
              static_cast<ptrdiff_t>(12'000 + num_there));
    ASSERT_TRUE(backend->compact());
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, RedisBeside, testing::Values("compact", "sets"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace neardup::remote
