#include "neardup/token/stop_words.h"

#include <algorithm>

namespace neardup::token {

std::vector<std::string_view> stop_words(std::string_view language) {
  std::vector<std::string_view> words;
  for (const StopWordList& list : stop_word_lists()) {
    if (list.language != language) continue;
    for (size_t at = 0; at < list.words.size();) {
      const size_t end = std::min(list.words.find(' ', at), list.words.size());
      words.push_back(list.words.substr(at, end - at));
      at = end + 1;
    }
  }
  return words;
}

}  // namespace neardup::token
