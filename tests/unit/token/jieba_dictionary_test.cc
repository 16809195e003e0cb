#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <map>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/token/jieba.h"
#include "neardup/token/jieba_view.h"
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

/// What is in a cache folder, by name and contents.
std::map<std::string, std::string> contents_of(const std::string& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    contents[entry.path().filename()] = read_file(entry.path()).value();
  }
  return contents;
}

TEST_F(JiebaDictionaryTest, AChangedSourceIsSeenThoughItsSizeAndTimeAreTheSame) {
  const std::string cache = folder_.path() + "/cache", source = folder_.path() + "/dict.txt";
  const auto before = JiebaDictionary::open(folder_.files(), cache).value();
  const auto time = std::filesystem::last_write_time(source);
  std::string words = kSmallWords;
  words.replace(words.find("大学生 30"), 12, "大学生 31");
  folder_.write("dict.txt", words);
  std::filesystem::last_write_time(source, time);
  const auto after = JiebaDictionary::open(folder_.files(), cache).value();
  EXPECT_NE(after->id(), before->id());
  EXPECT_EQ(after->bytes(), JiebaDictionary::open(folder_.files()).value()->bytes());
  EXPECT_EQ(contents_of(cache).size(), 2U);
}

TEST_F(JiebaDictionaryTest, ManyProcessesMayOpenAtOnce) {
  const std::string cache = folder_.path() + "/cache";
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const auto dictionary = JiebaDictionary::open(folder_.files(), cache);
      bool good = dictionary.has_value();
      if (good) {
        JiebaSegmenter segmenter(*dictionary);
        good = words_of(segmenter, "我爱北京大学生活") == Strings{"我", "爱", "北京大学", "生活"};
      }
      _exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const auto made = JiebaDictionary::open(folder_.files()).value();
  EXPECT_EQ(contents_of(cache),
            (std::map<std::string, std::string>{{"jieba-" + made->id() + ".bin", std::string(made->bytes())}}))
      << "and nothing half-made stays";
}

TEST_F(JiebaDictionaryTest, AnotherDictionaryUnderItsNameIsNotTaken) {
  const std::string cache = folder_.path() + "/cache";
  const auto made = JiebaDictionary::open(folder_.files(), cache).value();
  JiebaFolder other("another");
  other.write("dict.txt", "北京 1\n");
  const std::string file = cache + "/jieba-" + made->id() + ".bin";
  ASSERT_TRUE(write_file_atomically(file, JiebaDictionary::open(other.files()).value()->bytes()));
  EXPECT_EQ(JiebaDictionary::open(folder_.files(), cache).value()->bytes(), made->bytes());
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
    EXPECT_FALSE(JiebaDictionary::from_bytes(bytes, DictionaryCheck::kBounds)) << at;
  }
}

class JiebaBoundsTest : public JiebaDictionaryTest {
 protected:
  /// Writes eight bytes and makes the checksum fit.
  static std::string changed(std::string bytes, size_t at, uint64_t value) {
    std::memcpy(bytes.data() + at, &value, 8);
    const Hash128 checksum = hash128(std::string_view(bytes).substr(0, bytes.size() - 16));
    std::memcpy(bytes.data() + bytes.size() - 16, &checksum.high, 8);
    std::memcpy(bytes.data() + bytes.size() - 8, &checksum.low, 8);
    return bytes;
  }
  [[nodiscard]] static bool opens(const std::string& bytes) {
    return JiebaDictionary::from_bytes(bytes, DictionaryCheck::kBounds).has_value();
  }

  std::shared_ptr<const JiebaDictionary> made_ = JiebaDictionary::open(folder_.files()).value();
  std::string good_{made_->bytes()};
};

TEST_F(JiebaBoundsTest, NoEntryMayPointOutside) {
  const auto& entries = made_->view().entries;
  const auto num_codes = made_->view().num_codes;
  const auto num_weights = static_cast<uint32_t>(made_->view().weights.size());
  const auto last_base = static_cast<uint32_t>(entries.size()) - num_codes - 1;
  const size_t at = reinterpret_cast<const char*>(entries.data()) - made_->bytes().data();
  const auto with = [&](const TrieEntry& entry, size_t i) {
    return changed(good_, at + 8 * i, std::bit_cast<uint64_t>(entry));
  };
  for (size_t i = 0; i < entries.size(); ++i) {
    EXPECT_TRUE(opens(with({last_base, 1, num_weights - 1}, i)));
    EXPECT_FALSE(opens(with({last_base + 1, 1, 0}, i)));
    EXPECT_FALSE(opens(with({0, 0, 0}, i)));
    EXPECT_FALSE(opens(with({0, 1, num_weights}, i)));
    EXPECT_FALSE(opens(with({TrieEntry::kMaxBase, TrieEntry::kNoLabel, 0}, i)));
    EXPECT_FALSE(opens(with({0, TrieEntry::kNoLabel, TrieEntry::kMaxValue}, i)));
  }
}

TEST_F(JiebaBoundsTest, NoIdfWordMayEndOutsideOrBeforeItBegins) {
  const auto ends = made_->view().idf_ends;
  ASSERT_EQ(ends.size(), 3U);
  const size_t at = reinterpret_cast<const char*>(ends.data()) - made_->bytes().data();
  const auto pair = [](uint64_t first, uint64_t second) { return first | second << 32; };
  EXPECT_TRUE(opens(changed(good_, at, pair(ends[0], ends[1]))));
  EXPECT_FALSE(opens(changed(good_, at, pair(ends[1], ends[1]))));
  EXPECT_FALSE(opens(changed(good_, at, pair(ends[1], ends[0]))));
  EXPECT_FALSE(opens(changed(good_, at, pair(ends[0], ends[2] + 1))));
  EXPECT_FALSE(opens(changed(good_, at + 8, ends[2] + 1)));
  EXPECT_FALSE(opens(changed(good_, at + 8, ends[2] - 1)));
}

}  // namespace
}  // namespace neardup::token
