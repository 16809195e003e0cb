// Chinese segmentation with jieba's dictionary: the words that jieba's cut(), cut_for_search() and cut(cut_all=True)
// give.
//
//   NEARDUP_ASSIGN(auto dictionary, token::JiebaDictionary::open(token::jieba_files(folder), cache_folder));
//   token::JiebaSegmenter segmenter(dictionary);
//   segmenter.cut("我来到北京清华大学", {}, words);   // 我 来到 北京 清华大学
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::token {

struct JiebaView;

/// The files that a dictionary is made of.
struct JiebaFiles {
  std::string words;                    // dict.txt: word, frequency, tag on each line
  std::string hmm_folder;               // holds prob_start.py, prob_trans.py, prob_emit.py
  std::string idf = {};                 // analyse/idf.txt; may be empty: then there are no keywords
  std::vector<std::string> user_words;  // user dictionaries, added in this order
};

/// Returns the files of a jieba folder, such as /usr/lib/python3/dist-packages/jieba.
[[nodiscard]] JiebaFiles jieba_files(const std::string& folder);

/// How far a compiled dictionary is checked when it is opened. Its checksum always is.
enum class DictionaryCheck {
  kAll,     // everything that a reader relies on: 60 ms for jieba's own. For files from anywhere
  kBounds,  // that no walk leaves the arrays or goes on behind the text: 2 ms. For files that neardup has made: in one
            // that was made to do harm words may be wrong and cutting slow, but memory is safe
};

/// A compiled dictionary: words, HMM and IDF, 14.3 MB for jieba's own. Immutable. Threads: share freely.
class JiebaDictionary {
 public:
  /// Opens the dictionary that `files` make. With a `cache_folder` the compiled form is kept there and mapped the next
  /// time, shared by all processes: 4 ms, half of them for digests of the sources, instead of 1.2 s. It is named by the
  /// id of its sources, so that any change of them is seen, whatever their times say; one that is damaged is made
  /// again, and a folder that cannot be written to is no error. Processes may open at once. Checks kBounds. Errors:
  /// kNotFound, kIo; kInvalidArgument where a file is not what it should be, with its name and line; kUnsupported where
  /// it is too large.
  [[nodiscard]] static Result<std::shared_ptr<const JiebaDictionary>> open(const JiebaFiles& files,
                                                                           const std::string& cache_folder = "");
  /// Opens a compiled file (docs/formats/jieba.md). Errors: kNotFound, kIo, kCorruption.
  [[nodiscard]] static Result<std::shared_ptr<const JiebaDictionary>> open_compiled(
      const std::string& path, DictionaryCheck check = DictionaryCheck::kAll);
  /// The same from memory. Errors: kCorruption.
  [[nodiscard]] static Result<std::shared_ptr<const JiebaDictionary>> from_bytes(
      std::string bytes, DictionaryCheck check = DictionaryCheck::kAll);

  /// Returns the compiled form.
  [[nodiscard]] std::string_view bytes() const;
  /// Returns 32 hexadecimal digits: a digest of the contents of all files that it was made of.
  [[nodiscard]] std::string id() const;
  [[nodiscard]] bool has_idf() const;
  /// Returns the IDF of `word`; for one that is not there the median of all.
  [[nodiscard]] double idf(std::string_view word) const;
  [[nodiscard]] const JiebaView& view() const;

  struct Impl;
  explicit JiebaDictionary(std::unique_ptr<Impl> impl);
  ~JiebaDictionary();

 private:
  std::unique_ptr<Impl> impl_;
};

/// The tokenizer "jieba" cuts texts of more characters without a border in pieces of as many.
inline constexpr uint32_t kMaxJiebaBlock = uint32_t{1} << 16;

/// Returns whether a file that begins with `first_bytes` is a compiled dictionary.
[[nodiscard]] bool is_compiled_dictionary(std::string_view first_bytes);

enum class CutMode {
  kAccurate,  // cut(): each character in one word
  kSearch,    // cut_for_search(): before each long word the words of two and three characters in it
  kFull,      // cut(cut_all=True): all words that there are; without HMM
};

struct CutOptions {
  CutMode mode = CutMode::kAccurate;
  bool hmm = true;
};

/// A word of a text, in bytes.
struct Word {
  uint32_t begin = 0;
  uint32_t size_bytes = 0;
  bool operator==(const Word&) const = default;
};

/// Threads: one object per thread.
class JiebaSegmenter {
 public:
  explicit JiebaSegmenter(std::shared_ptr<const JiebaDictionary> dictionary);
  JiebaSegmenter(JiebaSegmenter&&) noexcept;
  JiebaSegmenter& operator=(JiebaSegmenter&&) noexcept;
  ~JiebaSegmenter();

  /// Replaces `out` by the words of `text`, in jieba's order. White space and punctuation are words too, as in jieba.
  /// Any bytes: each invalid subpart of UTF-8 is a character of its own. Cost: linear; about 30 ns a character.
  /// Full mode has jieba's empty words, of size 0, on the sides of white space. One thing it does not: where the words
  /// "ab" and "abc" of a user dictionary follow a letter, as in "xabcy", jieba also puts "xy" together.
  /// Requires: less than 4 GiB.
  void cut(std::string_view text, const CutOptions& options, std::vector<Word>& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A keyword and its weight, TF times IDF.
struct Keyword {
  std::string word;
  double weight = 0;
};

/// Returns the `count` heaviest words of `text`, 0 for all: jieba.analyse.extract_tags(). Words of one character and a
/// few English stop words do not take part; of equal weights the word that comes first does.
/// Errors: kInvalidArgument where the dictionary has no IDF.
[[nodiscard]] Result<std::vector<Keyword>> extract_keywords(const JiebaDictionary& dictionary,
                                                            JiebaSegmenter& segmenter, std::string_view text,
                                                            size_t count = 20);

}  // namespace neardup::token
