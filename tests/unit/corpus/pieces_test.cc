// The pieces that formats are read with: fields of CSV, escapes, repair of UTF-8, patterns, names, units; each against
// the slowest way that is plainly right.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "neardup/corpus/field_names.h"
#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/find/foreign.h"
#include "neardup/corpus/find/glob.h"
#include "neardup/corpus/find/names.h"
#include "neardup/corpus/formats.h"
#include "neardup/corpus/formats/csv_row.h"
#include "neardup/corpus/formats/unescape.h"
#include "neardup/corpus/formats/utf8_repair.h"
#include "neardup/corpus/output.h"
#include "neardup/corpus/units.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

TEST(CsvFieldsOfAny, WhatIsWrittenIsReadBack) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    const CsvDialect dialect = dialect_of(random() % 2 == 0 ? ',' : '\t', CsvQuotes::kDouble);
    std::vector<std::string> fields;
    std::string record;
    for (size_t i = 1 + random() % 5; i > 0; --i) {
      std::string field;
      for (size_t j = random() % 6; j > 0; --j) field += "a\",\n\r\t "[random() % 7];
      if (!fields.empty()) record += dialect.separator;
      append_csv_field(record, field, dialect);
      fields.push_back(field);
    }
    CsvFields reader(record, dialect, fields.size());
    Arena arena;
    CsvField field;
    for (const std::string& expected : fields) {
      ASSERT_TRUE(reader.next(field)) << record;
      EXPECT_EQ(csv_text(field, arena), expected) << record;
    }
    EXPECT_FALSE(reader.next(field));
    EXPECT_EQ(reader.fault(), CsvFault::kNone);
  }
}

TEST(CsvFieldsOfAny, FaultsAreNamedAndEndTheRecord) {
  for (const auto& [record, fault] : std::vector<std::pair<const char*, CsvFault>>{{"\"a", CsvFault::kOpenQuote},
                                                                                   {"a,\"b\"\"", CsvFault::kOpenQuote},
                                                                                   {"\"a\"b,c", CsvFault::kAfterQuote},
                                                                                   {"\"\" ,c", CsvFault::kAfterQuote},
                                                                                   {"a\"b,c", CsvFault::kNone},
                                                                                   {"", CsvFault::kNone}}) {
    CsvFields reader(record, dialect_of(','), 2);
    CsvField field;
    size_t count = 0;
    while (reader.next(field)) ++count;
    EXPECT_EQ(reader.fault(), fault) << record;
    EXPECT_TRUE(fault != CsvFault::kNone || count == (*record == '\0' ? 1U : 2U)) << record;
  }
}

std::string unescaped(std::string raw, bool& is_valid) {
  const size_t size = raw.size();
  raw.resize(size + kUnescapePadding);
  std::string out(size + kUnescapePadding, '\0');
  const char* end = unescape(std::string_view(raw).substr(0, size), out.data());
  is_valid = end != nullptr;
  out.resize(is_valid ? static_cast<size_t>(end - out.data()) : 0);
  return out;
}

TEST(Escapes, EachOneAtEveryPlaceBesideEveryVectorsBorder) {
  static constexpr std::pair<const char*, const char*> kEscapes[] = {
      {"\\\"", "\""},        {"\\\\", "\\"},
      {"\\/", "/"},          {"\\b", "\b"},
      {"\\f", "\f"},         {"\\n", "\n"},
      {"\\r", "\r"},         {"\\t", "\t"},
      {"\\u0041", "A"},      {"\\u00e9", "é"},
      {"\\u4E2D", "中"},     {"\\ud83d\\ude00", "😀"},
      {"\\ud83d", "\uFFFD"}, {"\\ude00\\ud83d", "\uFFFD\uFFFD"}};
  for (const auto& [raw, text] : kEscapes) {
    for (size_t before = 0; before < 70; ++before) {
      for (const size_t behind : {size_t{0}, size_t{1}, size_t{33}}) {
        const std::string head(before, 'x'), tail(behind, 'y');
        bool is_valid = false;
        EXPECT_EQ(unescaped(head + raw + tail, is_valid), head + text + tail) << raw << " behind " << before;
        EXPECT_TRUE(is_valid);
        EXPECT_TRUE(check_escapes(head + raw + tail));
      }
    }
  }
}

