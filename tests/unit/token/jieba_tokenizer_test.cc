#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <utility>

#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"
#include "tests/linear_time.h"
#include "tests/unit/token/jieba_sources.h"

namespace neardup::token {
namespace {

using Strings = std::vector<std::string>;

/// Whether the tokenizer has a word of the segmenter's, too.
bool is_word(const std::string& word) {
  const auto byte = static_cast<unsigned char>(word.front());
  return std::isalnum(byte) != 0 || (byte >= 0x80 && word != "，");
}

class JiebaTokenizerTest : public testing::Test {
 protected:
  Strings tokens_of(const std::string& text) {
    std::vector<Token> tokens;
    tokenizer_.tokenize(text, tokens);
    std::vector<uint64_t> hashes;
    tokenizer_.hashes(text, hashes);
    EXPECT_EQ(hashes.size(), tokens.size());
    Strings strings;
    for (size_t i = 0; i < tokens.size(); ++i) {
      strings.push_back(text.substr(tokens[i].begin, tokens[i].size_bytes));
      EXPECT_EQ(tokens[i].hash, token_hash(strings.back(), 7));
      EXPECT_EQ(hashes[i], tokens[i].hash);
    }
    return strings;
  }

  JiebaFolder folder_{testing::UnitTest::GetInstance()->current_test_info()->name()};
  Tokenizer tokenizer_ =
      Tokenizer::create(
          {.tokenizer = "jieba", .hash_seed = 7, .dictionary = JiebaDictionary::open(folder_.files()).value()})
          .value();
};

TEST_F(JiebaTokenizerTest, ChineseIsCutAndTheRestIsWords) {
  EXPECT_EQ(tokens_of("我爱北京大学! near-duplicates 3.14 привет"),
            (Strings{"我", "爱", "北京大学", "near", "duplicates", "3.14", "привет"}));
  EXPECT_EQ(tokens_of("北京ok大学2024年"), (Strings{"北京", "ok", "大学", "2024", "年"}));
  EXPECT_EQ(tokens_of("ひらがな北京ไทย"), (Strings{"ひら", "らが", "がな", "北京", "ไท", "ทย"}));
}

TEST_F(JiebaTokenizerTest, NumbersAreCutAsJiebaCutsThem) {
  EXPECT_EQ(tokens_of("北京3.5%大学12%,1.2.3 a.b v2.0b -5 7. 8%。"),
            (Strings{"北京", "3.5%", "大学", "12%", "1.2", "3", "a", "b", "v2.0", "b", "5", "7", "8%"}));
}

// Whatever is in a text: the words of blocks are those of the segmenter, and all else is as the tokenizer "words" has
// it.
TEST_F(JiebaTokenizerTest, MixedTextsAreCutAsTheSegmenterCutsThem) {
  const Strings pieces = {"北京", "大学", "的", "龥", "a", "OK", "1999", ".", "%",
                          "3.5",  "-",    "_",  "+",  "#", "&",  " ",    "，"};
  JiebaSegmenter segmenter(JiebaDictionary::open(folder_.files()).value());
  std::mt19937_64 random(9);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t i = random() % 150; i-- > 0;) text += pieces[random() % pieces.size()];
    Strings expected;
    for (const std::string& word : words_of(segmenter, text)) {
      if (!is_word(word)) continue;
      expected.push_back(word);
    }
    ASSERT_EQ(tokens_of(text), expected) << text;
  }
}

TEST_F(JiebaTokenizerTest, BordersOfOneTextMayBeTakenForAnother) {
  std::vector<Token> tokens;
  tokenizer_.tokenize("北亰大学的", tokens, "北京大学的");
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0], (Token{0, 12, token_hash("北亰大学", 7)}));
}

TEST_F(JiebaTokenizerTest, EndlessBlocksAreCutInPieces) {
  std::string text;
  while (text.size() < 5 * kMaxJiebaBlock) text += "北京大学ab1";
  std::vector<Token> tokens;
  tokenizer_.tokenize(text, tokens);
  EXPECT_GT(tokens.size(), text.size() / 16);
  EXPECT_EQ(tokens.back().begin + tokens.back().size_bytes, text.size());
}

