// Similar lines against the script that compares every line with every one that stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <random>
#include <set>

#include "neardup/lines/find_similar.h"
#include "neardup/lines/lines.h"
#include "neardup/token/short_text.h"
#include "neardup/verify/short_texts.h"
#include "tests/agree/lines/reference.h"

namespace neardup::lines {
namespace {

struct ReferenceLine {
  std::vector<uint32_t> row;
  std::set<uint32_t> grams;
};

ReferenceLine reference_line(const std::string& line) {
  static LineFeatures features;
  ReferenceLine made;
  features.make(line, made.row);
  const auto grams = token::read_short_text(made.row).grams;
  made.grams = std::set<uint32_t>(grams.begin(), grams.end());
  return made;
}

std::optional<double> similarity_of(const SimilarRule& rule, const ReferenceLine& a, const ReferenceLine& b) {
  const auto both =
      static_cast<size_t>(std::ranges::count_if(a.grams, [&](uint32_t g) { return b.grams.contains(g); }));
  if (both == 0) return std::nullopt;
  const double similarity = static_cast<double>(both) / static_cast<double>(a.grams.size() + b.grams.size() - both);
  if (similarity < rule.share) return std::nullopt;
  if (verify::short_difference({.kind = rule.verify}, a.row, b.row) != verify::ShortDifference::kNone)
    return std::nullopt;
  return similarity;
}

/// The fates by comparing all.
std::vector<SimilarFate> fates_by_all(const std::vector<std::string>& lines, const SimilarRule& rule,
                                      size_t num_minus) {
  std::vector<ReferenceLine> made;
  std::vector<SimilarFate> fates;
  for (size_t i = 0; i < lines.size(); ++i) {
    made.push_back(reference_line(lines[i]));
    fates.push_back({static_cast<uint32_t>(i), 1});
    for (size_t k = 0; k < i && i >= num_minus && fates[i].kept == i; ++k) {
      if (fates[k].kept != k) continue;
      if (const auto similarity = similarity_of(rule, made[k], made[i]))
        fates[i] = {static_cast<uint32_t>(k), static_cast<float>(*similarity)};
    }
  }
  return fates;
}

const KeyMaker& whole_lines() {
  static const KeyMaker maker = *KeyMaker::create({});
  return maker;
}

SimilarWork work_of(const SimilarRule& rule, size_t num_minus, int num_threads) {
  return {.rule = rule,
          .num_minus = num_minus,
          .maker = &whole_lines(),
          .memory_bytes = uint64_t{1} << 30,
          .num_threads = num_threads};
}

/// Returns how many lines went for another one.
size_t expect_same_fates(const std::vector<std::string>& lines, const SimilarRule& rule, size_t num_minus,
                         int num_threads) {
  const std::vector<std::string_view> views(lines.begin(), lines.end());
  const auto found = find_similar(views, work_of(rule, num_minus, num_threads));
  EXPECT_TRUE(found) << found.error().message;
  const std::vector<SimilarFate> expected = fates_by_all(lines, rule, num_minus);
  size_t removed = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ((*found)[i].kept, expected[i].kept) << lines[i] << " / " << lines[expected[i].kept];
    EXPECT_EQ((*found)[i].similarity, expected[i].similarity);
    removed += expected[i].kept == i ? 0 : 1;
  }
  return removed;
}

std::vector<std::string> all_lines(const std::string& alphabet, size_t size) {
  std::vector<std::string> lines = {""};
  for (size_t begin = 0, length = 0; length < size; ++length) {
    const size_t end = lines.size();
    for (; begin < end; ++begin) {
      for (const char letter : alphabet) lines.push_back(lines[begin] + letter);
    }
  }
  return lines;
}

TEST(SimilarLines, AllShortLinesOfThreeLetters) {
  for (const double share : {0.5, 0.6, 2.0 / 3, 0.7, 0.75, 0.9, 1.0}) {
    SCOPED_TRACE(share);
    EXPECT_GT(expect_same_fates(all_lines("ab ", 6), {share, verify::Rule::Kind::kOrigin}, 0, 2), 0U);
    expect_same_fates(all_lines("a1 ", 5), {share, verify::Rule::Kind::kContent}, 7, 1);
  }
}

/// Names of places and what happens to them when people type.
std::vector<std::string> edited_lines(uint64_t seed, size_t count) {
  constexpr const char* kWords[] = {"harbour", "of",   "New", "Saint", "upper",  "Lower", "bridge", "station",
                                    "north",   "12",   "7",   "not",   "street", "école", "市場",   "Straße",
                                    "museum",  "road", "C++", "-5",    "Мост",   "lane",  "garden", "market"};
  std::mt19937_64 random(seed);
  std::vector<std::string> lines;
  while (lines.size() < count) {
    std::string line;
    for (uint64_t words = 1 + random() % 6; words > 0; --words)
      line += std::string(kWords[random() % std::size(kWords)]) + (words == 1 ? "" : " ");
    if (!lines.empty() && random() % 3 != 0) line = lines[random() % lines.size()];
    for (uint64_t edits = random() % 3; edits > 0 && !line.empty(); --edits) {
      const size_t at = random() % line.size();
      if (random() % 2 == 0) {
        line.erase(at, 1);
      } else {
        line.insert(at, 1, "aeb 1.\xC3"[random() % 7]);
      }
    }
    lines.push_back(line);
  }
  return lines;
}

TEST(SimilarLines, RandomLinesWithMisprints) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const double share = std::array{0.5, 0.6, 0.7, 0.8, 1.0}[seed % 5];
    const auto rule = seed % 2 == 0 ? verify::Rule::Kind::kContent : verify::Rule::Kind::kOrigin;
    expect_same_fates(edited_lines(seed, 300), {share, rule}, seed % 3 == 0 ? 60 : 0, 1 + static_cast<int>(seed % 3));
  }
  // More than one block.
  EXPECT_GT(expect_same_fates(edited_lines(99, 4600), {0.7, verify::Rule::Kind::kContent}, 4000, 2), 50U);
}

