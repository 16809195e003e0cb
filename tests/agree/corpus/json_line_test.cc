// The strict line reader on simdjson's tokens against the slowest obvious one, and that one against another library.
#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>
#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <random>

#include "tests/agree/corpus/line_check.h"

namespace neardup::corpus {
namespace {

const std::vector<std::string> kNames = {"t", "a.b", "a", "id"};

/// Calls `use` on each sequence of up to `length` of the `pieces`.
template <class Use>
void for_each_sequence(const std::vector<std::string>& pieces, int length, std::string& line, const Use& use) {
  use(line);
  if (length == 0) return;
  for (const std::string& piece : pieces) {
    const size_t size = line.size();
    line += piece;
    for_each_sequence(pieces, length - 1, line, use);
    line.resize(size);
  }
}

void check_universe(const std::string& before, const std::vector<std::string>& pieces, int length,
                    const std::string& after) {
  LineCheck check(kNames);
  std::string line;
  for_each_sequence(pieces, length, line, [&](const std::string& middle) {
    const std::string whole = before + middle + after;
    ASSERT_EQ(check.run(whole), "") << whole;
  });
}

TEST(JsonLineAgree, EveryShortSequenceOfTokens) {
  check_universe("", {"{", "}", "[", "]", ":", ",", "\"a\"", "\"t\"", "1", " "}, 6, "");
}

TEST(JsonLineAgree, EveryShortMemberList) {
  check_universe("{", {"\"a\":", "\"t\":", "\"b\":", "\"a.b\":", "{", "}", "\"x\"", ",", "null"}, 6, "}");
}

TEST(JsonLineAgree, EveryShortNumber) { check_universe("{\"id\":", {"-", "+", "0", "1", ".", "e", "E", " "}, 6, "}"); }

TEST(JsonLineAgree, EveryShortStringWithEscapes) {
  check_universe("{\"t\":\"", {"\\", "\"", "u", "n", "D83D", "dE00", "00e9", "x", "\x01"}, 6, "\"}");
}

TEST(JsonLineAgree, EveryShortSequenceOfBytes) {
  check_universe("{\"t\":\"", {"\x80", "\xBF", "\xC2", "\xE0", "\xA0", "\xED", "\xF0", "\x90", "\xF4", "a"}, 5, "\"}");
}

std::string random_string(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"a",       "plain words of some length that go on for a while",
                                                   "é",       "中文",
                                                   "😀",       "\\n",
                                                   "\\\"",    "\\\\",
                                                   "\\u00e9", "\\ud83d\\ude00",
                                                   "\\ud83d", "\\ude00",
                                                   "\\/",     "\xFF",
                                                   "\xC3",    "{",
                                                   "]",       ",",
                                                   ":"};
  std::string out = "\"";
  for (size_t n = random() % 6; n > 0; --n) out += kPieces[random() % kPieces.size()];
  return out + "\"";
}

std::string random_value(std::mt19937& random, int depth) {
  static const std::vector<std::string> kScalars = {
      "0", "-1", "12345678901234567890123", "1.5", "-0.0e-3", "1E9", "true", "false", "null"};
  const auto space = [&] { return std::string(random() % 8 == 0 ? 1 + random() % 70 : 0, ' '); };
  const auto kind = random() % (depth > 3 ? 2 : 4);
  if (kind == 0) return kScalars[random() % kScalars.size()];
  if (kind == 1) return random_string(random);
  static const std::vector<std::string> kKeys = {"\"t\"",  "\"a\"",       "\"b\"", "\"a.b\"",
                                                 "\"id\"", "\"\\u0074\"", "\"z\""};
  std::string out = kind == 2 ? "{" : "[";
  for (size_t n = random() % 5; n > 0; --n) {
    out += space();
    if (kind == 2) out += kKeys[random() % kKeys.size()] + space() + ":" + space();
    out += random_value(random, depth + 1) + space() + (n > 1 ? "," : "");
  }
  return out + (kind == 2 ? "}" : "]");
}

void mutate(std::mt19937& random, std::string& line) {
  static constexpr std::string_view kBytes("\0\t\r\"\\{}[]:,0-e.u \xC3\xA9\xFF", 21);
  const size_t at = random() % line.size();
  switch (random() % 4) {
    case 0:
      line.erase(at, 1 + random() % 3);
      break;
    case 1:
      line.insert(at, 1, kBytes[random() % kBytes.size()]);
      break;
    case 2:
      line[at] = kBytes[random() % kBytes.size()];
      break;
    default:
      line[at] = static_cast<char>(line[at] ^ (1 << (random() % 8)));
      break;
  }
}

TEST(JsonLineAgree, RandomLinesAndTheirMutations) {
  std::mt19937 random(1);
  LineCheck check(kNames);
  for (int i = 0; i < 40000; ++i) {
    std::string line = random_value(random, 0);
    ASSERT_EQ(check.run(line), "") << line;
    for (int m = 0; m < 3 && !line.empty(); ++m) {
      mutate(random, line);
      if (line.empty()) break;
      ASSERT_EQ(check.run(line), "") << line;
    }
  }
}

/// Places an escape, a bad byte and a quote at each offset, so that each lane of each vector width meets them.
void check_every_offset() {
  LineCheck check(kNames);
  for (const std::string piece : {"\\n", "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\xFF", "\\x", "\"", "\\\\"}) {
    for (size_t before = 0; before < 150; ++before) {
      for (const size_t after : {0, 1, 63, 64, 65}) {
        const std::string line = "{\"t\":\"" + std::string(before, 'a') + piece + std::string(after, 'b') + "\"}";
        ASSERT_EQ(check.run(line), "") << line;
      }
    }
  }
}

TEST(JsonLineAgree, EveryOffsetWithEachVectorWidth) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check_every_offset();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(JsonLineAgree, EveryOffsetWithEachTokenFinder) {
  const simdjson::implementation* chosen = simdjson::get_active_implementation();
  for (const simdjson::implementation* one : simdjson::get_available_implementations()) {
    if (!one->supported_by_runtime_system()) continue;
    simdjson::get_active_implementation() = one;
    check_every_offset();
  }
  simdjson::get_active_implementation() = chosen;
}

/// The judge is judged: nlohmann's parser has no repair, refuses lone surrogates and numbers beyond a double.
TEST(JsonLineAgree, PlainReaderAgreesWithAnotherLibrary) {
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    std::string line = random_value(random, 0);
    if (random() % 2 == 0) mutate(random, line);
    if (line.find('\0') != std::string::npos) continue;  // the other library takes it for the end
    const std::string repaired = plain::repair(line);
    const auto ours = plain::parse(line);
    const auto theirs = nlohmann::json::parse(repaired, nullptr, false);
    if (!theirs.is_discarded()) {
      ASSERT_TRUE(ours) << line;
      if (theirs.is_string()) {
        ASSERT_EQ(ours->text, theirs.get<std::string>()) << line;
      }
    } else if (ours) {
      ASSERT_TRUE(line.find("\\u") != std::string::npos || line.find_first_of("eE") != std::string::npos) << line;
    }
  }
}

TEST(JsonLineAgree, DepthOf1024IsTheLimit) {
  LineCheck check(kNames);
  for (const int depth : {1, 2, 1023, 1024, 1025, 5000}) {
    const auto n = static_cast<size_t>(depth);
    EXPECT_EQ(check.run(std::string(n, '[') + std::string(n, ']')), "") << depth;
    std::string nested = "1";
    for (size_t i = 0; i < n; ++i) nested = i % 2 == 0 ? "{\"a\":" + nested + "}" : "[" + nested + "]";
    EXPECT_EQ(check.run(nested), "") << depth;
    if (depth > 1025) continue;
    std::string path = "1";
    for (size_t i = 0; i < n; ++i) path = "{\"a\":" + path + "}";
    EXPECT_EQ(check.run(path), "") << depth;
  }
}

}  // namespace
}  // namespace neardup::corpus
