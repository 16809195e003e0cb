// The SIMD kernel, once for each instruction set that this machine has.
#include "neardup/text/ascii.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <random>
#include <string>

namespace neardup::text {
namespace {

struct Result {
  size_t consumed = 0;
  std::string written;
  bool operator==(const Result&) const = default;
};

Result plain(std::string_view text, bool after_space, AsciiOptions options) {
  Result result;
  for (const char c : text) {
    if (static_cast<signed char>(c) < 0) break;
    ++result.consumed;
    const bool space = options.collapse_space && (c == ' ' || (c >= '\t' && c <= '\r'));
    if (!(space && after_space)) {
      result.written += space ? ' ' : options.lower_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
    after_space = space;
  }
  return result;
}

Result fast(std::string_view text, bool after_space, AsciiOptions options) {
  std::string out(text.size() + kAsciiSlack, '?');
  const AsciiRun run = ascii_run(text.data(), text.size(), out.data(), after_space, options);
  return {run.consumed, out.substr(0, run.written)};
}

void check_all() {
  std::mt19937_64 rng(5);
  for (size_t i = 0; i < 3000; ++i) {
    std::string text(rng() % 200, 'x');
    const uint64_t rarity = 2 + rng() % 40;
    for (char& c : text) c = rng() % rarity == 0 ? " \t\n\r\v\f"[rng() % 6] : static_cast<char>(rng() % 128);
    if (i % 3 == 0 && !text.empty()) text[rng() % text.size()] = '\xC3';
    const AsciiOptions options{i % 2 == 0, i % 5 != 0};
    ASSERT_EQ(fast(text, i % 7 == 0, options), plain(text, i % 7 == 0, options)) << testing::PrintToString(text);
  }
}

TEST(AsciiRun, EveryTargetAgrees) {
  const std::vector<int64_t> targets = hwy::SupportedAndGeneratedTargets();
  ASSERT_FALSE(targets.empty());
  for (const int64_t target : targets) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check_all();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(AsciiRun, EveryByte) {
  for (int c = 0; c < 256; ++c) {
    const std::string text(70, static_cast<char>(c));
    EXPECT_EQ(fast(text, false, {}), plain(text, false, {})) << c;
  }
}

}  // namespace
}  // namespace neardup::text