/// Lines of one template, which share most n-grams: what is left out by where these stand, and by how words begin.
std::vector<std::string> template_lines(uint64_t seed, size_t count) {
  constexpr const char* kWords[] = {"alpha",  "alphas", "amber", "bramble", "brambel", "cobalt",
                                    "cobald", "d",      "",      "é",       "éa"};
  std::mt19937_64 random(seed);
  const auto word = [&] { return std::string(kWords[random() % std::size(kWords)]); };
  std::vector<std::string> lines;
  while (lines.size() < count)
    lines.push_back("the connection from " + word() + " was refused by " + word() + (random() % 2 == 0 ? "" : " ") +
                    word() + " as the queue is full " + (random() % 4 == 0 ? word() : ""));
  return lines;
}

TEST(SimilarLines, LinesOfOneTemplate) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const double share = std::array{0.5, 0.7, 0.8, 0.9}[seed % 4];
    const auto rule = seed % 3 != 0 ? verify::Rule::Kind::kContent : verify::Rule::Kind::kOrigin;
    EXPECT_GT(expect_same_fates(template_lines(seed, 200), {share, rule}, seed % 2 == 0 ? 20 : 0, 2), 0U);
  }
}

/// What a line of JSON says of a line that was removed.
SimilarLine told_by(std::string_view json) {
  SimilarLine told;
  char of_minus[6] = "";
  double similarity = 0;
  EXPECT_EQ(
      std::sscanf(std::string(json).c_str(), R"({"line":%lu,"duplicate_of":%lu,"of_minus":%5[a-z],"similarity":%lf,)",
                  &told.index, &told.duplicate_of, of_minus, &similarity),
      4)
      << json;
  told.of_minus = std::string_view(of_minus) == "true";
  told.similarity = static_cast<float>(similarity);
  return told;
}

/// The JSON counts from 1, and has four decimals.
void expect_same_told(const std::vector<SimilarLine>& told, const std::vector<SimilarLine>& expected) {
  ASSERT_EQ(told.size(), expected.size());
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].index, expected[i].index + 1);
    EXPECT_EQ(told[i].duplicate_of, expected[i].duplicate_of + 1);
    EXPECT_EQ(told[i].of_minus, expected[i].of_minus);
    EXPECT_NEAR(told[i].similarity, expected[i].similarity, 1e-4);
  }
}

/// Of files, in memory and beyond it, and of lines in memory: the same lines, counts and pairs.
TEST(SimilarLines, AllWaysGiveTheSame) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<std::string> lines = edited_lines(seed, 400), minus = edited_lines(seed, 30);
    std::string text, minus_text, expected;
    for (const std::string& line : lines) text += line + "\n";
    for (const std::string& line : minus) minus_text += line + "\n";
    LinesOptions options{.show = static_cast<Show>(seed % 3), .count = seed % 2 == 0, .num_threads = 2};
    if (seed % 4 == 0) options.order = Order::kSorted;
    if (seed % 5 == 0) options.key.ignore_case = true;
    options.similar = {.share = 0.6, .origin = seed % 7 == 0};
    const std::vector<std::string_view> views(lines.begin(), lines.end()), others(minus.begin(), minus.end());
    const bool subtracts = seed % 3 == 0;
    const auto unique =
        unique_lines_of(views, subtracts ? std::span(others) : std::span<const std::string_view>(), options);
    ASSERT_TRUE(unique) << unique.error().message;
    for (const KeptLine& line : unique->lines)
      expected += (options.count ? std::to_string(line.count) + "\t" : "") + lines[line.index] + "\n";
    WrittenFiles files;
    options.inputs = files.write({text});
    if (subtracts) options.minus = files.write({minus_text});
    std::vector<SimilarLine> all_told;
    options.similar->removed = [&](std::string_view json) { return all_told.push_back(told_by(json)), Status(); };
    LinesTotals totals;
    EXPECT_EQ(run_lines(options, {}, &totals), expected);
    EXPECT_EQ(totals.similar, unique->similar.size());
    EXPECT_GT(all_told.size(), 20U);
    expect_same_told(all_told, unique->similar);
    all_told.clear();
    const LinesMemory tiny{.block_bytes = 2000,
                           .set_bytes = 0,
                           .part_buffer_bytes = 20,
                           .sort_bytes = 1,
                           .similar_bytes = uint64_t{1} << 26};
    EXPECT_EQ(run_lines(options, tiny), expected);
    expect_same_told(all_told, unique->similar);
  }
}

}  // namespace
}  // namespace neardup::lines
