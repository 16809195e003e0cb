#include "neardup/token/jieba_words.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "neardup/text/utf8.h"

namespace neardup::token {
namespace {

constexpr size_t kHanBytes = 3;

constexpr uint32_t kMaxAhead = JiebaCutter::kMaxAhead;
/// Bytes in which further runs are looked for: enough for kMaxAhead characters in usual texts.
constexpr size_t kTextAhead = 2 * kMaxAhead * kHanBytes;

/// The place of the next byte from `at` on that may begin a Han character.
size_t next_lead_byte(std::string_view text, size_t at) {
  const auto leads = [](char byte) { return static_cast<unsigned char>(byte) - 0xE4U <= 0xE9U - 0xE4U; };
  while (at < text.size() && !leads(text[at])) ++at;
  return at;
}

/// The character at `at`, 0 where it does not take three bytes.
char32_t three_byte_character(const char* at, const char* end) {
  const uint32_t word = text::load_up_to_4(at, end);
  if ((word & 0xC0C0F0) != 0x8080E0) return 0;
  return (word & 0xF) << 12 | (word >> 2 & 0xFC0) | (word >> 16 & 0x3F);
}

}  // namespace

JiebaWords::JiebaWords(std::shared_ptr<const JiebaDictionary> dictionary)
    : dictionary_(std::move(dictionary)), view_(dictionary_->view()), cutter_(view_), codes_(2 * kMaxAhead) {}

size_t JiebaWords::take_run(std::string_view text, size_t at) {
  if (next_run_ == runs_.size()) cut_ahead(text, at);
  assert(runs_[next_run_].begin == at);
  const Run& run = runs_[next_run_++];
  return run.begin + run.size * kHanBytes;
}

void JiebaWords::cut_ahead(std::string_view text, size_t at) {
  const uint32_t num_codes = find_runs(text, at);
  if (num_codes > kMaxAhead) return mark(runs_[0], cutter_.cut(block_of(runs_[0]), true));
  cutter_.look_up_ahead(codes_.data(), num_codes);
  for (const Run& run : runs_) mark(run, cutter_.cut_ahead(block_of(run), run.first_code, true));
}

// Runs of text are short: a dozen characters.
uint32_t JiebaWords::find_runs(std::string_view text, size_t at) {
  const size_t stop = std::min(text.size(), at + kTextAhead);
  uint32_t num_codes = 0;
  runs_.clear();
  next_run_ = 0;
  do {
    const Run run = take_codes(text, at, num_codes);
    if (!runs_.empty() && run.first_code + run.size >= kMaxAhead) break;
    if (run.size > 0) runs_.push_back(run), num_codes += run.size + 1;
    at = next_lead_byte(text, at + std::max<size_t>(run.size, 1) * kHanBytes);
  } while (at < stop);
  std::fill_n(codes_.begin() + num_codes, kNumSentinels, uint16_t{0});
  return num_codes;
}

/// The codes of the run at `at`, which may be empty, to codes_ from `first_code` on, and a zero behind them.
JiebaWords::Run JiebaWords::take_codes(std::string_view text, size_t at, uint32_t first_code) {
  const char* const end = text.data() + text.size();
  uint32_t to = first_code;
  for (const char* from = text.data() + at; from < end; from += kHanBytes, ++to) {
    const char32_t c = three_byte_character(from, end);
    if (!is_jieba_han(c)) break;
    if (to + kNumSentinels + 1 >= codes_.size()) codes_.resize(codes_.size() * 2);
    codes_[to] = view_.codes[c];
  }
  codes_[to] = 0;
  return {at, first_code, to - first_code};
}

void JiebaWords::mark(const Run& run, std::span<const uint32_t> word_ends) {
  borders_.mark_start(run.begin);
  for (const uint32_t word_end : word_ends) {
    borders_.mark_end(run.begin + word_end * kHanBytes);
    if (word_end != run.size) borders_.mark_start(run.begin + word_end * kHanBytes);
  }
}

}  // namespace neardup::token
