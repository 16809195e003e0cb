#include "neardup/verify/exchanged_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "neardup/base/utf8.h"
#include "neardup/verify/free_words.h"

namespace neardup::verify {
namespace {

constexpr size_t kMostWords = 1024;  // between common ends
// From so many letters on a word may have one more at its end, another letter or one more inside.
constexpr size_t kShortestWord = 3, kSpelledWord = 5, kMiddleWord = 6, kSpelledLongWord = 7, kLongWord = 8;

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

// What a word counts that is added; a word of meaning, and a character that turns it, too much for any text.
int weight_of_own(std::string_view word) {
  if (is_free_word(word)) return 0;
  const int weight = unit_weight(word);
  return weight == 0 || is_turning_unit(word) ? kWholeWord + 1 : weight;
}

// So much characters may count that are added to a text: an eighth of it, and no more than a word.
int most_added(std::string_view words) {
  constexpr size_t kPart = 8;
  size_t weight = 0;
  for (const std::string_view word : split(words)) {
    const int of_unit = unit_weight(word);
    weight += static_cast<size_t>(of_unit == 0 ? kWholeWord : of_unit);
  }
  return static_cast<int>(std::min<size_t>(weight / kPart, kWholeWord));
}

bool is_slip(std::string_view a, std::string_view b) {
  return unit_weight(a) == 0 && !is_free_word(a) && !is_free_word(b) && may_be_one_word(a, b);
}

bool is_joined(std::span<const std::string_view> words, std::string_view one) {
  for (const std::string_view word : words) {
    if (!one.starts_with(word)) return false;
    one.remove_prefix(word.size());
  }
  return one.empty();
}

// The words of one text from both of which the common ends are gone, in their order, each led back to one of the other
// text, or left: all ways at once, by how much is left. A row for each word of the text that has more.
class Alignment {
 public:
  Alignment(std::vector<std::string_view> more, std::vector<std::string_view> fewer, int most_added)
      : more_(std::move(more)), fewer_(std::move(fewer)), most_added_(most_added) {
    for (Row& row : rows_) row.assign(fewer_.size() + 1, kNoWay);
  }

  [[nodiscard]] bool is_found() {
    if (fewer_.size() > more_.size()) return false;
    row(0)[0] = 0;
    for (size_t i = 0; i < more_.size(); ++i) {
      bool is_open = false;
      for (size_t j = 0; j <= fewer_.size(); ++j) {
        if (row(i)[j] == kNoWay) continue;
        is_open = true;
        go_on(i, j);
      }
      if (!is_open && std::ranges::all_of(rows_, is_closed)) return false;
      std::ranges::fill(row(i), kNoWay);
    }
    return row(more_.size())[fewer_.size()] != kNoWay;
  }

 private:
  using Row = std::vector<uint8_t>;
  static constexpr uint8_t kNoWay = UINT8_MAX;
  static constexpr size_t kMostJoined = 3;

  static bool is_closed(const Row& row) {
    return std::ranges::all_of(row, [](uint8_t left) { return left == kNoWay; });
  }
  [[nodiscard]] Row& row(size_t i) { return rows_[i % rows_.size()]; }

  void reach(size_t i, size_t j, int left) {
    uint8_t& best = row(i)[j];
    if (left <= most_added_ && left < best) best = static_cast<uint8_t>(left);
  }

  void go_on(size_t i, size_t j) {
    const int left = row(i)[j];
    reach(i + 1, j, left + weight_of_own(more_[i]));
    if (j == fewer_.size()) return;
    if (more_[i] == fewer_[j] || is_slip(more_[i], fewer_[j])) reach(i + 1, j + 1, left);
    for (size_t count = 2; count <= kMostJoined && i + count <= more_.size(); ++count)
      if (is_joined(std::span(more_).subspan(i, count), fewer_[j])) reach(i + count, j + 1, left);
  }

