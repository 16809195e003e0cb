// What stop words and stemmer did to the words of a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/token/tokenizer.h"

namespace neardup::explain {

/// A word that was dropped, or stands for its stem.
struct ChangedWord {
  std::string word;
  std::string stem;  // of a stop word empty
  uint64_t count = 0;
};

struct ChangedWords {
  uint64_t num_dropped = 0, num_stemmed = 0;  // occurrences
  std::vector<ChangedWord> dropped, stemmed;  // each once, the most frequent first, then in order of the text
};

/// Requires: `tokens` are of `text`.
[[nodiscard]] ChangedWords changed_words(std::string_view text, const token::ExplainedTokens& tokens);

/// Returns "dropped 3 stop words (english): the x2, of" and "stemmed 2 words (english): running -> run, ...", each only
/// where there are such.
[[nodiscard]] std::vector<std::string> changed_words_lines(std::string_view text, const token::ExplainedTokens& tokens);

/// Appends
/// `,"language":"english","dropped":[{"text":"the","count":2}],"stemmed":[{"text":"running","stem":"run",...}]`.
void append_changed_words(std::string& json, std::string_view text, const token::ExplainedTokens& tokens);

}  // namespace neardup::explain
