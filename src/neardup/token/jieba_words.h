// The part of the tokenizer "jieba" that cuts what jieba cuts: blocks of Han characters and what it takes with them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/token/bitmaps.h"
#include "neardup/token/jieba.h"
#include "neardup/token/jieba_blocks.h"
#include "neardup/token/jieba_cutter.h"

namespace neardup::token {

/// Finds the words of a text as jieba's cut() does, where it finds other ones than the tokenizer "words": in blocks
/// (is_block_character()) that hold a Han character or, behind an ASCII letter or digit, a sign that may join it with
/// what follows ("3.5", "12%", "c++"). Threads: one object per thread.
class JiebaWords {
 public:
  explicit JiebaWords(std::shared_ptr<const JiebaDictionary> dictionary);

  /// Cuts `text`, normalised. Words of letters a to z are found as those of the dictionary that have capitals, since
  /// nearly all of its words with letters have.
  void mark(std::string_view text);

  /// The words in blocks, but those of signs alone.
  [[nodiscard]] const Bitmaps& borders() const { return borders_; }
  /// One bit for each byte that lies in a block, in words of 64.
  [[nodiscard]] const std::vector<uint64_t>& covered() const { return covered_; }

 private:
  struct Piece {
    size_t begin, end;  // in the text
    uint32_t first_code, size;
    bool has_ascii;
  };

  size_t cut_some(std::string_view text, size_t at);
  size_t find_pieces(std::string_view text, size_t at);
  [[nodiscard]] size_t next_cut(std::string_view text, size_t first, size_t at) const;
  Piece take_codes(std::string_view text, size_t at, uint32_t first_code);
  void mark_words(const Piece& piece, std::span<const uint32_t> word_ends);
  void mark_han_words(const Piece& piece, std::span<const uint32_t> word_ends);
  void mark_mixed_words(const Piece& piece, std::span<const uint32_t> word_ends);
  void cover(size_t begin, size_t end);
  [[nodiscard]] Block block_of(const Piece& piece) const;

  std::shared_ptr<const JiebaDictionary> dictionary_;
  const JiebaView& view_;
  JiebaCutter cutter_;
  std::vector<uint16_t> codes_;       // of all pieces_, a zero behind each
  std::vector<char16_t> characters_;  // of codes_
  std::vector<Piece> pieces_;         // that are cut together
  size_t trigger_ = 0;                // whose block was cut last
  Bitmaps borders_;
  std::vector<uint64_t> covered_;
};

}  // namespace neardup::token