// The slow way: the text in pieces of kMaxJiebaBlock characters, each cut by itself.
TEST_F(JiebaTokenizerTest, RunsOfAsciiAreCutInTheSamePiecesWhereverTheirSignsStand) {
  JiebaSegmenter segmenter(JiebaDictionary::open(folder_.files()).value());
  for (const std::string end : {".5北京", "北京", ".5", "+", ".5.6.a"}) {
    for (int size = -3; size <= 3; ++size) {
      const std::string text = std::string(static_cast<size_t>(2 * int{kMaxJiebaBlock} + size), 'a') + end;
      Strings expected;
      std::string piece;
      uint32_t num_characters = 0;
      for (size_t at = 0; at < text.size(); ++at) {
        piece += text[at];
        const bool is_last = at + 1 == text.size();
        num_characters += is_last || (text[at + 1] & 0xC0) != 0x80 ? 1 : 0;
        const bool is_whole = is_last || (num_characters == kMaxJiebaBlock && (text[at + 1] & 0xC0) != 0x80);
        if (!is_whole) continue;
        for (const std::string& word : words_of(segmenter, std::exchange(piece, ""))) {
          if (is_word(word)) expected.push_back(word);
        }
        num_characters = 0;
      }
      ASSERT_EQ(tokens_of(text), expected) << end << size;
    }
  }
}

TEST_F(JiebaTokenizerTest, LongRunsOfAsciiTakeLinearTime) {
  std::vector<uint64_t> hashes;
  expect_linear_time(
      size_t{512} << 10, [](size_t size) { return std::string(size, 'a') + ".5"; },
      [&](const std::string& text) { tokenizer_.hashes(text, hashes); }, "letters");
}

TEST_F(JiebaTokenizerTest, BlocksOf64BytesMakeNoDifference) {
  for (size_t shift = 0; shift < 70; ++shift) {
    const std::string front(shift, 'a');
    Strings expected = {"北京大学", "的", "b", "大学", "生活", "。"};
    expected.pop_back();
    if (shift > 0) expected.insert(expected.begin(), front);
    EXPECT_EQ(tokens_of(front + "北京大学的b大学生活。"), expected) << shift;
  }
}

TEST_F(JiebaTokenizerTest, RunsLongerThanBlocksAreCutWhole) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "北京大学";
  EXPECT_EQ(tokens_of("x" + text + "y").size(), 52U);
  EXPECT_EQ(tokens_of(text).size(), 50U);
}

/// A run of Han characters: words of the dictionary, pieces of them, characters that it does not know.
std::string random_run(std::mt19937_64& random, size_t num_characters) {
  static const Strings characters = {"北", "京", "大", "学", "生", "活", "我", "爱", "的", "杨", "洋", "龥", "一"};
  std::string run;
  for (size_t i = 0; i < num_characters; ++i) run += characters[random() % characters.size()];
  return run;
}

// Runs are cut many at a time: how they fall on these batches must make no difference. Three of the separators begin
// with a byte that jieba's characters begin with, too; two of these are Han characters that it does not know.
TEST_F(JiebaTokenizerTest, RunsAreCutAsTheSegmenterCutsThemHoweverManyThereAre) {
  const Strings separators = {"、", " ", "!?", "\u4dff", "\u9fd6", "\u9fff", std::string(3000, ' ')};
  const auto is_han = [](const std::string& s) { return s == "\u9fd6" || s == "\u9fff"; };
  JiebaSegmenter segmenter(JiebaDictionary::open(folder_.files()).value());
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    Strings expected;
    for (size_t i = random() % 40; i-- > 0;) {
      const size_t length = random() % 8 == 0 ? 250 + random() % 12 : 1 + random() % 20;
      const std::string run = random_run(random, round % 50 == 0 ? 40 * length : length);
      const std::string& separator = separators[random() % separators.size()];
      text += run + separator;
      for (std::string& word : words_of(segmenter, run)) expected.push_back(std::move(word));
      if (is_han(separator)) expected.push_back(separator);
    }
    ASSERT_EQ(tokens_of(text), expected) << round;
  }
}

TEST(JiebaTokenizer, WithoutADictionaryThereIsAnError) {
  const auto tokenizer = Tokenizer::create({.tokenizer = "jieba"});
  ASSERT_FALSE(tokenizer);
  EXPECT_EQ(tokenizer.error().code, Code::kNotFound);
}

}  // namespace
}  // namespace neardup::token