TEST(Escapes, WhatIsNoneIsRefusedByBothWays) {
  for (const char* raw : {"\\", "\\a", "\\u", "\\u123", "\\u12g4", "\\x41", "ok\\", "\\U0041", "\\'", "\\u 041"}) {
    for (const size_t before : {size_t{0}, size_t{15}, size_t{31}, size_t{63}}) {
      bool is_valid = true;
      (void)unescaped(std::string(before, 'x') + raw, is_valid);
      EXPECT_FALSE(is_valid) << raw;
      EXPECT_FALSE(check_escapes(std::string(before, 'x') + raw)) << raw;
    }
  }
}

RC_GTEST_PROP(EscapesOfAny, TheTwoWaysAgree, ()) {
  const std::string raw =
      *rc::gen::container<std::string>(rc::gen::element('\\', 'u', 'd', '8', '0', 'n', '"', 'x', '/', 'F'));
  bool is_valid = false;
  const std::string text = unescaped(raw, is_valid);
  RC_ASSERT(is_valid == check_escapes(raw));
  RC_ASSERT(text.size() <= raw.size());
}

std::string repaired(std::string_view bytes) {
  std::string out(repaired_utf8_bound(bytes.size()), '\0');
  out.resize(static_cast<size_t>(repair_utf8(bytes, out.data()) - out.data()));
  return out;
}

// Whether a character of valid UTF-8 begins at `at`, and how long it is: by the ranges of Unicode 15, table 3-7.
size_t valid_size(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<uint8_t>(text[at + i]) : 0; };
  const auto in = [&](size_t i, int low, int high) { return byte(i) >= low && byte(i) <= high; };
  if (byte(0) < 0x80) return 1;
  if (in(0, 0xC2, 0xDF) && in(1, 0x80, 0xBF)) return 2;
  if (in(2, 0x80, 0xBF) && ((in(0, 0xE0, 0xE0) && in(1, 0xA0, 0xBF)) || (in(0, 0xE1, 0xEC) && in(1, 0x80, 0xBF)) ||
                            (in(0, 0xED, 0xED) && in(1, 0x80, 0x9F)) || (in(0, 0xEE, 0xEF) && in(1, 0x80, 0xBF))))
    return 3;
  if (in(2, 0x80, 0xBF) && in(3, 0x80, 0xBF) &&
      ((in(0, 0xF0, 0xF0) && in(1, 0x90, 0xBF)) || (in(0, 0xF1, 0xF3) && in(1, 0x80, 0xBF)) ||
       (in(0, 0xF4, 0xF4) && in(1, 0x80, 0x8F))))
    return 4;
  return 0;
}

TEST(RepairOfUtf8, EachRunOfBadBytesIsOneReplacement) {
  std::mt19937_64 random(2);
  static constexpr const char* kPieces[] = {"a",    "é",        "中",           "😀",        "\xff",     "\x80",
                                            "\xc3", "\xe4\xb8", "\xed\xa0\x80", "\xf4\x90", "\xc0\xaf", "word "};
  for (int round = 0; round < 3000; ++round) {
    std::string text, expected;
    for (size_t i = random() % 12; i > 0; --i) text += kPieces[random() % std::size(kPieces)];
    size_t bad = 0;
    bool was_bad = false;
    for (size_t at = 0; at < text.size();) {
      const size_t size = valid_size(text, at);
      if (size == 0 && !was_bad) expected += "\uFFFD";
      if (size > 0) expected += text.substr(at, size);
      bad += size == 0;
      was_bad = size == 0;
      at += std::max<size_t>(size, 1);
    }
    EXPECT_EQ(repaired(text), expected);
    EXPECT_EQ(count_bad_utf8(text), bad);
    EXPECT_EQ(repaired(repaired(text)), repaired(text));
    EXPECT_EQ(is_hardly_utf8(text), 100 * bad > text.size()) << bad << " of " << text.size();
  }
}

