#include "neardup/feature/phrases.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/feature/idf.h"
#include "neardup/feature/phrase_counts.h"

namespace neardup::feature {
namespace {

using Tokens = std::vector<uint64_t>;

Phrases phrases_of(const std::vector<std::pair<uint64_t, uint64_t>>& pairs) {
  std::vector<uint64_t> hashes;
  for (const auto& [first, second] : pairs) hashes.push_back(phrase_hash(first, second));
  return Phrases({}, hashes);
}

/// A file of phrases with a fitting checksum, made without the table that Phrases would fill.
std::string file_of(const Tokens& sorted) {
  std::string bytes("NDUPPHR\n\1\0\0\0\0\0\0\0", 16);
  for (const uint64_t number : {uint64_t{0}, uint64_t{sorted.size()}, uint64_t{0}})
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  bytes.append(reinterpret_cast<const char*>(sorted.data()), sorted.size() * sizeof(uint64_t));
  const Hash128 hash = hash128(bytes);
  for (const uint64_t half : {hash.high, hash.low})
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(half >> shift & 0xff);
  return bytes;
}

Tokens joined(const Phrases& phrases, Tokens tokens) {
  phrases.join(tokens);
  return tokens;
}

class PhraseFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("neardup_phrases_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// Counts words and pairs of `text` and chooses its phrases.
  std::shared_ptr<const Phrases> learn(const Tokens& text, const PhraseOptions& options) {
    IdfBuilder words;
    words.add_each(text);
    EXPECT_TRUE(words.save(path("words"), {.min_documents = options.min_count}));
    const auto frequent = FrequentWords::open(path("words"));
    EXPECT_TRUE(frequent);
    Tokens keys;
    frequent->pair_keys(text, keys);
    IdfBuilder pairs;
    pairs.add_each(keys);
    EXPECT_TRUE(pairs.save(path("pairs"), {}));
    const auto phrases = frequent->choose(path("pairs"), options);
    EXPECT_TRUE(phrases) << phrases.error().message;
    return *phrases;
  }

 private:
  std::filesystem::path folder_;
};

TEST(Phrases, JoinsFromTheLeftAndEachTokenOnce) {
  const Phrases phrases = phrases_of({{1, 2}, {2, 3}, {5, 5}});
  const uint64_t p12 = phrase_hash(1, 2), p23 = phrase_hash(2, 3), p55 = phrase_hash(5, 5);
  EXPECT_EQ(joined(phrases, {1, 2, 3}), (Tokens{p12, 3}));
  EXPECT_EQ(joined(phrases, {9, 2, 3, 1, 2}), (Tokens{9, p23, p12}));
  EXPECT_EQ(joined(phrases, {5, 5, 5}), (Tokens{p55, 5}));
  EXPECT_EQ(joined(phrases, {2, 1}), (Tokens{2, 1}));
  EXPECT_EQ(joined(phrases, {1}), Tokens{1});
  EXPECT_EQ(joined(phrases, {}), Tokens{});
}

TEST(Phrases, NoneJoinNothing) { EXPECT_EQ(joined(Phrases({}, {}), {1, 2, 0, 3}), (Tokens{1, 2, 0, 3})); }

TEST(Phrases, ContainWhatTheyWereMadeOf) {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (uint64_t i = 0; i < 5000; ++i) pairs.emplace_back(mix64(i), mix64(i * i + 7));
  const Phrases phrases = phrases_of(pairs);
  EXPECT_EQ(phrases.size(), pairs.size());
  size_t found = 0;
  for (const auto& [first, second] : pairs) {
    ASSERT_TRUE(phrases.contains(first, second));
    found += phrases.contains(second, first);
  }
  EXPECT_EQ(found, 0U);
}

TEST_F(PhraseFile, SaveAndLoadGiveTheSame) {
  const Phrases phrases({1000, 12, 450, "{\"words\":1}"}, {8, 3, 5, 3});
  ASSERT_TRUE(phrases.save(path("a")));
  const auto loaded = Phrases::load(path("a"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->size(), 3U);
  EXPECT_EQ((*loaded)->id(), phrases.id());
  EXPECT_EQ((*loaded)->head().tokens, "{\"words\":1}");
  EXPECT_EQ((*loaded)->head().min_count, 12U);
  EXPECT_NE(Phrases({1000, 12, 450, "{\"words\":1}"}, {8, 3}).id(), phrases.id());
}

TEST_F(PhraseFile, EveryChangedByteIsNoticed) {
  ASSERT_TRUE(Phrases({10, 1, 500, "abc"}, {8, 3, 5}).save(path("a")));
  const std::string bytes = *read_file(path("a"));
  ASSERT_TRUE(Phrases::from_bytes(bytes));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ 0x10);
    const auto result = Phrases::from_bytes(broken);
    ASSERT_FALSE(result) << i;
    ASSERT_EQ(result.error().code, Code::kCorruption);
  }
  for (size_t size = 0; size < bytes.size(); ++size) ASSERT_FALSE(Phrases::from_bytes(bytes.substr(0, size))) << size;
  EXPECT_FALSE(Phrases::from_bytes(bytes + "x"));
  EXPECT_EQ(Phrases::load(path("nothing")).error().code, Code::kNotFound);
}

TEST_F(PhraseFile, MoreThanAQuarterOfTheMemoryIsRefused) {
  ASSERT_TRUE(Phrases({10, 1, 500, "abc"}, {8, 3, 5}).save(path("a")));
  const uint64_t enough = 4 * 6 * std::filesystem::file_size(path("a"));
  EXPECT_TRUE(Phrases::load(path("a"), enough));
  const auto refused = Phrases::load(path("a"), enough - 4);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kMemory);
  EXPECT_NE(refused.error().message.find("--min-count"), std::string::npos) << refused.error().message;
}

