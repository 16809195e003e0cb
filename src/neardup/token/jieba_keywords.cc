// jieba.analyse.extract_tags().
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "neardup/text/utf8.h"
#include "neardup/token/jieba.h"
#include "neardup/token/jieba_blocks.h"

namespace neardup::token {
namespace {

/// KeywordExtractor.STOP_WORDS.
constexpr std::array<std::string_view, 31> kStopWords = {
    "the", "of", "is",   "and",   "to",  "in", "that", "we",   "for", "an",   "are", "by",  "be",  "as",  "on", "with",
    "can", "if", "from", "which", "you", "it", "this", "then", "at",  "have", "all", "not", "one", "has", "or"};

bool is_stop_word(std::string_view word) {
  const auto equal = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b; };
  return std::any_of(kStopWords.begin(), kStopWords.end(), [&](std::string_view stop) {
    return std::equal(word.begin(), word.end(), stop.begin(), stop.end(), equal);
  });
}

/// Two characters or more that are not white space at the ends.
bool is_long_enough(std::string_view word) {
  size_t first = 0, last = 0, count = 0;
  for (const char *at = word.data(), *end = at + word.size(); at < end;) {
    const text::Decoded c = text::decode(at, end);
    at += c.size_bytes;
    ++count;
    if (is_python_space(c.code_point)) continue;
    if (first == 0) first = count;
    last = count;
  }
  return first != 0 && last - first >= 1;
}

}  // namespace

Result<std::vector<Keyword>> extract_keywords(const JiebaDictionary& dictionary, JiebaSegmenter& segmenter,
                                              std::string_view text, size_t count) {
  if (!dictionary.has_idf()) {
    return fail(Code::kInvalidArgument,
                "the dictionary has no IDF; keywords need the file analyse/idf.txt of a jieba folder");
  }
  std::vector<Word> words;
  segmenter.cut(text, {}, words);
  std::vector<Keyword> keywords;
  std::unordered_map<std::string_view, size_t> places;
  double total = 0;
  for (const Word& word : words) {
    const std::string_view bytes = text.substr(word.begin, word.size_bytes);
    if (!is_long_enough(bytes) || is_stop_word(bytes)) continue;
    const auto [place, is_new] = places.try_emplace(bytes, keywords.size());
    if (is_new) keywords.push_back({std::string(bytes), 0});
    keywords[place->second].weight += 1;
    total += 1;
  }
  for (Keyword& keyword : keywords) keyword.weight *= dictionary.idf(keyword.word) / total;
  std::stable_sort(keywords.begin(), keywords.end(),
                   [](const Keyword& a, const Keyword& b) { return a.weight > b.weight; });
  if (count != 0 && keywords.size() > count) keywords.resize(count);
  return keywords;
}

}  // namespace neardup::token
