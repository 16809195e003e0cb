#include "neardup/diff/words.h"

#include <string>
#include <unordered_map>

#include "neardup/diff/characters.h"

namespace neardup::diff {
namespace {

constexpr char32_t kJoiner = 0x200D;

bool is_apostrophe(char32_t code_point) { return code_point == '\'' || code_point == 0x2019; }
bool is_digit(char32_t code_point) { return code_point >= '0' && code_point <= '9'; }

bool is_word_at(std::string_view text, size_t position) {
  return position < text.size() && character_class(character_at(text, position).code_point) == CharacterClass::kWord;
}

// Reads words one after the other.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  // Moves to the next word and returns whether there is one.
  bool next(Word& word) {
    while (position_ < text_.size() && current_class() == CharacterClass::kSpace) take();
    if (position_ == text_.size()) return false;
    word.begin = static_cast<uint32_t>(position_);
    bool is_word = current_class() == CharacterClass::kWord;
    take();
    while (position_ < text_.size() && (is_extended() || (is_word && goes_on()))) take();
    word.end = static_cast<uint32_t>(position_);
    return true;
  }

 private:
  CharacterClass current_class() const { return character_class(character_at(text_, position_).code_point); }

  void take() {
    Character character = character_at(text_, position_);
    last_ = character.code_point;
    position_ += character.length;
  }

  // Marks stay with their base, and emoji that are joined stay together.
  bool is_extended() const {
    CharacterClass current = current_class();
    return current == CharacterClass::kExtend || (last_ == kJoiner && current == CharacterClass::kAlone);
  }

  // "don't" and "1,204.5" are one word each.
  bool goes_on() const {
    Character character = character_at(text_, position_);
    if (character_class(character.code_point) == CharacterClass::kWord) return true;
    size_t after = position_ + character.length;
    if (is_apostrophe(character.code_point)) return is_word_at(text_, after);
    bool is_separator = character.code_point == '.' || character.code_point == ',';
    return is_separator && is_digit(last_) && after < text_.size() &&
           is_digit(static_cast<unsigned char>(text_[after]));
  }

  std::string_view text_;
  size_t position_ = 0;
  char32_t last_ = 0;
};

}  // namespace

std::vector<Word> split_words(std::string_view text) {
  std::vector<Word> words;
  Splitter splitter(text);
  for (Word word; splitter.next(word);) words.push_back(word);
  return words;
}

NumberedWords number_words(std::string_view text_a, const std::vector<Word>& words_a, std::string_view text_b,
                           const std::vector<Word>& words_b, const FoldWord& fold_word) {
  std::unordered_map<std::string_view, uint32_t> numbers;  // by the bytes
  std::unordered_map<std::string, uint32_t> folded;
  const auto number_of = [&](std::string_view bytes) {
    const auto [found, is_new] = numbers.try_emplace(bytes, 0);
    if (!is_new) return found->second;
    const auto count = static_cast<uint32_t>(fold_word ? folded.size() : numbers.size() - 1);
    found->second = fold_word ? folded.try_emplace(fold_word(bytes), count).first->second : count;
    return found->second;
  };
  auto number = [&number_of](std::string_view text, const std::vector<Word>& words) {
    std::vector<uint32_t> out;
    out.reserve(words.size());
    for (const Word& word : words) {
      out.push_back(number_of(text.substr(word.begin, word.end - word.begin)));
    }
    return out;
  };
  NumberedWords result;
  result.a = number(text_a, words_a);
  result.b = number(text_b, words_b);
  result.num_different = static_cast<uint32_t>(numbers.size());
  return result;
}

}  // namespace neardup::diff