// Look-ups among hashes 1, 2, 3, ... would each read all of them.
TEST_F(PhraseFile, CrowdedHashesAreRefused) {
  for (const uint64_t first : {uint64_t{1}, ~uint64_t{0} - 100000}) {
    Tokens hashes(100000);
    std::iota(hashes.begin(), hashes.end(), first);
    ASSERT_TRUE(Phrases({}, Tokens(hashes.begin(), hashes.begin() + 500)).save(path("a")));
    EXPECT_TRUE(Phrases::load(path("a")));
    ASSERT_TRUE(write_file_atomically(path("b"), file_of(hashes)));
    const auto loaded = Phrases::load(path("b"));
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, Code::kCorruption);
    EXPECT_NE(loaded.error().message.find("crowd"), std::string::npos) << loaded.error().message;
  }
  Tokens spread(100000);
  for (uint64_t i = 0; i < spread.size(); ++i) spread[i] = mix64(i);
  ASSERT_TRUE(Phrases({}, spread).save(path("c")));
  EXPECT_TRUE(Phrases::load(path("c")));
}

TEST_F(PhraseFile, LearnsPairsThatAreTogetherMoreThanChanceHasIt) {
  // Words 0..99 at random; 1000 is always before 1001; 2000 and 2001 are never neighbours, frequent as they are.
  std::mt19937_64 random(3);
  Tokens text;
  for (int i = 0; i < 20000; ++i) {
    text.push_back(mix64(random() % 100));
    if (i % 50 == 0) text.insert(text.end(), {mix64(1000), mix64(1001)});
    if (i % 50 == 20) text.push_back(mix64(2000));
    if (i % 50 == 40) text.push_back(mix64(2001));
  }
  const auto phrases = learn(text, {.min_count = 10, .least_score = 800});
  EXPECT_TRUE(phrases->contains(mix64(1000), mix64(1001)));
  EXPECT_EQ(phrases->size(), 1U);
  EXPECT_EQ(learn(text, {.min_count = 401, .least_score = 800})->size(), 0U);
  EXPECT_EQ(learn(text, {.min_count = 400, .least_score = 800})->size(), 1U);
  EXPECT_GT(learn(text, {.min_count = 1, .least_score = 0})->size(), 100U);
}

TEST_F(PhraseFile, ScoreIsThatOfTheSlowestCount) {
  std::mt19937_64 random(4);
  Tokens text;
  for (int i = 0; i < 4000; ++i) text.push_back(random() % (1 + random() % 30));
  std::map<uint64_t, double> words;
  std::map<std::pair<uint64_t, uint64_t>, double> pairs;
  for (size_t i = 0; i < text.size(); ++i) {
    ++words[text[i]];
    if (i > 0) ++pairs[{text[i - 1], text[i]}];
  }
  const auto total = static_cast<double>(text.size());
  const auto phrases = learn(text, {.min_count = 5, .least_score = 100});
  size_t expected = 0;
  for (const auto& [pair, count] : pairs) {
    const double score = std::log(count * total / (words[pair.first] * words[pair.second])) / -std::log(count / total);
    const bool is_phrase = count >= 5 && score >= 0.1;
    expected += is_phrase;
    EXPECT_EQ(phrases->contains(pair.first, pair.second), is_phrase) << score;
  }
  EXPECT_EQ(phrases->size(), expected);
}

}  // namespace
}  // namespace neardup::feature
