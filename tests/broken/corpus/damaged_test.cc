// Damaged files: what can be read is delivered, the rest is one rejection, and the next inputs go on.
#include <algorithm>

#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

constexpr size_t kLines = 200;  // of the documents in the damaged files

std::string data(const std::string& name) { return std::string(NEARDUP_TEST_DATA) + "/broken/" + name; }

std::vector<std::string> reasons(const std::vector<Item>& items) {
  std::vector<std::string> out;
  for (const Item& item : items) {
    if (!item.reason.empty()) out.push_back(item.reason);
  }
  return out;
}
using Reasons = std::vector<std::string>;

/// Reads a broken file and a good one behind it.
std::vector<Item> read_with_follower(const std::string& name) {
  const TempFolder folder;
  const std::string good = folder.write("good.jsonl", "{\"id\":\"good\",\"text\":\"follows\"}\n");
  auto items = read_inputs(discover_all({data(name), good}), {.batch_bytes = 1000});
  EXPECT_FALSE(items.empty());
  EXPECT_EQ(items.back().id, "good");
  items.pop_back();
  return items;
}

TEST(Damaged, TruncatedFilesGiveTheirWholeLines) {
  for (const char* name : {"truncated.jsonl.gz", "truncated.jsonl.zst"}) {
    const auto items = read_with_follower(name);
    EXPECT_EQ(reasons(items), Reasons{"truncated"}) << name;
    for (size_t i = 0; i + 1 < items.size(); ++i) EXPECT_EQ(items[i].id, "d" + std::to_string(i));
    EXPECT_EQ(items.back().line, items.size() - 1);
  }
}

TEST(Damaged, FlippedBitsAreSeen) {
  for (const char* name : {"flipped.jsonl.gz", "flipped.jsonl.zst", "wrong_checksum.jsonl.gz"}) {
    const auto found = reasons(read_with_follower(name));
    ASSERT_FALSE(found.empty()) << name;
    EXPECT_EQ(found.back(), "corrupt") << name;
  }
  EXPECT_EQ(read_with_follower("wrong_checksum.jsonl.gz").size(), kLines + 1);
}

TEST(Damaged, WhatFollowsAGzipMember) {
  EXPECT_EQ(reasons(read_with_follower("garbage_behind.jsonl.gz")), Reasons{"corrupt"});
  EXPECT_EQ(read_with_follower("garbage_behind.jsonl.gz").size(), kLines + 1);
  EXPECT_EQ(reasons(read_with_follower("padded.jsonl.gz")), Reasons{});
  EXPECT_EQ(read_with_follower("members.jsonl.gz").size(), 2 * kLines);
  EXPECT_EQ(read_with_follower("frames.jsonl.zst").size(), 2 * kLines);
}

TEST(Damaged, EmptyAndMistakenFiles) {
  EXPECT_EQ(reasons(read_with_follower("empty.jsonl.gz")), Reasons{"truncated"});
  EXPECT_EQ(reasons(read_with_follower("empty.jsonl.zst")), Reasons{"truncated"});
  EXPECT_EQ(reasons(read_with_follower("not_gzip.jsonl.gz")), Reasons{"corrupt"});
}

TEST(Damaged, WindowsOf128MiBAreReadAndLargerOnesNameTheCure) {
  EXPECT_EQ(read_with_follower("window27.jsonl.zst").size(), kLines);
  const TempFolder folder;
  auto reader = Reader::open(discover_all({data("window31.jsonl.zst")}), {});
  Batch batch;
  ASSERT_TRUE(*reader->next(batch));
  ASSERT_TRUE(reader->load(batch));
  ASSERT_EQ(batch.rejections.size(), 1U);
  EXPECT_EQ(batch.rejections[0].reason, "unreadable");
  EXPECT_NE(batch.rejections[0].message.find("--long=27"), std::string::npos);
  EXPECT_NE(batch.rejections[0].message.find("window31.jsonl.zst' from byte"), std::string::npos);
}

