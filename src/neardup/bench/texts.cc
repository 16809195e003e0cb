#include "neardup/bench/texts.h"

#include "neardup/base/hash.h"

namespace neardup::bench {
namespace {

constexpr uint64_t kVocabularyBits = 15;  // 32,768 words

/// A word number whose probability falls with its size, about as 1 / number: uniform in the logarithm.
uint64_t draw_word(uint64_t random) {
  const uint64_t bits = random % (kVocabularyBits + 1);
  return (uint64_t{1} << bits) | ((random >> 8) & ((uint64_t{1} << bits) - 1));
}

void append_word(std::string& out, uint64_t word) {
  uint64_t letters = mix64(word);
  const uint64_t length = 2 + letters % 8;
  for (uint64_t i = 0; i < length; ++i) {
    letters = letters * 6364136223846793005ULL + 1442695040888963407ULL;
    out += static_cast<char>('a' + (letters >> 33) % 26);
  }
}

}  // namespace

std::string make_text(uint64_t seed, size_t size_bytes) {
  std::string text;
  for (uint64_t i = 0; text.size() < size_bytes; ++i) {
    if (i > 0) text += i % 12 == 0 ? ". " : " ";
    append_word(text, draw_word(mix64(seed * 0x9e3779b97f4a7c15ULL + i)));
  }
  return text;
}

}  // namespace neardup::bench
