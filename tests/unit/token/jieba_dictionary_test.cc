#include <gtest/gtest.h>

#include "neardup/base/file.h"
#include "neardup/base/hash.h"
#include "neardup/token/jieba.h"
#include "tests/unit/token/jieba_sources.h"

namespace neardup::token {
namespace {

using Strings = std::vector<std::string>;

class JiebaDictionaryTest : public testing::Test {
 protected:
  void expect_error(const std::string& name, const std::string& text, const std::string& part) const {
    folder_.write(name, text);
    const auto dictionary = JiebaDictionary::open(folder_.files());
    ASSERT_FALSE(dictionary) << name << ": " << text;
    EXPECT_NE(dictionary.error().message.find(part), std::string::npos) << dictionary.error().message;
    EXPECT_NE(dictionary.error().message.find("'" + folder_.path() + "/" + name + "'"), std::string::npos)
        << dictionary.error().message;
  }
  Strings cut_with_user_words(const std::string& lines, const std::string& text, const CutOptions& options = {}) const {
    folder_.write("user.txt", lines);
    JiebaFiles files = folder_.files();
    files.user_words = {folder_.path() + "/user.txt"};
    JiebaSegmenter segmenter(JiebaDictionary::open(files).value());
    return words_of(segmenter, text, options);
  }

