#include "neardup/token/jieba_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "neardup/text/utf8.h"

namespace neardup::token {
namespace {

constexpr size_t kHanBytes = 3;
constexpr uint32_t kMaxAhead = JiebaCutter::kMaxAhead;

/// Bytes that may begin a Han character, and signs that may join what is before them with what is behind.
constexpr std::array<bool, 256> make_triggers() {
  std::array<bool, 256> triggers{};
  for (size_t byte = 0xE4; byte <= 0xE9; ++byte) triggers[byte] = true;
  for (const char sign : {'.', '%', '&', '#', '+'}) triggers[static_cast<size_t>(sign)] = true;
  return triggers;
}

constexpr std::array<bool, 256> kTriggers = make_triggers();

size_t next_trigger(std::string_view text, size_t at) {
  while (at < text.size() && !kTriggers[static_cast<uint8_t>(text[at])]) ++at;
  return at;
}

/// The Han character of jieba's or the ASCII character of a block at `at`, 0 where there is none.
char32_t block_character(std::string_view text, size_t at) {
  const char* const from = text.data() + at;
  const auto byte = static_cast<uint8_t>(*from);
  if (byte < 0x80) return is_block_character(byte) ? byte : 0;
  const uint32_t word = text::load_up_to_4(from, text.data() + text.size());
  if ((word & 0xC0C0F0) != 0x8080E0) return 0;
  const char32_t c = (word & 0xF) << 12 | (word >> 2 & 0xFC0) | (word >> 16 & 0x3F);
  return is_jieba_han(c) ? c : 0;
}

bool is_alnum_at(std::string_view text, size_t at) {
  return at < text.size() && is_ascii_alnum(static_cast<uint8_t>(text[at]));
}

/// Whether the block of the trigger at `at`, which begins at `first` or later, is cut otherwise than "words" cuts it.
bool needs_cut(std::string_view text, size_t first, size_t at) {
  if (static_cast<uint8_t>(text[at]) >= 0x80) return block_character(text, at) != 0;
  if (at == first || !is_alnum_at(text, at - 1)) return false;
  return text[at] != '.' || is_alnum_at(text, at + 1);
}

/// Where the block of the character at `at` begins: at `first` or later.
size_t block_begin(std::string_view text, size_t first, size_t at) {
  while (at > first && static_cast<uint8_t>(text[at - 1]) < 0x80 &&
         is_block_character(static_cast<uint8_t>(text[at - 1])))
    --at;
  return at;
}

size_t size_bytes_of(char16_t c) { return c < 0x80 ? 1 : kHanBytes; }
char16_t capital(char16_t c) { return c >= 'a' && c <= 'z' ? static_cast<char16_t>(c - 0x20) : c; }

}  // namespace

JiebaWords::JiebaWords(std::shared_ptr<const JiebaDictionary> dictionary)
    : dictionary_(std::move(dictionary)),
      view_(dictionary_->view()),
      cutter_(view_),
      codes_(2 * kMaxAhead),
      characters_(2 * kMaxAhead) {}

void JiebaWords::mark(std::string_view text) {
  borders_.clear(text.size());
  covered_.assign(Bitmaps::num_words(text.size()), 0);
  trigger_ = 0;
  for (size_t at = 0; at < text.size();) at = cut_some(text, at);
}

/// Cuts blocks from `at` on, where none has begun, and returns the place behind them. Blocks are short, a dozen
/// characters, and looked up many at once.
size_t JiebaWords::cut_some(std::string_view text, size_t at) {
  at = find_pieces(text, at);
  if (pieces_.empty()) return at;
  const uint32_t num_codes = pieces_.back().first_code + pieces_.back().size + 1;
  if (num_codes > kMaxAhead) {
    mark_words(pieces_[0], cutter_.cut(block_of(pieces_[0]), true));
    return at;
  }
  cutter_.look_up_ahead(codes_.data(), num_codes);
  for (const Piece& piece : pieces_) mark_words(piece, cutter_.cut_ahead(block_of(piece), piece.first_code, true));
  return at;
}

/// Fills pieces_: one of any size, or as many as are looked up at once. Returns the place behind them.
size_t JiebaWords::find_pieces(std::string_view text, size_t at) {
  pieces_.clear();
  uint32_t num_codes = 0;
  size_t done = at;
  while ((at = next_cut(text, done, at)) < text.size()) {
    // Behind a piece of a long block there is no need to look for where the next piece begins.
    const Piece piece = take_codes(text, done < trigger_ ? done : block_begin(text, done, at), num_codes);
    trigger_ = at;
    if (num_codes + piece.size + 1 > kMaxAhead && !pieces_.empty()) {
      at = piece.begin;
      break;
    }
    pieces_.push_back(piece);
    num_codes += piece.size + 1;
    done = at = piece.end;
    if (num_codes > kMaxAhead) break;
  }
  if (!pieces_.empty())
    std::fill_n(codes_.begin() + pieces_.back().first_code + pieces_.back().size, kNumSentinels + 1, uint16_t{0});
  return at;
}

/// The first trigger from `at` on whose block is to be cut; the one that was found last where `at` lies before it in
/// its block, which is cut in pieces: to look for it from each piece on would take quadratic time.
size_t JiebaWords::next_cut(std::string_view text, size_t first, size_t at) const {
  if (at < trigger_) return trigger_;
  while ((at = next_trigger(text, at)) < text.size() && !needs_cut(text, first, at)) ++at;
  return at;
}

/// The codes of the block at `at` to codes_ from `first_code` on, and a zero behind them.
JiebaWords::Piece JiebaWords::take_codes(std::string_view text, size_t at, uint32_t first_code) {
  Piece piece{at, at, first_code, 0, false};
  uint32_t to = first_code;
  for (; piece.end < text.size() && piece.size < kMaxJiebaBlock; ++to, ++piece.size) {
    const auto c = static_cast<char16_t>(block_character(text, piece.end));
    if (c == 0) break;
    if (to + kNumSentinels + 2 >= codes_.size()) codes_.resize(codes_.size() * 2), characters_.resize(codes_.size());
    codes_[to] = view_.codes[capital(c)];
    characters_[to] = c;
    piece.end += size_bytes_of(c);
    piece.has_ascii = piece.has_ascii || c < 0x80;
  }
  codes_[to] = 0;
  return piece;
}

Block JiebaWords::block_of(const Piece& piece) const {
  const char16_t* const characters = piece.has_ascii ? characters_.data() + piece.first_code : nullptr;
  return {codes_.data() + piece.first_code, characters, piece.size};
}

void JiebaWords::mark_words(const Piece& piece, std::span<const uint32_t> word_ends) {
  cover(piece.begin, piece.end);
  piece.has_ascii ? mark_mixed_words(piece, word_ends) : mark_han_words(piece, word_ends);
}

void JiebaWords::mark_han_words(const Piece& piece, std::span<const uint32_t> word_ends) {
  size_t begin = piece.begin;
  for (const uint32_t word_end : word_ends) {
    borders_.mark_start(begin);
    begin = piece.begin + word_end * kHanBytes;
    borders_.mark_end(begin);
  }
}

void JiebaWords::mark_mixed_words(const Piece& piece, std::span<const uint32_t> word_ends) {
  const char16_t* const characters = characters_.data() + piece.first_code;
  size_t place = piece.begin;
  uint32_t at = 0;
  for (const uint32_t word_end : word_ends) {
    const size_t begin = place;
    const char16_t first = characters[at];
    for (; at < word_end; ++at) place += size_bytes_of(characters[at]);
    if (first < 0x80 && !is_ascii_alnum(first)) continue;
    borders_.mark_start(begin);
    borders_.mark_end(place);
  }
}

void JiebaWords::cover(size_t begin, size_t end) {
  const size_t last = (end - 1) / 64;
  for (size_t word = begin / 64; word <= last; ++word) {
    const uint64_t from = word == begin / 64 ? ~uint64_t{0} << begin % 64 : ~uint64_t{0};
    const uint64_t to = word == last ? ~uint64_t{0} >> (63 - (end - 1) % 64) : ~uint64_t{0};
    covered_[word] |= from & to;
  }
}

}  // namespace neardup::token
