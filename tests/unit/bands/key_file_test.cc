// Files of keys: what was written answers the same, and no damaged byte is taken for whole.
#include "neardup/bands/key_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "neardup/base/disk/file.h"
#include "neardup/hamming/index_file.h"
#include "tests/own_path.h"

namespace neardup::bands {
namespace {

KeySegment some_segment(uint32_t num_keys) {
  std::mt19937_64 random(num_keys);
  std::vector<KeyEntry> entries;
  for (uint32_t i = 0; i < num_keys; ++i) entries.push_back({known_bits(random()), i / 3});
  std::sort(entries.begin(), entries.end());
  KeySegment segment;
  segment.first = 1000;
  segment.count = num_keys / 3 + 1;
  segment.table = KeyTable(entries);
  return segment;
}

std::vector<KeyEntry> entries_of(const KeyTable& table) {
  std::vector<KeyEntry> entries;
  table.for_each([&](KeyEntry entry) { entries.push_back(entry); });
  return entries;
}

TEST(KeyFile, IsReadAsItWasWritten) {
  const std::string path = own_path();
  for (const uint32_t num_keys : {0, 1, 7, 5000}) {
    const KeySegment segment = some_segment(num_keys);
    const auto identity = write_key_file(path, segment);
    ASSERT_TRUE(identity) << identity.error().message;
    EXPECT_EQ(identity->size_bytes, std::filesystem::file_size(path));
    for (const hamming::Access access : {hamming::Access::kMap, hamming::Access::kLoad}) {
      const auto opened = open_key_file(path, access, true);
      ASSERT_TRUE(opened) << opened.error().message;
      EXPECT_EQ(opened->identity, *identity);
      EXPECT_EQ(opened->segment.first, 1000u);
      EXPECT_EQ(opened->segment.count, segment.count);
      EXPECT_EQ(entries_of(opened->segment.table), entries_of(segment.table));
    }
  }
  std::filesystem::remove(path);
}

TEST(KeyFile, NoByteCanChangeAndNoneCanGo) {
  const std::string path = own_path();
  ASSERT_TRUE(write_key_file(path, some_segment(40)));
  const std::string whole = *read_file(path);
  std::filesystem::remove(path);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    const auto opened = open_key_bytes(changed, "changed", true);
    ASSERT_FALSE(opened) << at;
    ASSERT_EQ(opened.error().code, Code::kCorruption);
    if (at % 8 == 0) {
      ASSERT_FALSE(open_key_bytes(std::string_view(whole).substr(0, at), "cut", true)) << at;
    }
  }
}

TEST(KeyFile, RefusesOtherIndexFiles) {
  const std::string path = own_path();
  EXPECT_EQ(open_key_file(path, hamming::Access::kMap, true).error().code, Code::kNotFound);
  hamming::IndexFileHeader header;
  header.plan = hamming::scan_plan(64, 3);
  ASSERT_TRUE(hamming::write_index_file(path, header, {}));
  const auto opened = open_key_file(path, hamming::Access::kMap, true);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("other things than keys"), std::string::npos) << opened.error().message;
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace neardup::bands
