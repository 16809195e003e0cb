#include "neardup/verify/exchanged_words.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "neardup/base/utf8.h"

namespace neardup::verify {
namespace {

constexpr size_t kMostWords = 64;  // of one text alone

size_t count_characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char byte) { return !continues_character(byte); }));
}

size_t common_start(std::string_view a, std::string_view b) {
  const auto end = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  return std::min(character_begin(a, end), character_begin(b, end));
}

// Both begin between characters.
size_t common_end(std::string_view a, std::string_view b) {
  size_t size = 0;
  while (size < std::min(a.size(), b.size()) && a[a.size() - size - 1] == b[b.size() - size - 1]) ++size;
  while (size > 0 && continues_character(a[a.size() - size])) --size;
  return size;
}

bool are_swapped(std::string_view a, std::string_view b) {
  if (count_characters(a) != 2 || a.size() != b.size()) return false;
  const size_t second = character_begin(a, a.size() - 1);
  return b.starts_with(a.substr(second)) && b.ends_with(a.substr(0, second));
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
  }
  return words;
}

// Returns the words that `others` lacks, in order; those that it has fewer times, the last ones of them.
std::vector<std::string_view> own_words(const std::vector<std::string_view>& words,
                                        const std::vector<std::string_view>& others) {
  std::multiset<std::string_view> left(others.begin(), others.end());
  std::vector<std::string_view> own;
  for (const std::string_view word : words)
    if (left.extract(word).empty()) own.push_back(word);
  return own;
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view word : words) out += word;
  return out;
}

// Each of `fewer` by another of `more`.
bool all_may_be_among(const std::vector<std::string_view>& fewer, std::vector<std::string_view> more) {
  return std::ranges::all_of(fewer, [&more](std::string_view word) {
    const auto found =
        std::ranges::find_if(more, [word](std::string_view other) { return may_be_one_word(word, other); });
    if (found == more.end()) return false;
    more.erase(found);
    return true;
  });
}

}  // namespace

bool may_be_one_word(std::string_view a, std::string_view b) {
  const size_t start = common_start(a, b);
  const std::string_view rest_a = a.substr(start), rest_b = b.substr(start);
  const size_t end = common_end(rest_a, rest_b);
  const std::string_view own_a = rest_a.substr(0, rest_a.size() - end), own_b = rest_b.substr(0, rest_b.size() - end);
  const size_t size_a = count_characters(own_a), size_b = count_characters(own_b);
  if (size_a + size_b == 0) return true;
  const size_t shorter = std::min(count_characters(a), count_characters(b));
  if (end == 0 && size_a + size_b == 1) return shorter >= 3;
  if (start == 0 || shorter < 5) return false;
  return std::max(size_a, size_b) == 1 || are_swapped(own_a, own_b);
}

bool are_other_words(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> words_a = split(a), words_b = split(b);
  const std::vector<std::string_view> own_a = own_words(words_a, words_b), own_b = own_words(words_b, words_a);
  if (own_a.empty() || own_b.empty()) return false;
  if (own_a.size() > kMostWords || own_b.size() > kMostWords) return true;
  if (joined(own_a) == joined(own_b)) return false;
  return own_a.size() < own_b.size() ? !all_may_be_among(own_a, own_b) : !all_may_be_among(own_b, own_a);
}

}  // namespace neardup::verify