// By trying every way: "**" may be any text, "*" and "?" none with a slash.
bool matches_slowly(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return path.empty();
  if (pattern.starts_with("*")) {
    for (size_t i = 0; i <= path.size(); ++i) {
      if (matches_slowly(pattern.substr(1), path.substr(i))) return true;
      if (i < path.size() && path[i] == '/') return false;
    }
    return false;
  }
  if (path.empty()) return false;
  return (pattern[0] == '?' ? path[0] != '/' : pattern[0] == path[0]) &&
         matches_slowly(pattern.substr(1), path.substr(1));
}

TEST(PatternsOfPaths, AllShortOnesOverAllShortPaths) {
  const auto words_over = [](const std::string& letters, size_t longest) {
    std::vector<std::string> words = {""};
    for (size_t begin = 0, length = 0; length < longest; ++length) {
      const size_t end = words.size();
      for (; begin < end; ++begin)
        for (const char letter : letters) words.push_back(words[begin] + letter);
    }
    return words;
  };
  const std::vector<std::string> patterns = words_over("a/?*", 4), paths = words_over("ab/", 4);
  for (const std::string& pattern : patterns) {
    if (pattern.empty() || pattern.find("**") != std::string::npos || pattern.find('/') == std::string::npos) continue;
    for (const std::string& path : paths)
      ASSERT_EQ(matches_glob(pattern, path), matches_slowly(pattern, path)) << pattern << " over " << path;
  }
}

TEST(PatternsOfPaths, WithoutASlashTheLastPartIsMeant) {
  for (const char* pattern : {"a*", "*.txt", "?", "[ab]*"}) {
    for (const char* name : {"a", "ab", "b.txt", "x", "a.txt"}) {
      EXPECT_EQ(matches_glob(pattern, std::string("some/folder/") + name), matches_glob(pattern, name))
          << pattern << " " << name;
    }
  }
  EXPECT_TRUE(is_glob("a*") && is_glob("a?") && is_glob("[a]"));
  EXPECT_FALSE(is_glob("plain/name.txt"));
}

std::vector<Input> inputs_of_sizes(const std::vector<uint64_t>& sizes, Format format, Compression compression) {
  std::vector<Input> inputs(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    inputs[i].name = inputs[i].path = "f" + std::to_string(i);
    inputs[i].format = format;
    inputs[i].compression = compression;
    inputs[i].size_bytes = sizes[i];
  }
  return inputs;
}

TEST(UnitsOfInputs, CoverEveryByteOnceInOrder) {
  std::mt19937_64 random(3);
  for (const Format format : {Format::kJsonl, Format::kLines, Format::kCsv, Format::kText}) {
    for (const Compression compression : {Compression::kNone, Compression::kGzip}) {
      std::vector<uint64_t> sizes(50);
      uint64_t total = 0;
      for (uint64_t& size : sizes) total += size = random() % 3 == 0 ? random() % 3 : random() % 5000;
      const auto inputs = inputs_of_sizes(sizes, format, compression);
      const std::vector<Unit> units = cut_units(inputs, {.batch_bytes = 1000});
      EXPECT_EQ(total_unit_bytes(units, 0, units.size()), total);
      std::vector<uint64_t> covered(sizes.size());
      for (const Unit& unit : units) {
        if (unit.num_inputs > 1) {
          for (uint32_t i = 0; i < unit.num_inputs; ++i) covered[unit.first_input + i] = sizes[unit.first_input + i];
          continue;
        }
        EXPECT_EQ(unit.begin, covered[unit.first_input]) << "one behind the other";
        covered[unit.first_input] = unit.end;
      }
      EXPECT_EQ(covered, sizes);
    }
  }
}

TEST(UnitsOfInputs, ShardsAreAllOfThemOneBehindTheOther) {
  std::mt19937_64 random(4);
  std::vector<uint64_t> sizes(40);
  for (uint64_t& size : sizes) size = random() % 20'000;
  const std::vector<Unit> units =
      cut_units(inputs_of_sizes(sizes, Format::kJsonl, Compression::kNone), {.batch_bytes = 1000});
  const uint64_t total = total_unit_bytes(units, 0, units.size());
  for (const int count : {1, 2, 3, 7, 100}) {
    size_t end = 0;
    for (int index = 0; index < count; ++index) {
      const auto [first, last] = shard_of_units(units, index, count);
      EXPECT_EQ(first, end);
      EXPECT_LE(first, last);
      EXPECT_LE(total_unit_bytes(units, first, last), total / static_cast<uint64_t>(count) + 2000) << "balanced";
      end = last;
    }
    EXPECT_EQ(end, units.size());
  }
}

