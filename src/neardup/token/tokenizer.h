// Normalised text -> tokens.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/token/jieba.h"
#include "neardup/token/one_token.h"

namespace neardup::token {

/// How scripts without spaces between words become tokens: Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar and
/// their kin. A unit is a character with the combining marks after it.
enum class CjkMode {
  kBigrams,     // each two neighbouring units, overlapping; a lone unit is a token itself
  kCharacters,  // each unit
  kSyllables,   // the same, and each Hangul syllable is a unit: Korean is spaced in more than one way
};

struct TokenizerOptions {
  /// words: maximal runs of letters, marks and digits (Unicode Alphabetic, M, N) that do not begin with a mark; all
  ///   else, the underscore included, separates.
  /// uax29: segments between the word boundaries of UAX #29 that hold a letter or digit ("can't", "3.14").
  /// chars: each letter and digit.
  /// code: runs of letters, marks, digits and underscores, numbers ("1.5e3"), string literals with their quotes, and
  /// each other visible ASCII character ("a_b+='c'": a_b + = 'c'); comments are left out (comments.h, code_class.h).
  /// jieba: runs of U+4E00..U+9FD5, ASCII letters and digits and +#&._%- cut as jieba's cut() with HMM cuts them, but
  /// for words of signs alone; all else like words. Needs `dictionary`.
  std::string tokenizer = "words";
  CjkMode cjk = CjkMode::kBigrams;  // of words, code, jieba (outside such runs) and uax29
  std::string stop_words = "none";  // or one of stop_word_languages(): tokens of that list are left out
  bool folded_letters = false;   // texts come with letters folded (text::Normalization::kFolded): stop words are, too
  std::string stemmer = "none";  // or one of stemmer_names(): a token's hash is that of its stem
                                 // auto: of the text's language (language.h), nothing where that is not known
  uint64_t hash_seed = 0;
  std::shared_ptr<const JiebaDictionary> dictionary = nullptr;
};

/// A token and what becomes of it.
struct ExplainedToken {
  Token token;                // as tokenize() gives it; one that is left out with the hash of its own bytes
  bool is_stop_word = false;  // tokenize() leaves it out
  std::string stem = {};      // what its hash is of, where that is not the token itself
};

struct ExplainedTokens {
  std::string_view language;  // that chose stop words or stems; empty where none was asked for or is known
  std::vector<ExplainedToken> tokens;
};

/// Cuts normalised texts into tokens. Threads: one object per thread.
class Tokenizer {
 public:
  /// Errors: kInvalidArgument listing the names that exist, for an unknown tokenizer, stop word list or stemmer;
  /// kNotFound where the tokenizer is "jieba" and there is no dictionary.
  [[nodiscard]] static Result<Tokenizer> create(const TokenizerOptions& options);
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// Replaces `out` by the tokens of `normalized`, in order of their begin. No allocation once `out` has grown.
  /// With `cut_as` the tokens are of `normalized`, but begin and end where those of `cut_as` do: the same text with
  /// other characters of as many bytes each, such as Chinese before traditional characters were folded.
  /// Requires: valid UTF-8, as text::Normalizer gives it; less than 4 GiB.
  void tokenize(std::string_view normalized, std::vector<Token>& out, std::string_view cut_as = {});

  /// Like tokenize(), but only the hashes: faster.
  void hashes(std::string_view normalized, std::vector<uint64_t>& out, std::string_view cut_as = {});

  /// Returns the tokens of tokenize(), and with them those that it leaves out. Slow.
  [[nodiscard]] ExplainedTokens explain(std::string_view normalized, std::string_view cut_as = {});

 private:
  struct Impl;
  explicit Tokenizer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Return what TokenizerOptions takes, in alphabetical order, "none" and "auto" first where they are allowed.
[[nodiscard]] std::vector<std::string> tokenizer_names();
[[nodiscard]] std::vector<std::string> stop_word_languages();
[[nodiscard]] std::vector<std::string> stemmer_names();

}  // namespace neardup::token
