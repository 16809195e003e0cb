#include "neardup/bench/texts.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::bench {
namespace {

TEST(BenchTexts, AreTheSameEverywhere) {
  const std::string text = make_text(1, 60);
  EXPECT_EQ(text, make_text(1, 60));
  EXPECT_NE(text, make_text(2, 60));
  EXPECT_GE(text.size(), 60u);
  EXPECT_LT(text.size(), 80u);
}

}  // namespace
}  // namespace neardup::bench
