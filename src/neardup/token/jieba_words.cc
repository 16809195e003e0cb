#include "neardup/token/jieba_words.h"

#include <utility>

#include "neardup/text/utf8.h"

namespace neardup::token {
namespace {

constexpr size_t kHanBytes = 3;

/// The character at `at`, 0 where it does not take three bytes.
char32_t three_byte_character(const char* at, const char* end) {
  const uint32_t word = text::load_up_to_4(at, end);
  if ((word & 0xC0C0F0) != 0x8080E0) return 0;
  return (word & 0xF) << 12 | (word >> 2 & 0xFC0) | (word >> 16 & 0x3F);
}

}  // namespace

JiebaWords::JiebaWords(std::shared_ptr<const JiebaDictionary> dictionary)
    : dictionary_(std::move(dictionary)), view_(dictionary_->view()), cutter_(view_), codes_(64) {}

size_t JiebaWords::take_run(std::string_view text, size_t at) {
  const char* const end = text.data() + text.size();
  const char* from = text.data() + at;
  uint32_t size = 0;
  for (; from < end; from += kHanBytes) {
    const char32_t c = three_byte_character(from, end);
    if (!is_jieba_han(c)) break;
    if (size + kNumSentinels == codes_.size()) codes_.resize(codes_.size() * 2);
    codes_[size++] = view_.codes[c];
  }
  for (uint32_t i = 0; i < kNumSentinels; ++i) codes_[size + i] = 0;
  borders_.mark_start(at);
  for (const uint32_t word_end : cutter_.cut({codes_.data(), nullptr, size}, true)) {
    borders_.mark_end(at + word_end * kHanBytes);
    if (word_end != size) borders_.mark_start(at + word_end * kHanBytes);
  }
  return at + size * kHanBytes;
}

}  // namespace neardup::token
