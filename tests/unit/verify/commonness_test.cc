#include "neardup/verify/commonness.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "tests/own_path.h"

namespace neardup::verify::commonness_test {
namespace {

using Hashes = std::vector<uint32_t>;

constexpr uint64_t kPlenty = uint64_t{1} << 30;
constexpr size_t kHeaderBytes = 32, kChecksumBytes = 8;

std::unique_ptr<Commonness> small_table(uint64_t num_tokens = 0) {
  return std::make_unique<Commonness>(num_tokens, kPlenty);
}

class CommonnessFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    ASSERT_TRUE(create_directories(folder_));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // 40 texts of 200 n-grams in the smallest table: two share a counter, on the average.
  [[nodiscard]] std::string saved() const {
    const auto table = small_table();
    for (uint32_t text = 0; text < 40; ++text) {
      Hashes hashes;
      for (uint32_t i = 0; i < 200; ++i) hashes.push_back(i * 21'000'000 + (i % 4 == 0 ? 0 : text * 450'000));
      table->add(hashes);
    }
    table->settle();
    EXPECT_TRUE(table->save(path("saved")));
    return *read_file(path("saved"));
  }

 private:
  std::string folder_;
};

// Puts a checksum that fits behind a body.
std::string with_checksum(std::string body) {
  append_little(body, hash64(body));
  return body;
}

std::string body_of(const std::string& bytes) { return bytes.substr(0, bytes.size() - kChecksumBytes); }

TEST(Commonness, CountsTextsUpToTheMost) {
  const auto table = small_table();
  const Hashes hashes = {0, 5U << 20, 6U << 20, 0xFFFFFFFF};
  for (uint32_t times = 1; times <= 20; ++times) {
    table->add(hashes);
    for (const uint32_t hash : hashes) EXPECT_EQ(table->counted(hash), std::min(times, Commonness::kMost));
    EXPECT_EQ(table->num_texts(), times);
  }
  EXPECT_EQ(table->counted(4U << 20), 0U) << "the other half of its byte is full";
  EXPECT_EQ(table->counted(7U << 20), 0U);
}

TEST(Commonness, ATextWithoutNgramsIsATextToo) {
  const auto table = small_table();
  table->add({});
  EXPECT_EQ(table->num_texts(), 1U);
}

TEST(Commonness, SharedCountersCountTogether) {
  const auto table = small_table();
  table->add(Hashes{1, 2, 1U << 20});  // the upper 12 bits tell counters apart
  EXPECT_EQ(table->counted(0), 2U);
  EXPECT_EQ(table->counted(1U << 20), 1U);
}

TEST(Commonness, SizeIsHalfAByteForEachTokenWithinTheMemory) {
  const auto size_of = [](uint64_t num_tokens, uint64_t memory_bytes) {
    return Commonness(num_tokens, memory_bytes).size_bytes();
  };
  EXPECT_EQ(size_of(0, 0), 2048U) << "the least";
  EXPECT_EQ(size_of(uint64_t{1} << 40, 2047), 2048U);
  EXPECT_EQ(size_of(uint64_t{1} << 40, 4095), 2048U);
  EXPECT_EQ(size_of(uint64_t{1} << 40, 4096), 4096U);
  EXPECT_EQ(size_of(4096, kPlenty), 2048U);
  EXPECT_EQ(size_of(4097, kPlenty), 4096U);
  EXPECT_EQ(size_of(1'000'000, kPlenty), uint64_t{1} << 19);
  EXPECT_EQ(size_of(1'000'000, 300'000), uint64_t{1} << 18);
  EXPECT_EQ(size_of(~uint64_t{0}, uint64_t{1} << 20), uint64_t{1} << 20);
}

TEST(Commonness, TheUppermostHashFindsItsCounterInATableOfAnySize) {
  for (int log2 = 12; log2 <= 26; ++log2) {
    const auto table = small_table(uint64_t{1} << log2);
    ASSERT_EQ(table->size_bytes(), uint64_t{1} << log2 >> 1);
    table->add(Hashes{0, 0xFFFFFFFF});
    EXPECT_EQ(table->counted(0), 1U);
    EXPECT_EQ(table->counted(0xFFFFFFFF), 1U);
    EXPECT_EQ(table->counted(0x7FFFFFFF), 0U);
  }
}

TEST(Commonness, WhatOthersAddToACounterIsTakenOff) {
  const Hashes all = [] {
    Hashes hashes;
    for (uint32_t i = 0; i < 4096; ++i) hashes.push_back(i << 20);
    return hashes;
  }();
  const auto noise_after = [&all](size_t rounds, size_t more) {
    const auto table = small_table();
    for (size_t i = 0; i < rounds; ++i) table->add(all);
    table->add(std::span(all).first(more));
    table->settle();
    return Commonness::kMost - table->others(Commonness::kMost, 0);
  };
  EXPECT_EQ(noise_after(0, 0), 0U);
  EXPECT_EQ(noise_after(0, 2047), 0U);
  EXPECT_EQ(noise_after(0, 2048), 1U) << "rounded";
  EXPECT_EQ(noise_after(3, 2047), 3U);
  EXPECT_EQ(noise_after(40, 0), Commonness::kMost) << "then nothing is common";
  const auto table = small_table();
  table->add(all);
  table->settle();
  EXPECT_EQ(table->others(5, 1), 3U);
  EXPECT_EQ(table->others(2, 2), 0U) << "never less than none";
}

TEST(Commonness, TheIdStandsForTheCounts) {
  const auto one = small_table(), same = small_table(), other = small_table(), larger = small_table(5000);
  for (Commonness* table : {one.get(), same.get(), larger.get()}) table->add(Hashes{1, 1U << 30});
  other->add(Hashes{1, 1U << 29});
  EXPECT_EQ(one->id().size(), 16U);
  EXPECT_EQ(one->id(), same->id());
  EXPECT_NE(one->id(), other->id());
  EXPECT_NE(one->id(), larger->id());
}

TEST_F(CommonnessFile, IsReadBack) {
  const auto table = small_table(20'000);
  for (uint32_t text = 0; text < 30; ++text)
    for (uint32_t i = text; i < 3000; ++i) table->add(Hashes{i * 1'400'000});
  table->settle();
  ASSERT_TRUE(table->save(path("c")));
  const auto loaded = Commonness::load(path("c"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->id(), table->id());
  EXPECT_EQ((*loaded)->num_texts(), table->num_texts());
  EXPECT_EQ((*loaded)->size_bytes(), table->size_bytes());
  EXPECT_EQ((*loaded)->others(Commonness::kMost, 0), table->others(Commonness::kMost, 0)) << "noise";
  for (uint32_t i = 0; i < 3100; ++i) ASSERT_EQ((*loaded)->counted(i * 1'400'000), table->counted(i * 1'400'000));
  ASSERT_TRUE((*loaded)->save(path("again")));
  EXPECT_EQ(*read_file(path("again")), *read_file(path("c")));
}

TEST_F(CommonnessFile, HoldsWhatItsPageSays) {
  const std::string bytes = saved();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.piece(8), "NDUPCMN\n");
  EXPECT_EQ(reader.number<uint32_t>(), 1U);
  EXPECT_EQ(reader.number<uint32_t>(), 12U);
  EXPECT_EQ(reader.number<uint64_t>(), 40U);
  EXPECT_EQ(reader.number<uint64_t>(), 40U * 200U);
  EXPECT_EQ(reader.rest().size(), bytes.size() - kHeaderBytes);
  EXPECT_EQ(with_checksum(body_of(bytes)), bytes);
  const std::string frame = body_of(bytes).substr(kHeaderBytes);
  std::string counters(2048, '\0');
  ASSERT_EQ(ZSTD_decompress(counters.data(), counters.size(), frame.data(), frame.size()), counters.size());
  const auto table = *Commonness::parse(bytes, "c");
  for (uint32_t counter = 0; counter < 4096; ++counter) {
    const uint32_t byte = static_cast<uint8_t>(counters[counter / 2]);
    ASSERT_EQ(table->counted(counter << 20), counter % 2 == 0 ? byte % 16 : byte / 16);
  }
  EXPECT_EQ(table->id(), to_hex(hash64(counters, 2))) << "8000 / 4096, rounded";
}

TEST_F(CommonnessFile, EveryDamagedByteAndEveryCutIsNoticed) {
  const std::string whole = saved();
  ASSERT_TRUE(Commonness::parse(whole, "c"));
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      const auto table = Commonness::parse(damaged, "some/file");
      ASSERT_FALSE(table) << "byte " << i;
      EXPECT_EQ(table.error().code, Code::kCorruption);
      EXPECT_TRUE(table.error().message.starts_with("'some/file'")) << table.error().message;
    }
    const auto cut = Commonness::parse(std::string_view(whole).substr(0, i), "c");
    ASSERT_FALSE(cut) << "cut at " << i;
    EXPECT_EQ(cut.error().code, Code::kCorruption);
  }
  EXPECT_EQ(Commonness::parse(whole + '\0', "c").error().code, Code::kCorruption);
}

// A checksum keeps out accidents, not those who can compute one.
TEST_F(CommonnessFile, DamageBehindAFittingChecksumIsNoticed) {
  const std::string body = body_of(saved());
  ASSERT_TRUE(Commonness::parse(with_checksum(body), "c"));
  for (size_t i = 0; i < body.size(); ++i) {
    const auto cut = Commonness::parse(with_checksum(body.substr(0, i)), "c");
    ASSERT_FALSE(cut) << "cut at " << i;
    EXPECT_EQ(cut.error().code, Code::kCorruption) << "cut at " << i;
  }
  const std::string skippable_frame("\x50\x2A\x4D\x18\0\0\0\0", 8);
  for (const std::string& more : {std::string("more"), skippable_frame, body.substr(kHeaderBytes)})
    EXPECT_EQ(Commonness::parse(with_checksum(body + more), "c").error().code, Code::kCorruption);
  for (const auto& [at, value] : {std::pair<size_t, char>{8, 2}, {12, 11}, {12, 13}, {12, 33}, {12, 0}, {15, 1}}) {
    std::string damaged = body;
    damaged[at] = value;
    const auto table = Commonness::parse(with_checksum(damaged), "c");
    ASSERT_FALSE(table) << at;
    EXPECT_EQ(table.error().code, Code::kCorruption) << at;
  }
}

TEST_F(CommonnessFile, AnyNumberOfAddedNgramsIsRead) {
  std::string body = body_of(saved());
  body.replace(24, 8, 8, '\xFF');
  const auto table = Commonness::parse(with_checksum(body), "c");
  ASSERT_TRUE(table);
  EXPECT_EQ((*table)->others(Commonness::kMost, 0), 0U) << "as much is taken off as there can be";
}

TEST_F(CommonnessFile, MemoryIsALimit) {
  const std::string bytes = saved();
  EXPECT_TRUE(Commonness::parse(bytes, "c", 2048));
  EXPECT_EQ(Commonness::parse(bytes, "c", 2047).error().code, Code::kMemory);
  EXPECT_TRUE(Commonness::load(path("saved"), bytes.size() + 2048));
  EXPECT_EQ(Commonness::load(path("saved"), bytes.size() + 2047).error().code, Code::kMemory);
  EXPECT_EQ(Commonness::load(path("saved"), bytes.size() - 1).error().code, Code::kMemory);
  EXPECT_EQ(Commonness::load(path("saved"), 0).error().code, Code::kMemory);
}

TEST_F(CommonnessFile, AMissingOneIsNamed) {
  const auto table = Commonness::load(path("nowhere"));
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, Code::kNotFound);
  EXPECT_NE(table.error().message.find("nowhere"), std::string::npos);
  EXPECT_FALSE(small_table()->save(path("no/such/folder")));
}

}  // namespace
}  // namespace neardup::verify::commonness_test