TEST(NamesOfInputs, AreShortAndNoTwoAlike) {
  const auto names = [](const std::vector<std::string>& arguments, const std::vector<Found>& found, bool folder_first) {
    return choose_names(arguments, found, folder_first);
  };
  EXPECT_EQ(names({"/a/b/x.txt"}, {{0, ""}}, false), std::vector<std::string>{"x.txt"});
  EXPECT_EQ(names({"/a/x.txt", "/b/x.txt"}, {{0, ""}, {1, ""}}, false),
            (std::vector<std::string>{"a/x.txt", "b/x.txt"}));
  EXPECT_EQ(names({"/a/f"}, {{0, "x"}, {0, "y/z"}}, false), (std::vector<std::string>{"x", "y/z"}));
  EXPECT_EQ(names({"/a/f"}, {{0, "x"}}, true), std::vector<std::string>{"f/x"});
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::set<std::string> paths;
    for (int i = 0; i < 8; ++i) {
      std::string path;
      for (size_t depth = 1 + random() % 4; depth > 0; --depth) path += std::string("/") + "abc"[random() % 3];
      paths.insert(path + ".txt");
    }
    const std::vector<std::string> arguments(paths.begin(), paths.end());
    std::vector<Found> found;
    for (size_t i = 0; i < arguments.size(); ++i) found.push_back({i, ""});
    const std::vector<std::string> chosen = choose_names(arguments, found, false);
    EXPECT_EQ(std::set<std::string>(chosen.begin(), chosen.end()).size(), arguments.size());
    for (size_t i = 0; i < chosen.size(); ++i) EXPECT_TRUE(arguments[i].ends_with("/" + chosen[i])) << chosen[i];
  }
}

TEST(FormatTable, HasEachFormatOnceAtItsPlaceWithItsOwnEndings) {
  std::set<std::string_view> names, endings;
  for (size_t i = 0; i < formats().size(); ++i) {
    const FormatRow& row = formats()[i];
    EXPECT_EQ(static_cast<size_t>(row.format), i);
    EXPECT_EQ(&row_of(row.format), &row);
    EXPECT_TRUE(row.name.empty() || names.insert(row.name).second) << row.name;
    for (const std::string_view ending : row.signs.endings)
      EXPECT_TRUE(ending.empty() || endings.insert(ending).second) << ending << " of two formats";
    EXPECT_NE(row.source, nullptr);
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"jsonl", "lines", "text", "csv", "tsv", "warc", "parquet"}));
}

TEST(ByteOrderMarks, OfOtherEncodingsAreNamed) {
  for (const auto& [bytes, name] : {std::pair("\xFF\xFEh", "UTF-16 "), {"\xFE\xFFh", "UTF-16 "}})
    EXPECT_NE(why_not_utf8(bytes).find(name), std::string::npos);
  EXPECT_NE(why_not_utf8(std::string_view("\xFF\xFE\0\0", 4)).find("UTF-32 "), std::string::npos);
  for (const std::string_view text : {"", "\xFF", "\xEF\xBB\xBFtext", "text"})
    EXPECT_EQ(why_not_utf8(text), "") << text;
  EXPECT_NE(why_not_utf8("\xFF\xFEh").find("iconv"), std::string::npos) << "with the cure";
}

TEST(AnnotatedJson, IsTheRecordWithItsMembersAtTheEnd) {
  for (const auto& [record, expected] : std::vector<std::pair<const char*, const char*>>{
           {"{\"a\":1}", "{\"a\":1,\"n\":2}"}, {"{}", "{\"n\":2}"}, {" {\"a\":{}} ", " {\"a\":{},\"n\":2} "}}) {
    std::string out = "before ";
    append_annotated_json(out, record, "\"n\":2");
    EXPECT_EQ(out, std::string("before ") + expected);
  }
}

}  // namespace
}  // namespace neardup::corpus
