// Groups of records: what is read is what was written, whatever the records are; what is alike takes little.
#include "neardup/remote/redis/record_group.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/fuzz/redis_values_fuzz.h"

namespace neardup::remote::redis {
namespace {

std::string random_bytes(std::mt19937_64& random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() % 256);
  return bytes;
}

// Some slots of a group, of records of about `size` bytes, whose lengths differ by `spread`.
std::vector<PieceRecord> random_records(std::mt19937_64& random, size_t size, size_t spread, size_t homes_bytes) {
  std::vector<PieceRecord> records;
  for (uint8_t slot = 0; slot < kGroupSize; ++slot) {
    if (random() % 4 == 0) continue;
    PieceRecord record{.slot = slot, .is_own = random() % 8 == 0};
    if (!record.is_own) {
      record.bytes = "https://example.org/" + random_bytes(random, size + random() % (spread + 1));
      record.is_cut = random() % 2 == 0;
      if (record.is_cut) record.cut_at = random() % (record.bytes.size() + 1);
      if (record.is_cut) record.homes = random_bytes(random, homes_bytes);
    }
    records.push_back(std::move(record));
  }
  return records;
}

void expect_same(const Group& group, std::span<const PieceRecord> records) {
  std::array<bool, kGroupSize> is_there{};
  for (const PieceRecord& record : records) {
    is_there[record.slot] = true;
    const PieceRecord& read = group.records[record.slot];
    EXPECT_EQ(read.is_own, record.is_own);
    EXPECT_EQ(read.is_cut, record.is_cut);
    EXPECT_EQ(read.cut_at, record.cut_at);
    EXPECT_EQ(read.homes, record.homes);
    EXPECT_EQ(read.bytes, record.bytes);
  }
  EXPECT_EQ(group.is_there, is_there);
}

TEST(RecordGroup, WhatIsReadIsWhatWasWritten) {
  std::mt19937_64 random(16);
  for (const size_t size : {0, 1, 20, 400})
    for (const size_t spread : {0, 1, 30})
      for (const size_t homes_bytes : {0, 2, 6}) {
        const std::vector<PieceRecord> records = random_records(random, size, spread, homes_bytes);
        const auto group = parse_group(piece_of(records), homes_bytes);
        ASSERT_TRUE(group) << group.error().message;
        expect_same(*group, records);
        EXPECT_EQ(group->num_pieces, 1u);
      }
}

TEST(RecordGroup, OfANumberTheLastPieceHolds) {
  const PieceRecord first{.slot = 7, .bytes = "first"}, second{.slot = 7, .bytes = "second"};
  std::string bytes = piece_of({&first, 1}) + piece_of({&second, 1});
  auto group = parse_group(bytes, 2);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->records[7].bytes, "second");
  group = parse_group(bytes + erasure_of(7), 2);
  ASSERT_TRUE(group);
  EXPECT_FALSE(group->is_there[7]);
  EXPECT_TRUE(group->is_erased[7]);
}

TEST(RecordGroup, OfAPieceWhoseChangesHappenedInPartTheBitsCount) {
  std::vector<PieceRecord> records;
  for (uint8_t slot = 0; slot < 20; ++slot) records.push_back({.slot = slot, .bytes = std::to_string(slot)});
  const auto group = parse_group(std::string("\2\24\5\0\10", 5) + piece_body_of(records), 2);
  ASSERT_TRUE(group) << group.error().message;
  for (uint8_t slot = 0; slot < kGroupSize; ++slot)
    EXPECT_EQ(group->is_there[slot], slot == 0 || slot == 2 || slot == 19) << int{slot};
}

// 16 random bytes, an address that counts up, a size and a time: what can be known of one from the one before it takes
// next to nothing.
TEST(RecordGroup, WhatFollowsFromTheRecordBeforeTakesLittle) {
  std::mt19937_64 random(16);
  std::vector<PieceRecord> records;
  for (uint8_t slot = 0; slot < kGroupSize; ++slot) {
    const int number = 1'234'567'000 + slot;
    records.push_back(
        {.slot = slot, .bytes = "https://example.org/" + std::to_string(number) + random_bytes(random, 16)});
    records.back().bytes += std::string("\xd0\x0f") + std::to_string(number / 10);
  }
  EXPECT_LT(piece_of(records).size(), kGroupSize * 19);
}

TEST(RecordGroup, NothingOfWhatWasCutOffIsRead) {
  std::mt19937_64 random(16);
  const std::string whole = piece_of(random_records(random, 20, 3, 2));
  for (size_t size = 1; size < whole.size(); ++size) EXPECT_FALSE(parse_group(whole.substr(0, size), 2)) << size;
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
    const std::string given = std::string("\0\2", 2) + bytes;
    fuzz_redis_values(reinterpret_cast<const uint8_t*>(given.data()), given.size());
  }
}

}  // namespace
}  // namespace neardup::remote::redis
