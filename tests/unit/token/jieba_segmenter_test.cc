#include <gtest/gtest.h>

#include <chrono>

#include "neardup/token/jieba.h"
#include "tests/unit/token/jieba_sources.h"

namespace neardup::token {
namespace {

using Strings = std::vector<std::string>;

class JiebaSegmenterTest : public testing::Test {
 protected:
  JiebaFolder folder_{testing::UnitTest::GetInstance()->current_test_info()->name()};
  JiebaSegmenter segmenter_{JiebaDictionary::open(folder_.files()).value()};
};

TEST_F(JiebaSegmenterTest, TakesTheRouteOfHighestProbability) {
  EXPECT_EQ(words_of(segmenter_, "我爱北京大学"), (Strings{"我", "爱", "北京大学"}));
  EXPECT_EQ(words_of(segmenter_, "大学生活"), (Strings{"大学", "生活"}));
}

TEST_F(JiebaSegmenterTest, TheHmmJoinsUnknownWords) {
  EXPECT_EQ(words_of(segmenter_, "杨洋的"), (Strings{"杨洋", "的"}));
  EXPECT_EQ(words_of(segmenter_, "杨洋的", {CutMode::kAccurate, false}), (Strings{"杨", "洋", "的"}));
}

TEST_F(JiebaSegmenterTest, SearchModeGivesTheWordsInLongOnesFirst) {
  EXPECT_EQ(words_of(segmenter_, "北京大学", {CutMode::kSearch, true}), (Strings{"北京", "大学", "北京大学"}));
}

TEST_F(JiebaSegmenterTest, FullModeGivesAllWords) {
  EXPECT_EQ(words_of(segmenter_, "北京大学生abc12 活", {CutMode::kFull, true}),
            (Strings{"北京", "北京大学", "大学", "大学生", "学生", "abc12", "", " ", "", "活"}));
}

TEST_F(JiebaSegmenterTest, AsciiIsKeptTogetherByTheRulesOfJieba) {
  EXPECT_EQ(words_of(segmenter_, "卡拉OK c++ v2.0beta 3.14% a-b"),
            (Strings{"卡拉OK", " ", "c++", " ", "v2.0", "beta", " ", "3.14%", " ", "a", "-", "b"}));
  EXPECT_EQ(words_of(segmenter_, "abc1.5", {CutMode::kAccurate, false}), (Strings{"abc1", ".", "5"}));
}

TEST_F(JiebaSegmenterTest, BetweenBlocksEachCharacterIsAWord) {
  EXPECT_EQ(words_of(segmenter_, "北京，\r\n\t大学"), (Strings{"北京", "，", "\r\n", "\t", "大学"}));
  EXPECT_EQ(words_of(segmenter_, "，。 ！", {CutMode::kFull, true}), (Strings{"，。", " ", "！"}));
  EXPECT_EQ(words_of(segmenter_, "， \r\n活", {CutMode::kFull, true}), (Strings{"，", " ", "", "\r\n", "", "活"}))
      << "each side of a space is a piece";
  EXPECT_EQ(words_of(segmenter_, " ", {CutMode::kFull, true}), (Strings{"", " ", ""}));
  EXPECT_EQ(words_of(segmenter_, "", {CutMode::kFull, true}), Strings{});
}

TEST_F(JiebaSegmenterTest, InvalidBytesAreCharactersOfTheirOwn) {
  EXPECT_EQ(words_of(segmenter_, "北京\xED\xA0\x80大学\xE5\xA4"),
            (Strings{"北京", "\xED", "\xA0", "\x80", "大学", "\xE5\xA4"}));
}

TEST_F(JiebaSegmenterTest, AMegabyteWithoutSpaceTakesLinearTime) {
  std::string text;
  while (text.size() < (1U << 20)) text += "北京大学生活杨洋的";
  const auto words = words_of(segmenter_, text);
  std::string joined;
  for (const std::string& word : words) joined += word;
  EXPECT_EQ(joined, text);
  EXPECT_EQ(words.size() % 5, words_of(segmenter_, text.substr(0, 27)).size() * (text.size() / 27) % 5);
}

TEST_F(JiebaSegmenterTest, KeywordsAreThoseOfHighestTfIdf) {
  const auto dictionary = JiebaDictionary::open(folder_.files()).value();
  EXPECT_EQ(dictionary->idf("大学"), 4.5);
  EXPECT_EQ(dictionary->idf("生活"), 3.5) << "the median of 2.5, 3.5, 4.5";
  const auto keywords = extract_keywords(*dictionary, segmenter_, "我爱北京，北京的大学 the of", 2).value();
  ASSERT_EQ(keywords.size(), 2U);
  EXPECT_EQ(keywords[0].word, "北京");
  EXPECT_DOUBLE_EQ(keywords[0].weight, 2 * (2.5 / 3));
  EXPECT_EQ(keywords[1].word, "大学");
  EXPECT_EQ(extract_keywords(*dictionary, segmenter_, "", 2)->size(), 0U);
}

TEST_F(JiebaSegmenterTest, KeywordsOfEqualWeightKeepTheOrderOfTheText) {
  const auto dictionary = JiebaDictionary::open(folder_.files()).value();
  const auto keywords = extract_keywords(*dictionary, segmenter_, "生活，杨洋，生活，杨洋", 0).value();
  ASSERT_EQ(keywords.size(), 2U);
  EXPECT_EQ(keywords[0].word, "生活");
}

}  // namespace
}  // namespace neardup::token
