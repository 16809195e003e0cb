#include "neardup/text/look_alikes.h"

#include <array>

#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

struct Twins {
  char latin;
  char32_t cyrillic;
};

constexpr char32_t kFirstCyrillic = 0x400;
constexpr size_t kCyrillicBytes = 2;
constexpr size_t kMaxLookBack = 64;  // bytes between two words

// Of two letters with one twin the first stands for it.
constexpr Twins kTwins[] = {{'a', U'а'},      {'b', U'в'},      {'b', U'ь'},      {'c', U'с'},      {'d', U'\u0501'},
                            {'e', U'е'},      {'h', U'н'},      {'h', U'\u04BB'}, {'i', U'і'},      {'j', U'ј'},
                            {'k', U'к'},      {'l', U'\u04CF'}, {'m', U'м'},      {'o', U'о'},      {'p', U'р'},
                            {'q', U'\u051B'}, {'s', U'ѕ'},      {'t', U'т'},      {'v', U'\u0475'}, {'w', U'\u051D'},
                            {'x', U'х'},      {'y', U'у'},      {'y', U'\u04AF'}};

// Of them, those that look the same as capital letters only: in most texts they are what they are.
constexpr std::string_view kLatinCapitals = "bhkmt";
constexpr std::u32string_view kCyrillicCapitals = U"вьнкмт";

struct TwinTables {
  std::array<char32_t, 26> cyrillic{};
  std::array<char, 0x130> latin{};
};

constexpr TwinTables make_tables() {
  TwinTables tables;
  for (const Twins& twins : kTwins) {
    char32_t& cyrillic = tables.cyrillic[static_cast<size_t>(twins.latin - 'a')];
    if (cyrillic == 0) cyrillic = twins.cyrillic;
    tables.latin[twins.cyrillic - kFirstCyrillic] = twins.latin;
  }
  return tables;
}

constexpr TwinTables kTables = make_tables();

bool is_latin(char c) { return c >= 'a' && c <= 'z'; }

/// Where the next Cyrillic letter beside a Latin one begins.
size_t next_seam(std::string_view text, size_t at) {
  for (; at < text.size(); ++at) {
    if (!begins_cyrillic(text[at])) continue;
    if (at > 0 && is_latin(text[at - 1])) return at;
    if (at + kCyrillicBytes < text.size() && is_latin(text[at + kCyrillicBytes])) return at;
  }
  return at;
}

/// Whether the letter before `at` is Cyrillic.
bool is_behind_cyrillic(std::string_view text, size_t at) {
  return at >= kCyrillicBytes && begins_cyrillic(text[at - kCyrillicBytes]);
}

/// Where the word of the letter at `at` begins: at `first` or later.
size_t word_begin(std::string_view text, size_t first, size_t at) {
  while (at > first) {
    if (is_latin(text[at - 1])) {
      --at;
    } else if (is_behind_cyrillic(text, at)) {
      at -= kCyrillicBytes;
    } else {
      break;
    }
  }
  return at;
}

enum class Script { kNone, kLatin, kCyrillic };

/// One run of letters.
struct MixedWord {
  size_t end = 0;
  bool has_latin = false, has_cyrillic = false;
  bool can_be_latin = true, can_be_cyrillic = true;
  size_t latin_capitals = 0, cyrillic_capitals = 0;  // letters of kLatinCapitals and kCyrillicCapitals

  [[nodiscard]] Script script(Script before) const {
    if (!has_cyrillic) return Script::kLatin;
    if (!has_latin) return Script::kCyrillic;
    if (can_be_latin && can_be_cyrillic) return likelier(before);
    if (can_be_latin) return Script::kLatin;
    return can_be_cyrillic ? Script::kCyrillic : Script::kNone;
  }

  [[nodiscard]] Script likelier(Script before) const {
    if (latin_capitals != cyrillic_capitals)
      return latin_capitals > cyrillic_capitals ? Script::kLatin : Script::kCyrillic;
    return before == Script::kCyrillic ? before : Script::kLatin;
  }
};

MixedWord word_at(std::string_view text, size_t at) {
  MixedWord word;
  while (at < text.size()) {
    if (is_latin(text[at])) {
      word.has_latin = true;
      word.latin_capitals += kLatinCapitals.find(text[at]) != kLatinCapitals.npos ? 1 : 0;
      word.can_be_cyrillic = word.can_be_cyrillic && cyrillic_twin(text[at]) != 0;
      ++at;
    } else if (begins_cyrillic(text[at])) {
      const Decoded c = decode_valid(text.data() + at, text.data() + text.size());
      word.has_cyrillic = true;
      word.cyrillic_capitals += kCyrillicCapitals.find(c.code_point) != kCyrillicCapitals.npos ? 1 : 0;
      word.can_be_latin = word.can_be_latin && latin_twin(c.code_point) != 0;
      at += c.size_bytes;
    } else {
      break;
    }
  }
  word.end = at;
  return word;
}

/// The script of the last letter before `at`, where there is one nearby.
Script script_before(std::string_view text, size_t at) {
  const size_t stop = at < kMaxLookBack ? 0 : at - kMaxLookBack;
  for (; at > stop; --at) {
    if (is_latin(text[at - 1])) return Script::kLatin;
    if (is_behind_cyrillic(text, at)) return Script::kCyrillic;
  }
  return Script::kNone;
}

void append_as(std::string_view word, Script script, std::string& out) {
  for (size_t at = 0; at < word.size();) {
    const Decoded c = decode_valid(word.data() + at, word.data() + word.size());
    char32_t letter = c.code_point;
    if (script == Script::kLatin && letter >= kFirstCyrillic) letter = static_cast<char32_t>(latin_twin(letter));
    if (script == Script::kCyrillic && letter < kFirstCyrillic) letter = cyrillic_twin(word[at]);
    uint32_t size_bytes = 0;
    const uint32_t bytes = encode(letter, size_bytes);
    out.append(reinterpret_cast<const char*>(&bytes), size_bytes);
    at += c.size_bytes;
  }
}

}  // namespace

char32_t cyrillic_twin(char letter) { return kTables.cyrillic[static_cast<size_t>(letter - 'a')]; }
char latin_twin(char32_t letter) {
  const size_t at = letter - kFirstCyrillic;
  return at < kTables.latin.size() ? kTables.latin[at] : '\0';
}

void unmix_words(std::string& text, std::string& scratch) {
  scratch.clear();
  size_t copied = 0;
  for (size_t at = next_seam(text, 0); at < text.size();) {
    const size_t begin = word_begin(text, copied, at);
    const MixedWord word = word_at(text, begin);
    const Script script = word.script(script_before(text, begin));
    if (script != Script::kNone) {
      scratch.append(text, copied, begin - copied);
      append_as(std::string_view(text).substr(begin, word.end - begin), script, scratch);
      copied = word.end;
    }
    at = next_seam(text, word.end);
  }
  if (copied == 0) return;
  scratch.append(text, copied);
  text.swap(scratch);
}

}  // namespace neardup::text
