// The texts of pairs that go into a page: what is shown, where passages stand in it, and what has no room.
#include "neardup/report/passage_texts.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace neardup::report {
namespace {

// UTF-8 to UTF-16, in which places are counted.
std::u16string wide(const std::string& text) {
  std::u16string out;
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    uint32_t point = length == 1 ? byte : byte & (0xFF >> (length + 1));
    for (size_t k = 1; k < length; ++k) point = point << 6 | (static_cast<uint8_t>(text[i + k]) & 0x3F);
    if (point < 0x10000) {
      out += static_cast<char16_t>(point);
    } else {
      out += static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10));
      out += static_cast<char16_t>(0xDC00 + ((point - 0x10000) & 0x3FF));
    }
    i += length;
  }
  return out;
}

std::u16string marked(const FileText& text, const std::vector<PartRange>& places) {
  std::u16string out;
  for (const PartRange& place : places)
    out += wide(text.parts[place.part].text).substr(place.begin, place.end - place.begin);
  return out;
}

TEST(ShownText, NamesWhatIsNotSeenAndKeepsPlaces) {
  std::vector<uint64_t> offsets = {0, 1, 3, 4, 5, 6, 9, 10, 14, 99};
  //                                     0 1     3 4 5   6       9  10
  const std::string shown = shown_text("a\xC3\xA4\r\nb\xE2\x80\xAE\xFF\xF0\x9F\x98\x80", offsets);
  EXPECT_EQ(shown, "a\xC3\xA4\nb[U+202E]\xEF\xBF\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(offsets, (std::vector<uint64_t>{0, 1, 2, 2, 3, 4, 12, 13, 15, 15}));
}

TEST(ShownText, PlacesAreThoseOfWhatIsShownBefore) {
  std::mt19937 random(5);
  const std::vector<std::string> pieces = {
      "a", "\n", "\r\n", "\t", "\r", "\xFF", "\xC3\xA4", "\xE2\x80\xAE", "\xF0\x9F\x98\x80", "\0x", "\xED\xA0\x80"};
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    std::vector<uint64_t> begins;
    for (auto i = random() % 20; i > 0; --i) {
      begins.push_back(bytes.size());
      bytes += pieces[random() % pieces.size()];
    }
    std::vector<uint64_t> offsets = begins, none;
    const std::string shown = shown_text(bytes, offsets);
    for (size_t i = 0; i < begins.size(); ++i) {
      if (bytes[begins[i]] == '\n' && begins[i] > 0 && bytes[begins[i] - 1] == '\r') continue;
      EXPECT_EQ(offsets[i], wide(shown_text(bytes.substr(0, begins[i]), none)).size()) << "round " << round;
    }
  }
}

TEST(PassageTexts, SmallFilesAreWholeAndHeldOnce) {
  PassageTexts texts;
  const std::string a = "one\ntwo shared words\nthree\n", b = "x\ntwo shared words\n", c = "two shared words";
  texts.add(0, 7, a, 8, b, {{{4, 20}, {2, 18}}});
  texts.add(3, 7, a, 9, c, {{{4, 20}, {0, 16}}});
  ASSERT_EQ(texts.pairs().size(), 2U);
  ASSERT_EQ(texts.texts().size(), 3U);
  const PairText& first = texts.pairs()[0];
  EXPECT_EQ(texts.pairs()[1].a, first.a);
  EXPECT_EQ(texts.pairs()[1].pair, 3U);
  EXPECT_EQ(texts.texts()[first.a].parts[0].text, a);
  EXPECT_EQ(texts.texts()[first.a].num_lines, 3U);
  EXPECT_EQ(first.passages[0].a, (std::vector<PartRange>{{0, 4, 20}}));
  EXPECT_EQ(first.passages[0].b, (std::vector<PartRange>{{0, 2, 18}}));
  EXPECT_EQ(first.num_left_out, 0U);
}

TEST(PassageTexts, EqualFilesTakeOneText) {
  PassageTexts texts;
  texts.add(0, 1, "same", 2, "same", {{{0, 4}, {0, 4}}}, /*are_equal=*/true);
  ASSERT_EQ(texts.pairs().size(), 1U);
  EXPECT_EQ(texts.texts().size(), 1U);
  EXPECT_EQ(texts.pairs()[0].a, texts.pairs()[0].b);
}

