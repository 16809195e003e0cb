// WARC files cut at every byte, with every byte changed, and made to cost time.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cpu_seconds.h"
#include "tests/unit/corpus/support.h"
#include "tests/unit/corpus/warc_support.h"

namespace neardup::corpus {
namespace {

struct Seen {
  std::vector<std::string> texts;
  size_t num_rejected = 0;
};

Seen see(const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
  Seen seen;
  for (const Item& item : read_bytes(name, bytes, options)) {
    if (item.reason.empty()) seen.texts.push_back(item.text);
    seen.num_rejected += !item.reason.empty();
  }
  return seen;
}

const std::vector<std::string> kTexts = {"the first text of all", "the second one, of another kind", "a third"};

std::vector<std::string> three_records() {
  return {warc::page("http://a/", kTexts[0]), warc::text("http://b/", kTexts[1]), warc::page("http://c/", kTexts[2])};
}

std::string name_of(Compression compression) {
  if (compression == Compression::kNone) return "a.warc";
  return compression == Compression::kGzip ? "a.warc.gz" : "a.warc.zst";
}

constexpr Compression kAll[] = {Compression::kNone, Compression::kGzip, Compression::kZstd};

TEST(BrokenWarc, CutAtAnyByteTheRecordsBeforeAreThere) {
  for (const Compression compression : kAll) {
    const std::vector<std::string> records = three_records();
    const std::string file = warc::file_of(records, compression);
    for (size_t size = 0; size <= file.size(); ++size) {
      size_t num_whole = 0;
      for (size_t end = 0; num_whole < 3; ++num_whole)
        if ((end += warc::file_of({records[num_whole]}, compression).size()) > size) break;
      const Seen seen = see(name_of(compression), file.substr(0, size));
      ASSERT_GE(seen.texts.size(), num_whole) << size;
      for (size_t i = 0; i < seen.texts.size(); ++i) ASSERT_EQ(seen.texts[i], kTexts[i]) << size;
      ASSERT_LE(seen.texts.size() + seen.num_rejected, num_whole + 1) << size;
    }
  }
}

TEST(BrokenWarc, AByteThatIsChangedCostsOneRecordOfItsOwnMember) {
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const std::string file = warc::file_of(three_records(), compression);
    const size_t first_end = warc::file_of({three_records()[0]}, compression).size();
    for (size_t at = 4; at < file.size(); ++at) {  // the first bytes say what the file is
      for (const char bits : {'\x01', '\x80', '\xFF'}) {
        std::string changed = file;
        changed[at] = static_cast<char>(changed[at] ^ bits);
        const Seen seen = see(name_of(compression), changed);
        ASSERT_GE(seen.texts.size(), 2u) << at;
        ASSERT_TRUE(seen.texts.size() == 3 || seen.num_rejected > 0) << at;
        for (const std::string& text : seen.texts) ASSERT_NE(std::ranges::find(kTexts, text), kTexts.end()) << at;
        ASSERT_TRUE(at >= first_end || seen.texts.back() == kTexts[2]) << at;
      }
    }
  }
}

TEST(BrokenWarc, AByteThatIsChangedInAPlainFileLosesNoOtherRecord) {
  const std::string file = warc::file_of(three_records());
  const size_t first_end = warc::file_of({three_records()[0]}).size();
  for (size_t at = 0; at < first_end - 1; ++at) {  // without the last line end, the second record begins no line
    for (const char c : {'x', '\n', '9', '\0'}) {
      std::string changed = file;
      changed[at] = c;
      const TempFolder folder;
      DiscoverOptions discover;
      discover.format = Format::kWarc;
      const auto items = read_inputs(discover_all({folder.write("a.warc", changed)}, discover));
      ASSERT_GE(items.size(), 2u) << at;
      ASSERT_EQ(items.back().text, kTexts[2]) << at;
      ASSERT_EQ(items[items.size() - 2].text, kTexts[1]) << at;
    }
  }
}

/// No file may cost more than some passes over it: seconds here would be hours for a real one.
void expect_fast(const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
  const double start = cpu_seconds();
  see(name, bytes, options);
  EXPECT_LT(cpu_seconds() - start, 10) << name;
}

std::string repeated(const std::string& piece, size_t size) {
  std::string all;
  while (all.size() < size) all += piece;
  return all;
}

TEST(BrokenWarc, ManyRecordsThatClaimToBeLongCostNoMore) {
  const std::string claim = "WARC/1.0\nWARC-Type: response\nContent-Length: 1500000\n\n";
  expect_fast("a.warc", repeated(claim, 2'000'000));
  expect_fast("a.warc.gz", *compress(Compression::kGzip, repeated(claim, 2'000'000)));
  ReadOptions options;
  options.max_record_bytes = 1000;
  expect_fast("a.warc", repeated(claim, 2'000'000), options);
}

TEST(BrokenWarc, HeadersWithoutAnEndCostNoMore) {
  expect_fast("a.warc", repeated("WARC/1.0\n", 2'000'000));
  expect_fast("a.warc", "WARC/1.0\r\n" + repeated("A: b\r\n", 20'000'000));
  expect_fast("a.warc.gz", *compress(Compression::kGzip, "WARC/1.0\r\nA: " + std::string(50'000'000, 'x')));
}

TEST(BrokenWarc, WhatLooksLikeMembersCostsNoMore) {
  const std::string good = warc::file_of({warc::text("a", "A")}, Compression::kGzip);
  expect_fast("a.warc.gz", good + repeated("\x1F\x8B\x08\x00", 2'000'000));
  // Stored blocks that hold the begins of others: each would inflate to the end of the file.
  std::string nested;
  while (nested.size() < 2'000'000) nested += std::string("\x1F\x8B\x08\0\0\0\0\0\0\xFF\0\x0A\0\xF5\xFF", 15);
  expect_fast("a.warc.gz", good + nested);
  std::string stored;  // blocks one after the other, in none of which the stream ends
  while (stored.size() < 2'000'000) {
    stored += std::string("\0\x40\0\xBF\xFF", 5);
    for (int i = 0; i < 4; ++i) stored += std::string("\x1F\x8B\x08\0\0\0\0\0\0\xFF\0\x31\0\xCE\xFF\0", 16);
  }
  expect_fast("a.warc.gz", good + std::string("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10) + stored);
}

TEST(BrokenWarc, GarbageWithoutAnEndTakesNoMemory) {
  const std::string garbage = *compress(Compression::kGzip, std::string(300'000'000, 'g'));
  const Seen seen = see("a.warc.gz", warc::file_of({warc::text("a", "A")}, Compression::kGzip) + garbage +
                                         warc::file_of({warc::text("b", "B")}, Compression::kGzip));
  EXPECT_EQ(seen.texts, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(seen.num_rejected, 1u);
}

}  // namespace
}  // namespace neardup::corpus
