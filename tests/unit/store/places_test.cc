#include "neardup/store/places.h"

#include <gtest/gtest.h>

#include <random>

namespace neardup::store {
namespace {

TEST(Places, AreThoseThatWereAdded) {
  std::mt19937_64 random(1);
  std::vector<std::optional<uint64_t>> offsets;
  Places places;
  uint64_t offset = 0;
  for (int i = 0; i < 1000; ++i) {
    offset += 1 + (random() % 50 == 0 ? random() % (uint64_t{1} << 40) : random() % 300);
    offsets.push_back(random() % 5 == 0 ? std::nullopt : std::optional(offset));
    places.add(offsets.back(), i % 7 == 3);
  }
  std::string bytes;
  places.append_to(bytes);
  const auto read = Places::parse(bytes);
  ASSERT_TRUE(read);
  for (const Places& some : {places, *read}) {
    ASSERT_EQ(some.size(), offsets.size());
    for (size_t i = 0; i < offsets.size(); ++i) ASSERT_EQ(some.at(i), offsets[i]) << i;
    const std::vector<uint64_t> marked = some.marked();
    ASSERT_EQ(marked.size(), 143u);
    for (size_t i = 0; i < marked.size(); ++i) ASSERT_EQ(marked[i], i * 7 + 3);
  }
  EXPECT_LT(bytes.size(), 2 * offsets.size());
}

TEST(Places, RefusesWhatIsNoList) {
  EXPECT_EQ(Places::parse(std::string_view("\0", 1))->size(), 0u);
  using namespace std::literals;
  EXPECT_FALSE(Places::parse(""));
  EXPECT_FALSE(Places::parse("\5\1"));                                              // cut marks
  EXPECT_FALSE(Places::parse("\1\2\7\7"));                                          // a mark behind the last document
  EXPECT_FALSE(Places::parse("\2\1\0\7\7"sv));                                      // one twice
  EXPECT_FALSE(Places::parse("\0\x80"sv));                                          // cut
  EXPECT_FALSE(Places::parse("\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"sv));  // too long
  EXPECT_FALSE(Places::parse("\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01"sv));  // beyond 2^64
}

}  // namespace
}  // namespace neardup::store