  JiebaFolder folder_{testing::UnitTest::GetInstance()->current_test_info()->name()};
};

TEST_F(JiebaDictionaryTest, OddLinesAreNamed) {
  expect_error("dict.txt", "北京 100\n大学\n", "line 2");
  expect_error("dict.txt", "北京 many\n", "whole number");
  expect_error("dict.txt", "北京 -5\n", "whole number");
  expect_error("dict.txt", "北京  5\n", "whole number");
  expect_error("dict.txt", "\xFF\xFE 5\n", "UTF-8");
  expect_error("dict.txt", std::string(2000, 'a') + " 5\n", "longer");
  expect_error("dict.txt", "a 9007199254740992\nb 1\n", "sum");
}

TEST_F(JiebaDictionaryTest, OddModelsAreNamed) {
  expect_error("finalseg/prob_start.py", "P={'X': 1}", "states");
  folder_.write("finalseg/prob_start.py", kStart);
  expect_error("finalseg/prob_trans.py", "Q={}", "P =");
  folder_.write("finalseg/prob_trans.py", kTransition);
  expect_error("finalseg/prob_emit.py", "P={'B': {'\\u4e00': -1.0", "','");
  expect_error("finalseg/prob_emit.py", "P={'B': {'\\u4e': -1.0}}", "one character");
  expect_error("finalseg/prob_emit.py", "P={'B': {'ab': -1.0}}", "one character");
}

TEST_F(JiebaDictionaryTest, OddIdfLinesAreNamed) {
  expect_error("analyse/idf.txt", "北京 2.5\n大学 x\n", "line 2");
  expect_error("analyse/idf.txt", "北京 0\n", "above 0");
  expect_error("analyse/idf.txt", "北京\n", "line 1");
}

TEST_F(JiebaDictionaryTest, AMissingFileIsNamed) {
  std::filesystem::remove(folder_.path() + "/finalseg/prob_emit.py");
  const auto dictionary = JiebaDictionary::open(folder_.files());
  ASSERT_FALSE(dictionary);
  EXPECT_EQ(dictionary.error().code, Code::kNotFound);
}

TEST_F(JiebaDictionaryTest, AnEmptyDictionaryLeavesTheWorkToTheHmm) {
  folder_.write("dict.txt", "");
  folder_.write("analyse/idf.txt", "");
  const auto dictionary = JiebaDictionary::open(folder_.files()).value();
  JiebaSegmenter segmenter(dictionary);
  EXPECT_EQ(words_of(segmenter, "杨洋的 abc"), (Strings{"杨洋", "的", " ", "abc"}));
  EXPECT_EQ(words_of(segmenter, "北京", {CutMode::kFull, true}), (Strings{"北", "京"}));
  EXPECT_FALSE(extract_keywords(*dictionary, segmenter, "北京"));
}

TEST_F(JiebaDictionaryTest, BlankLinesAByteOrderMarkAndLineEndsOfWindowsDoNoHarm) {
  folder_.write("dict.txt", "\xEF\xBB\xBF北京 10 ns\r\n\r\n大学 5\r\n");
  JiebaSegmenter segmenter(JiebaDictionary::open(folder_.files()).value());
  EXPECT_EQ(words_of(segmenter, "北京大学"), (Strings{"北京", "大学"}));
}

TEST_F(JiebaDictionaryTest, UserWordsAreAdded) {
  EXPECT_EQ(cut_with_user_words("京大 100000 n\n", "上京大学"), (Strings{"上", "京大", "学"}));
  EXPECT_EQ(cut_with_user_words("云计算\n", "我爱云计算"), (Strings{"我", "爱", "云计算"})) << "suggested frequency";
  EXPECT_EQ(cut_with_user_words("北京大学 0\n", "北京大学"), (Strings{"北京", "大学"}));
}

TEST_F(JiebaDictionaryTest, AUserWordOfFrequencyZeroIsNotFormedByTheHmm) {
  EXPECT_EQ(cut_with_user_words("杨洋 0\n", "杨洋的"), (Strings{"杨", "洋", "的"}));
}

TEST_F(JiebaDictionaryTest, UserWordsWithSpacesAreTakenAndNeverFound) {
  EXPECT_EQ(cut_with_user_words("北京 大学 5 n\n", "北京 大学"), (Strings{"北京", " ", "大学"}));
}

TEST_F(JiebaDictionaryTest, LongUserWordsAreFoundWhole) {
  std::string word;
  for (int i = 0; i < 100; ++i) word += "云";
  EXPECT_EQ(cut_with_user_words(word + " 100\n", "我" + word + "的"), (Strings{"我", word, "的"}));
}

TEST_F(JiebaDictionaryTest, TheIdFollowsTheContents) {
  const std::string id = JiebaDictionary::open(folder_.files()).value()->id();
  EXPECT_EQ(id.size(), 32U);
  EXPECT_EQ(JiebaDictionary::open(JiebaFolder("same_contents").files()).value()->id(), id);
  folder_.write("dict.txt", std::string(kSmallWords) + "清华 5 n\n");
  EXPECT_NE(JiebaDictionary::open(folder_.files()).value()->id(), id);
}

TEST_F(JiebaDictionaryTest, TheCacheIsUsedAndMadeAgainWhereDamaged) {
  const std::string cache = folder_.path() + "/cache";
  const auto made = JiebaDictionary::open(folder_.files(), cache).value();
  const std::string file = cache + "/jieba-" + made->id() + ".bin";
  const std::string bytes = read_file(file).value();
  EXPECT_EQ(JiebaDictionary::open_compiled(file).value()->bytes(), bytes);
  EXPECT_EQ(JiebaDictionary::open(folder_.files(), cache).value()->bytes(), bytes);
  ASSERT_TRUE(write_file_atomically(file, bytes.substr(0, bytes.size() / 2)));
  EXPECT_EQ(JiebaDictionary::open_compiled(file).error().code, Code::kCorruption);
  EXPECT_EQ(JiebaDictionary::open(folder_.files(), cache).value()->bytes(), bytes);
  EXPECT_EQ(read_file(file).value(), bytes) << "made again";
}

TEST_F(JiebaDictionaryTest, ACacheThatCannotBeWrittenIsNoError) {
  EXPECT_TRUE(JiebaDictionary::open(folder_.files(), folder_.path() + "/dict.txt/no_folder"));
}

TEST_F(JiebaDictionaryTest, EachChangedByteIsNoticed) {
  const auto made = JiebaDictionary::open(folder_.files()).value();
  for (size_t at = 0; at < made->bytes().size(); at += 997) {
    std::string bytes(made->bytes());
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    EXPECT_FALSE(JiebaDictionary::from_bytes(bytes)) << at;
  }
}

}  // namespace
}  // namespace neardup::token
