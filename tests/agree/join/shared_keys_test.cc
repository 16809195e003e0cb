// Sorted records and pairs of shared keys against maps, in memory and on disk, for several threads.
#include "neardup/join/disk/shared_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "neardup/base/threads.h"
#include "neardup/join/disk/keyed_sorter.h"
#include "tests/own_path.h"

namespace neardup::join::shared_keys_test {
namespace {

class SharedKeysFolder : public ::testing::Test {
 protected:
  SharedKeysFolder() { std::filesystem::remove_all(folder_), std::filesystem::create_directories(folder_); }
  ~SharedKeysFolder() override { std::filesystem::remove_all(folder_); }
  const std::string folder_ = own_path();
};

std::vector<KeyedValue> all_of(KeyedSorter& sorter) {
  std::vector<KeyedValue> all;
  for (auto block = sorter.next(); block && !block->empty(); block = sorter.next())
    all.insert(all.end(), block->begin(), block->end());
  return all;
}

std::vector<KeyedValue> sorted(const std::vector<KeyedValue>& records, EqualKeys equal_keys, uint64_t memory_bytes,
                               int num_threads, const std::string& folder) {
  auto sorter = KeyedSorter::create(folder + "/records", memory_bytes, num_threads, equal_keys);
  EXPECT_TRUE(sorter);
  EXPECT_TRUE(parallel_for(num_threads, records.size() / 100 + 1, [&](size_t chunk, int thread) {
    const size_t begin = chunk * 100, end = std::min(records.size(), begin + 100);
    return sorter->add(std::span(records).subspan(begin, end - begin), thread);
  }));
  EXPECT_TRUE(sorter->finish());
  return all_of(*sorter);
}

using KeyedSorterTest = SharedKeysFolder;

TEST_F(KeyedSorterTest, SortsAndSums) {
  std::mt19937_64 random(1);
  for (const size_t size : {0, 1, 1000, 300'000}) {
    for (const uint64_t num_keys : {uint64_t{1}, uint64_t{50}, uint64_t{1} << 63}) {
      std::vector<KeyedValue> records(size);
      for (KeyedValue& record : records) record = {.value = random() % 10, .key = random() % num_keys};
      std::vector<KeyedValue> all = records, sums;
      std::ranges::sort(all);
      for (const KeyedValue& record : all) {
        if (sums.empty() || sums.back().key != record.key) sums.push_back({0, record.key});
        sums.back().value += record.value;
      }
      for (const uint64_t memory : {uint64_t{0}, uint64_t{1} << 20, uint64_t{1} << 30})
        for (const int num_threads : {1, 2, 7}) {
          ASSERT_EQ(sorted(records, EqualKeys::kAll, memory, num_threads, folder_), all);
          ASSERT_EQ(sorted(records, EqualKeys::kSum, memory, num_threads, folder_), sums);
        }
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "no file is left";
}

struct SharedResult {
  std::vector<SharedKeyPair> pairs;
  std::vector<uint32_t> num_own;
  std::vector<bool> has_common;
  std::set<uint64_t> common;
  bool operator==(const SharedResult&) const = default;
};

SharedResult by_definition(const std::vector<std::set<uint64_t>>& rows, uint32_t most, const WantedPair& wanted) {
  std::map<uint64_t, std::vector<uint32_t>> holders;
  for (uint32_t row = 0; row < rows.size(); ++row)
    for (const uint64_t key : rows[row]) holders[key].push_back(row);
  SharedResult result;
  for (const auto& [key, of_key] : holders)
    if (of_key.size() > most) result.common.insert(key);
  for (uint32_t worse = 0; worse < rows.size(); ++worse) {
    result.num_own.push_back(0);
    result.has_common.push_back(false);
    for (const uint64_t key : rows[worse]) {
      ++(result.num_own.back());
      if (!result.common.contains(key)) continue;
      --(result.num_own.back());
      result.has_common.back() = true;
    }
    for (uint32_t better = 0; better < worse; ++better) {
      uint64_t shared = 0;
      for (const uint64_t key : rows[worse]) shared += rows[better].contains(key) && !result.common.contains(key);
      if (shared > 0 && wanted(better, worse)) result.pairs.push_back({better, worse, shared});
    }
  }
  return result;
}

SharedResult found_of(const std::vector<std::set<uint64_t>>& rows, const SharedKeysOptions& options,
                      const WantedPair& wanted, uint64_t num_keys) {
  auto keys = SharedKeys::create(static_cast<uint32_t>(rows.size()), options);
  EXPECT_TRUE(keys);
  EXPECT_TRUE(parallel_for(options.num_threads, rows.size(), [&](size_t row, int thread) {
    const std::vector<uint64_t> of_row(rows[row].begin(), rows[row].end());
    return keys->add(static_cast<uint32_t>(row), of_row, thread);
  }));
  EXPECT_TRUE(keys->finish(wanted));
  SharedResult result;
  for (auto block = keys->next(); block && !block->empty(); block = keys->next())
    result.pairs.insert(result.pairs.end(), block->begin(), block->end());
  for (uint32_t row = 0; row < rows.size(); ++row) {
    result.num_own.push_back(keys->num_own_keys(row));
    result.has_common.push_back(keys->has_common_keys(row));
  }
  for (uint64_t key = 0; key < num_keys; ++key)
    if (keys->is_common(key)) result.common.insert(key);
  EXPECT_EQ(keys->num_common_keys(), result.common.size());
  return result;
}

using SharedKeysTest = SharedKeysFolder;

TEST_F(SharedKeysTest, AgreeWithTheDefinition) {
  std::mt19937_64 random(2);
  const WantedPair wanted = [](uint32_t better, uint32_t worse) { return (better + worse) % 5 != 0; };
  for (const uint64_t num_keys : {uint64_t{1}, uint64_t{6}, uint64_t{300}}) {
    for (int round = 0; round < 10; ++round) {
      std::vector<std::set<uint64_t>> rows(random() % 80);
      for (auto& row : rows)
        for (uint64_t i = random() % 20; i > 0; --i) row.insert(random() % num_keys);
      for (const uint32_t most : {1U, 3U, 16U, UINT32_MAX}) {
        const SharedResult expected = by_definition(rows, most, wanted);
        for (const int num_threads : {1, 2, 7})
          ASSERT_EQ(
              found_of(rows, {.folder = folder_, .most_rows = most, .num_threads = num_threads}, wanted, num_keys),
              expected);
      }
    }
  }
}

TEST_F(SharedKeysTest, OnDiskAsInMemory) {
  std::mt19937_64 random(3);
  std::vector<std::set<uint64_t>> rows(3000);
  for (auto& row : rows)
    for (int i = 0; i < 60; ++i) row.insert(random() % (random() % 40'000 + 1));
  const WantedPair all = [](uint32_t, uint32_t) { return true; };
  constexpr uint64_t kPlenty = uint64_t{1} << 30;
  const SharedResult in_memory = found_of(
      rows, {.folder = folder_, .postings_memory = kPlenty, .pairs_memory = kPlenty, .most_rows = 16}, all, 40'000);
  EXPECT_GT(in_memory.pairs.size(), 100'000U);
  EXPECT_GT(in_memory.common.size(), 100U);
  EXPECT_EQ(found_of(rows, {.folder = folder_, .most_rows = 16, .num_threads = 3}, all, 40'000), in_memory);
  EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "no file is left";
}

}  // namespace
}  // namespace neardup::join::shared_keys_test
