#include "neardup/explain/changed_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"

namespace neardup::explain {
namespace {

/// Counts words, each under its first place.
class Counter {
 public:
  explicit Counter(std::vector<ChangedWord>& words) : words_(words) {}

  void add(std::string_view word, const std::string& stem) {
    const auto [place, is_new] = places_.try_emplace(word, words_.size());
    if (is_new) words_.push_back({std::string(word), stem, 0});
    ++words_[place->second].count;
  }
  void sort() {
    std::stable_sort(words_.begin(), words_.end(),
                     [](const ChangedWord& a, const ChangedWord& b) { return a.count > b.count; });
  }

 private:
  std::vector<ChangedWord>& words_;
  std::unordered_map<std::string_view, size_t> places_;
};

std::string line_of(std::string_view what, uint64_t count, const std::vector<ChangedWord>& words,
                    std::string_view language) {
  constexpr size_t kShown = 8;
  std::string line =
      fmt::format("{}: {}{} (", what, human_count(count), language.empty() ? "" : fmt::format(", as {}", language));
  for (size_t i = 0; i < std::min(words.size(), kShown); ++i) {
    line += i > 0 ? ", " : "";
    line += words[i].stem.empty() ? words[i].word : words[i].word + " -> " + words[i].stem;
    if (words[i].count > 1) line += fmt::format(" x{}", words[i].count);
  }
  return line + (words.size() > kShown ? ", ...)" : ")");
}

void append_words(std::string& json, std::string_view name, const std::vector<ChangedWord>& words) {
  json += fmt::format(",\"{}\":[", name);
  for (const ChangedWord& word : words) {
    json += &word == words.data() ? "{\"text\":" : ",{\"text\":";
    append_json_string(json, word.word);
    if (!word.stem.empty()) {
      json += ",\"stem\":";
      append_json_string(json, word.stem);
    }
    json += fmt::format(",\"count\":{}}}", word.count);
  }
  json += ']';
}

}  // namespace

ChangedWords changed_words(std::string_view text, const token::ExplainedTokens& tokens) {
  ChangedWords changed;
  Counter dropped(changed.dropped), stemmed(changed.stemmed);
  for (const token::ExplainedToken& explained : tokens.tokens) {
    const std::string_view word = text.substr(explained.token.begin, explained.token.size_bytes);
    if (explained.is_stop_word) {
      dropped.add(word, {});
      ++changed.num_dropped;
    } else if (!explained.stem.empty()) {
      stemmed.add(word, explained.stem);
      ++changed.num_stemmed;
    }
  }
  dropped.sort();
  stemmed.sort();
  return changed;
}

std::vector<std::string> changed_words_lines(std::string_view text, const token::ExplainedTokens& tokens) {
  const ChangedWords changed = changed_words(text, tokens);
  std::vector<std::string> lines;
  if (!changed.dropped.empty())
    lines.push_back(line_of("dropped stop words", changed.num_dropped, changed.dropped, tokens.language));
  if (!changed.stemmed.empty())
    lines.push_back(line_of("stemmed words", changed.num_stemmed, changed.stemmed, tokens.language));
  return lines;
}

void append_changed_words(std::string& json, std::string_view text, const token::ExplainedTokens& tokens) {
  const ChangedWords changed = changed_words(text, tokens);
  json += ",\"language\":";
  append_json_string(json, tokens.language);
  append_words(json, "dropped", changed.dropped);
  append_words(json, "stemmed", changed.stemmed);
}

}  // namespace neardup::explain