TEST(Damaged, AWindowForWhichThereIsNoMemoryIsRefused) {
  ReadOptions options;
  options.window_bytes = uint64_t{32} << 20;
  auto reader = Reader::open(discover_all({data("window27.jsonl.zst")}), options);
  Batch batch;
  ASSERT_TRUE(*reader->next(batch));
  ASSERT_TRUE(reader->load(batch));
  ASSERT_EQ(batch.rejections.size(), 1U);
  EXPECT_EQ(batch.rejections[0].reason, "unreadable");
  EXPECT_NE(batch.rejections[0].message.find("raise --memory, or compress it again with --long=25"), std::string::npos)
      << batch.rejections[0].message;
}

TEST(Damaged, OddLines) {
  const auto items = read_with_follower("lines.jsonl");
  std::vector<std::string> texts;
  for (const Item& item : items) texts.push_back(item.reason.empty() ? item.text : "!" + item.reason);
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "good", "!invalid_json", "!invalid_json", "!invalid_json", "bad \xEF\xBF\xBD utf-8", "numbers",
                       "!invalid_json", "!invalid_json", "deep", "lone \xEF\xBF\xBD surrogate", "a", "!invalid_json",
                       "mark", "!invalid_json", "NaN", "!invalid_json", "!invalid_json", "last, and no line end"}));
  EXPECT_EQ(items[5].id, std::string(60, '1'));
}

TEST(Damaged, CompressedTextFilesAreRejectedWhole) {
  const TempFolder folder;
  const std::string gzip = *compress(Compression::kGzip, std::string(1000, 'a') + "b");
  folder.write("in/a.txt.gz", gzip.substr(0, gzip.size() / 2));
  folder.write("in/b.txt.gz", "no gzip");
  folder.write("in/c.txt.gz", gzip);
  folder.write("in/d.txt", "plain");
  const auto items = read_inputs(discover_all({folder.path("in")}), {.max_record_bytes = 1001});
  EXPECT_EQ(reasons(items), (Reasons{"truncated", "corrupt"}));
  EXPECT_EQ(items.size(), 4U);
  EXPECT_EQ(reasons(read_inputs(discover_all({folder.path("in/c.txt.gz")}), {.max_record_bytes = 1000})),
            Reasons{"too_long"});
}

std::string small_file() {
  std::string lines;
  for (int i = 0; i < 12; ++i)
    lines += "{\"text\":\"t" + std::to_string(i * 37 % 101) + "\",\"id\":" + std::to_string(i) + "}\n";
  return lines;
}

/// Whatever byte the file ends at, the documents are the first ones of the whole file, and one rejection follows.
TEST(Damaged, EveryTruncationOfACompressedFile) {
  const std::string lines = small_file();
  const auto whole = read_bytes("a.jsonl", lines);
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const std::string name = compression == Compression::kGzip ? "a.jsonl.gz" : "a.jsonl.zst";
    const std::string file = *compress(compression, lines);
    for (size_t size = 0; size < file.size(); ++size) {
      auto items = read_bytes(name, file.substr(0, size), {.batch_bytes = 40});
      ASSERT_EQ(reasons(items), Reasons{"truncated"}) << name << " " << size;
      items.pop_back();
      ASSERT_LE(items.size(), whole.size());
      for (size_t i = 0; i < items.size(); ++i) ASSERT_EQ(items[i].record, whole[i].record);
    }
  }
}

/// Whatever bit is flipped, either nothing changes or it is told.
TEST(Damaged, EveryFlippedBitOfACompressedFile) {
  const std::string lines = small_file();
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const std::string name = compression == Compression::kGzip ? "a.jsonl.gz" : "a.jsonl.zst";
    std::string file = *compress(compression, lines);
    const auto whole = read_bytes(name, file);
    for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
      file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << bit % 8));
      const auto items = read_bytes(name, file, {.batch_bytes = 40});
      ASSERT_TRUE(items == whole || !reasons(items).empty()) << name << " bit " << bit;
      file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << bit % 8));
    }
  }
}

}  // namespace
}  // namespace neardup::corpus
