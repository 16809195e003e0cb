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

bool begins_word(std::string_view text, size_t at) { return at == 0 || text[at - 1] == ' '; }

// Bytes of the words that both texts begin with.
size_t common_first_words(std::string_view a, std::string_view b) {
  auto size = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  while (!begins_word(a, size)) --size;
  return size;
}

// Bytes of the words that both texts end with.
size_t common_last_words(std::string_view a, std::string_view b) {
  size_t words = 0;
  for (size_t size = 1; size <= std::min(a.size(), b.size()) && a[a.size() - size] == b[b.size() - size]; ++size)
    if (begins_word(a, a.size() - size) && begins_word(b, b.size() - size)) words = size;
  return words;
}

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if (begins_word(text, at) && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

bool has_one_of(std::string_view text, const std::vector<std::string_view>& words) {
  return std::ranges::any_of(words, [text](std::string_view word) { return has_word(text, word); });
}

struct OwnWords {
  std::vector<std::string_view> of_a, of_b;
};

// What both begin with is of neither, nor what both end with: but a word that stands there, too, and more often in one,
// would be another one of its places, and the order of own words counts. So the ends stay where that is so.
OwnWords find_own_words(std::string_view a, std::string_view b) {
  const size_t begin = common_first_words(a, b);
  a.remove_prefix(begin);
  b.remove_prefix(begin);
  const size_t end = common_last_words(a, b);
  const auto own = [](std::string_view of_a, std::string_view of_b) -> OwnWords {
    const std::vector<std::string_view> words_a = split(of_a), words_b = split(of_b);
    return {own_words(words_a, words_b), own_words(words_b, words_a)};
  };
  OwnWords found = own(a.substr(0, a.size() - end), b.substr(0, b.size() - end));
  const std::string_view both = a.substr(a.size() - end);
  const bool is_small = found.of_a.size() <= kMostWords && found.of_b.size() <= kMostWords;
  if (is_small && (has_one_of(both, found.of_a) || has_one_of(both, found.of_b))) found = own(a, b);
  return found;
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
  const auto [own_a, own_b] = find_own_words(a, b);
  if (own_a.empty() || own_b.empty()) return false;
  if (own_a.size() > kMostWords || own_b.size() > kMostWords) return true;
  if (joined(own_a) == joined(own_b)) return false;
  return own_a.size() < own_b.size() ? !all_may_be_among(own_a, own_b) : !all_may_be_among(own_b, own_a);
}

}  // namespace neardup::verify
