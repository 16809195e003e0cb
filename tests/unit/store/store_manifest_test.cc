// MANIFEST of a store: of fingerprints of 64 bits as it always was, of 128 bits or with passages versions of their own.
#include "neardup/store/store_manifest.h"

#include <gtest/gtest.h>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"

namespace neardup::store {
namespace {

StoreManifest manifest_of(uint32_t num_bits, int max_distance) {
  StoreManifest manifest;
  manifest.settings.num_fingerprints = 2;
  manifest.settings.num_bits = num_bits;
  manifest.settings.max_distance = max_distance;
  manifest.settings.recipe_id = "abc";
  return manifest;
}

TEST(StoreManifest, TheVersionTellsTheWidth) {
  for (const auto& [num_bits, max_distance, version] : {std::tuple(64, 16, 1), {128, 3, 2}, {128, 32, 2}}) {
    const StoreManifest manifest = manifest_of(static_cast<uint32_t>(num_bits), max_distance);
    const std::string bytes = to_bytes(manifest);
    EXPECT_EQ(bytes[8], version);
    const auto parsed = parse_store_manifest(bytes, "MANIFEST");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(*parsed, manifest);
  }
}

TEST(StoreManifest, TheVersionTellsWhetherThereArePassages) {
  StoreManifest manifest = manifest_of(64, 3);
  manifest.settings.has_passages = true;
  const std::string bytes = to_bytes(manifest);
  EXPECT_EQ(bytes[8], 3);
  const auto parsed = parse_store_manifest(bytes, "MANIFEST");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(*parsed, manifest);
}

TEST(StoreManifest, TheVersionTellsWhetherTimesAndTagsWereWrittenAgain) {
  for (const uint32_t num_bits : {64, 128}) {
    StoreManifest manifest = manifest_of(num_bits, 3);
    manifest.first_log = 9;
    manifest.next_number = manifest.first_free = 100;
    manifest.next_file = 5;
    manifest.records = {{.log = 1, .file = 3, .first = 0, .count = 60, .facts_file = 3}, {.log = 8, .first = 60}};
    std::string bytes = to_bytes(manifest);
    EXPECT_EQ(bytes[8], num_bits == 64 ? 4 : 5);
    const auto parsed = parse_store_manifest(bytes, "MANIFEST");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(*parsed, manifest);
  }
  std::string bytes = to_bytes(manifest_of(64, 3));
  bytes[8] = 4;
  bytes.resize(bytes.size() - kFrameFooterBytes);
  end_frame(bytes);
  EXPECT_FALSE(parse_store_manifest(bytes, "MANIFEST")) << "no row has the number";
}

// As it was written before there were others.
TEST(StoreManifest, OneOf64BitsIsTheSameBytes) {
  std::string expected = "NDUPSTOR";
  append_little(expected, uint32_t{1});
  append_little(expected, uint32_t{0});
  append_little(expected, uint32_t{2});
  append_little(expected, uint32_t{16});
  expected += std::string("\3abc\0\0\0", 7);  // texts, and no file
  for (const uint64_t number : {1, 0, 0, 0, 1, 0, 0, 0, 0}) append_little(expected, number);
  expected += std::string(3, '\0');  // three lists
  end_frame(expected);
  EXPECT_EQ(to_bytes(manifest_of(64, 16)), expected);
}

TEST(StoreManifest, RefusesDistancesAndVersionsThatThereAreNot) {
  EXPECT_FALSE(parse_store_manifest(to_bytes(manifest_of(64, 17)), "MANIFEST"));
  EXPECT_FALSE(parse_store_manifest(to_bytes(manifest_of(128, 33)), "MANIFEST"));
  for (const char version : {'\0', '\7'}) {
    std::string bytes = to_bytes(manifest_of(64, 3));
    bytes[8] = version;
    const auto parsed = parse_store_manifest(bytes, "MANIFEST");
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find("this program reads version"), std::string::npos);
  }
  for (size_t size = 0; size < 30; ++size)
    EXPECT_FALSE(parse_store_manifest(to_bytes(manifest_of(128, 3)).substr(0, size), "MANIFEST"));
}

}  // namespace
}  // namespace neardup::store
