// Stop words: function words that say nothing of a text's subject.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::token {

/// A list: its language and its words, case-folded, parted by single spaces.
struct StopWordList {
  std::string_view language;
  std::string_view words;
};

/// Returns all lists in alphabetical order of their language.
std::span<const StopWordList> stop_word_lists();

/// Returns the words of `language`; none where there is no list for it.
std::vector<std::string_view> stop_words(std::string_view language);

}  // namespace neardup::token