  std::vector<std::string_view> more_, fewer_;
  int most_added_;
  std::array<Row, kMostJoined + 1> rows_;
};

char32_t letter_of(std::string_view word, size_t at) {
  const auto byte = static_cast<uint8_t>(word[at]);
  if (byte < 0x80) return byte;
  return at + 1 < word.size() ? (byte & 0x1FU) << 6 | (static_cast<uint8_t>(word[at + 1]) & 0x3FU) : 0;
}

struct KeyRow {
  std::u32string_view keys;
  int shift;  // against the others, in quarters of a key
};

constexpr auto kKeyRows = std::to_array<KeyRow>({{U"qwertyuiop", 0},
                                                 {U"asdfghjkl", 1},
                                                 {U"zxcvbnm", 3},
                                                 {U"йцукенгшщзхъ", 0},
                                                 {U"фывапролджэ", 1},
                                                 {U"ячсмитьбю", 3}});

// Whether two letters lie side by side on a keyboard, in one row or in two.
bool are_neighbours(char32_t a, char32_t b) {
  const auto place = [](char32_t letter) {
    for (size_t row = 0; row < kKeyRows.size(); ++row) {
      const size_t at = kKeyRows[row].keys.find(letter);
      if (at != std::u32string_view::npos)
        return std::pair(static_cast<int>(row), static_cast<int>(at) * 4 + kKeyRows[row].shift);
    }
    return std::pair(-9, 0);
  };
  const auto [row_a, at_a] = place(a);
  const auto [row_b, at_b] = place(b);
  constexpr int kRowsOfOne = 3;
  if (row_a < 0 || row_b < 0 || row_a / kRowsOfOne != row_b / kRowsOfOne) return false;
  return std::abs(row_a - row_b) <= 1 && std::abs(at_a - at_b) <= 4;
}

// One letter stands for another: a key beside the right one, or one that a long word bears.
bool is_replaced(std::string_view a, std::string_view b, size_t at, size_t letters) {
  return letters >= kLongWord || (letters >= kMiddleWord && are_neighbours(letter_of(a, at), letter_of(b, at)));
}

// `letter` was typed twice, or once too little: `word` has it before or behind `at`.
bool is_doubled(std::string_view word, size_t at, std::string_view letter) {
  return word.substr(0, at).ends_with(letter) || word.substr(at).starts_with(letter);
}

// Most words of Latin letters do not bend by these: "telnet" and "telnetd" are two names.
bool may_end_word(std::string_view letter) {
  constexpr std::string_view kHardly = "bcdfhjklpqvwxz";
  return kHardly.find(letter) == std::string_view::npos;
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
  if (start == 0 || shorter < kShortestWord) return false;
  if (size_a + size_b > 1)
    return shorter >= kSpelledWord &&
           (size_a == 1 && size_b == 1 ? is_replaced(a, b, start, shorter) : are_swapped(own_a, own_b));
  const std::string_view added = own_a.empty() ? own_b : own_a;
  if (is_doubled(own_a.empty() ? a : b, start, added)) return true;
  if (end == 0) return added == "s" || (shorter >= kSpelledWord && may_end_word(added));
  return shorter >= kSpelledLongWord;
}

bool are_other_words(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  const size_t begin = common_first_words(a, b);
  a.remove_prefix(begin);
  b.remove_prefix(begin);
  const size_t end = common_last_words(a, b);
  const auto words_a = split(a.substr(0, a.size() - end)), words_b = split(b.substr(0, b.size() - end));
  if (std::max(words_a.size(), words_b.size()) > kMostWords) return true;
  const auto has_units = [](std::string_view word) { return unit_weight(word) > 0; };
  const bool may_add = std::ranges::any_of(words_a, has_units) || std::ranges::any_of(words_b, has_units);
  const int most = may_add ? std::min(most_added(whole_a), most_added(whole_b)) : 0;
  return !Alignment(words_a, words_b, most).is_found() && !Alignment(words_b, words_a, most).is_found();
}

}  // namespace neardup::verify