TEST(PassageTexts, OfLargeFilesWhatIsAroundPassages) {
  std::string a;
  for (int line = 1; line <= 1000; ++line) a += "line " + std::to_string(line) + "\n";
  const size_t begin = a.find("line 500\n"), end = a.find("line 502\n");
  const std::string shared = a.substr(begin, end - begin);
  PassageTexts texts({.whole_file_bytes = 1000});
  texts.add(0, 0, a, 1, shared, {{{begin, end}, {0, shared.size()}}});
  ASSERT_EQ(texts.pairs().size(), 1U);
  const FileText& text = texts.texts()[texts.pairs()[0].a];
  EXPECT_EQ(text.num_lines, 1000U);
  ASSERT_EQ(text.parts.size(), 1U);
  EXPECT_EQ(text.parts[0].first_line, 497U);
  EXPECT_TRUE(text.parts[0].text.starts_with("line 497\n"));
  EXPECT_TRUE(text.parts[0].text.ends_with("line 505\n")) << text.parts[0].text;
  EXPECT_EQ(marked(text, texts.pairs()[0].passages[0].a), wide(shared));
}

TEST(PassageTexts, ALongPassageLosesItsMiddleAndLongLinesAreCut) {
  const std::string shared(100000, 'y'), a = std::string(5000, 'x') + shared + std::string(5000, 'z');
  PassageTexts texts({.whole_file_bytes = 1000, .passage_bytes = 2000});
  texts.add(0, 0, a, 1, shared, {{{5000, 105000}, {0, 100000}}});
  ASSERT_EQ(texts.pairs().size(), 1U);
  const FileText& text = texts.texts()[texts.pairs()[0].a];
  ASSERT_EQ(text.parts.size(), 2U);
  EXPECT_EQ(text.parts[0].text, std::string(400, 'x') + std::string(600, 'y'));
  EXPECT_EQ(text.parts[1].text, std::string(600, 'y') + std::string(400, 'z'));
  EXPECT_EQ(texts.pairs()[0].passages[0].size_bytes, 100000U);
}

TEST(PassageTexts, WhatHasNoRoomIsCounted) {
  const std::string a(90, 'a');
  PassageTexts few({.passages = 2});
  few.add(0, 0, a, 1, a, {{{0, 20}, {0, 20}}, {{30, 40}, {30, 40}}, {{50, 55}, {50, 55}}});
  EXPECT_EQ(few.pairs()[0].passages.size(), 2U);
  EXPECT_EQ(few.pairs()[0].num_left_out, 1U);
  PassageTexts small({.total_bytes = 100});
  small.add(0, 0, a, 1, a, {});
  EXPECT_TRUE(small.pairs().empty()) << "180 bytes are more than 100";
  small.add(1, 2, "b", 3, "c", {});
  EXPECT_EQ(small.pairs().size(), 1U) << "a smaller one still has room";
  PassageTexts looks({.pairs = 1});
  looks.add(0, 0, a, 1, a, {});
  EXPECT_FALSE(looks.has_room());
  PassageTexts reads({.read_bytes = 150});
  reads.add(0, 0, a, 1, a, {});
  EXPECT_FALSE(reads.has_room());
}

TEST(PassageTexts, PlacesOutsideOfAFileAreNone) {
  PassageTexts texts;
  texts.add(0, 0, "abc", 1, "abc", {{{0, 4}, {0, 3}}, {{2, 2}, {0, 1}}, {{0, 1}, {3, 9}}});
  EXPECT_TRUE(texts.pairs()[0].passages.empty());
}

// Whatever is shown of large files: passages are what they are in the file, as far as they are shown.
TEST(PassageTexts, MarksAreTheBytesOfThePassages) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::string a, b;
    for (auto i = random() % 400; i > 0; --i) a += random() % 9 == 0 ? "\n" : random() % 12 == 0 ? "\xC3\xA4" : "q";
    for (auto i = random() % 400; i > 0; --i) b += random() % 50 == 0 ? "\r\n" : "w";
    std::vector<PassagePlace> passages;
    for (int i = 0; i < 5 && a.size() > 2 && b.size() > 2; ++i) {
      const uint64_t from_a = random() % (a.size() - 1), from_b = random() % (b.size() - 1);
      passages.push_back({{from_a, from_a + 1 + random() % (a.size() - from_a)},
                          {from_b, from_b + 1 + random() % (b.size() - from_b)}});
    }
    PassageTexts texts({.whole_file_bytes = 10, .passage_bytes = 2000, .context_bytes = 20});
    texts.add(0, 0, a, 1, b, passages);
    ASSERT_EQ(texts.pairs().size(), 1U);
    const PairText& pair = texts.pairs()[0];
    ASSERT_EQ(pair.passages.size(), passages.size());
    std::vector<uint64_t> none;
    for (size_t i = 0; i < passages.size(); ++i) {
      std::vector<uint64_t> ends = {passages[i].a.begin, passages[i].a.end};
      const std::u16string all = wide(shown_text(a, ends));
      EXPECT_EQ(marked(texts.texts()[pair.a], pair.passages[i].a), all.substr(ends[0], ends[1] - ends[0])) << round;
    }
  }
}

}  // namespace
}  // namespace neardup::report
