#include "neardup/sif/selector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

namespace neardup::sif {
namespace {

std::string random_text(size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string text(size, ' ');
  for (char& byte : text) byte = static_cast<char>('a' + random() % 20);
  return text;
}

std::vector<Fingerprint> selected(const std::string& text, SelectionKind kind) {
  Selection selection;
  selection.kind = kind;
  Selector selector(selection);
  std::vector<Fingerprint> out;
  selector.select(text, out);
  return out;
}

TEST(Selector, OfARowOfSpacesOneFingerprint) {
  for (const auto kind : {SelectionKind::kWinnow, SelectionKind::kSample}) {
    std::set<uint64_t> values;
    const auto fingerprints = selected(std::string(70, ' '), kind);
    for (const Fingerprint& fingerprint : fingerprints) values.insert(fingerprint.value);
    EXPECT_LE(values.size(), 1U);
    EXPECT_LE(fingerprints.size(), 1U);
  }
}

TEST(Selector, ShortTextsHaveNone) {
  EXPECT_TRUE(selected("", SelectionKind::kWinnow).empty());
  EXPECT_TRUE(selected(std::string(49, 'x'), SelectionKind::kWinnow).empty());
  EXPECT_EQ(selected(random_text(50, 1), SelectionKind::kWinnow).size(), 1U);
}

TEST(Selector, SamplesAndAnchorsDoNotOverlap) {
  std::string text = random_text(50000, 2);
  for (size_t i = 0; i + 10 < text.size(); i += 17) text.replace(i, 4, "tion");
  for (const auto kind : {SelectionKind::kSample, SelectionKind::kAnchors}) {
    const auto fingerprints = selected(text, kind);
    ASSERT_GT(fingerprints.size(), 50U);
    for (size_t i = 1; i < fingerprints.size(); ++i)
      ASSERT_GE(fingerprints[i].position - fingerprints[i - 1].position, 50U);
  }
}

TEST(Selector, WinnowingFindsEverySharedPassageOf113Bytes) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::string shared = random_text(113, 1000 + seed);
    const auto a =
        selected(random_text(3000 + seed, seed) + shared + random_text(5000, seed + 1), SelectionKind::kWinnow);
    const auto b = selected(random_text(100, seed + 2) + shared + random_text(70, seed + 3), SelectionKind::kWinnow);
    const bool meet = std::ranges::any_of(a, [&](const Fingerprint& x) {
      return std::ranges::any_of(b, [&](const Fingerprint& y) { return x.value == y.value; });
    });
    ASSERT_TRUE(meet) << seed;
  }
}

TEST(Selector, NumbersOutOfBoundsAreRefused) {
  Selection selection;
  EXPECT_TRUE(check_selection(selection));
  selection.substring_bytes = 3;
  EXPECT_FALSE(check_selection(selection));
  selection = {};
  selection.window = 0;
  EXPECT_FALSE(check_selection(selection));
  selection = {};
  selection.anchors = {""};
  EXPECT_FALSE(check_selection(selection));
}

}  // namespace
}  // namespace neardup::sif
