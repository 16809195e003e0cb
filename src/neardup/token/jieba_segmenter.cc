// A text -> blocks -> words, in the three modes of jieba.
#include <cassert>
#include <limits>
#include <utility>

#include "neardup/text/utf8.h"
#include "neardup/token/jieba.h"
#include "neardup/token/jieba_blocks.h"
#include "neardup/token/jieba_cutter.h"

namespace neardup::token {

namespace {

/// Where full mode is in what lies between blocks, which jieba splits at white space: each side of a space is a piece,
/// be it empty.
enum class Between { kBlock, kPiece, kSpace };

}  // namespace

struct JiebaSegmenter::Impl {
  explicit Impl(std::shared_ptr<const JiebaDictionary> shared)
      : dictionary(std::move(shared)), view(dictionary->view()), cutter(view) {}

  std::shared_ptr<const JiebaDictionary> dictionary;
  const JiebaView& view;
  JiebaCutter cutter;
  // The block that is being collected:
  std::vector<uint16_t> codes;
  std::vector<char16_t> characters;
  std::vector<uint32_t> offsets;  // of each character in the text, and of the end
  Between between = Between::kBlock;

  void collect(char32_t c, size_t at) {
    codes.push_back(view.codes[c]);
    characters.push_back(static_cast<char16_t>(c));
    offsets.push_back(static_cast<uint32_t>(at));
  }

  [[nodiscard]] Word word(uint32_t begin, uint32_t end) const {
    return {offsets[begin], offsets[end] - offsets[begin]};
  }

  /// Cuts what has been collected, which ends at byte `end` of the text.
  void finish_block(size_t end, const CutOptions& options, std::vector<Word>& out) {
    if (codes.empty()) return;
    codes.insert(codes.end(), kNumSentinels, 0);
    offsets.push_back(static_cast<uint32_t>(end));
    const Block block{
        .codes = codes.data(), .characters = characters.data(), .size = static_cast<uint32_t>(characters.size())};
    options.mode == CutMode::kFull ? cut_all(block, out) : cut_once(block, options, out);
    codes.clear();
    characters.clear();
    offsets.clear();
  }

  void cut_once(const Block& block, const CutOptions& options, std::vector<Word>& out) {
    uint32_t begin = 0;
    for (const uint32_t end : cutter.cut(block, options.hmm)) {
      if (options.mode == CutMode::kSearch) {
        if (end - begin > 2) add_inner(block, begin, end, 2, out);
        if (end - begin > 3) add_inner(block, begin, end, 3, out);
      }
      out.push_back(word(begin, end));
      begin = end;
    }
  }

  /// Words of `size` characters within a longer one.
  void add_inner(const Block& block, uint32_t begin, uint32_t end, uint32_t size, std::vector<Word>& out) const {
    for (; begin + size <= end; ++begin) {
      if (cutter.is_word(block, begin, begin + size)) out.push_back(word(begin, begin + size));
    }
  }

  void take_between_blocks(const Word& character, bool is_space, std::vector<Word>& out) {
    if (is_space) {
      if (between != Between::kPiece) out.push_back({character.begin, 0});
      out.push_back(character);
      between = Between::kSpace;
    } else if (between == Between::kPiece) {
      out.back().size_bytes += character.size_bytes;
    } else {
      out.push_back(character);
      between = Between::kPiece;
    }
  }

  /// A block begins at byte `at`, or the text ends there.
  void finish_gap(size_t at, std::vector<Word>& out) {
    if (between == Between::kSpace) out.push_back({static_cast<uint32_t>(at), 0});
    between = Between::kBlock;
  }

  /// jieba's __cut_all: every word, and single characters where no word has been; ASCII ones are put together.
  void cut_all(const Block& block, std::vector<Word>& out) const {
    uint32_t covered = 0;  // characters before this one are in a word
    uint32_t ascii_begin = 0, ascii_end = 0;
    const auto flush = [&] {
      if (ascii_begin < ascii_end) out.push_back(word(ascii_begin, ascii_end));
      ascii_begin = ascii_end;
    };
    for (uint32_t at = 0; at < block.size; ++at) {
      const bool ascii = is_ascii_alnum(block.characters[at]);
      if (!ascii) flush();
      uint32_t num_words = 0, last_end = at + 1;
      cutter.for_each_word_at(block, at, [&](uint32_t end) { ++num_words, last_end = end; });
      if (num_words > 1 || at < covered) {
        cutter.for_each_word_at(block, at, [&](uint32_t end) {
          if (end == at + 1) return;
          out.push_back(word(at, end));
          covered = end;
        });
      } else {
        if (ascii && ascii_end != at) flush();
        if (ascii && ascii_begin == ascii_end) ascii_begin = at;
        if (ascii) ascii_end = last_end;
        if (!ascii) out.push_back(word(at, last_end));
        covered = last_end;
      }
    }
    flush();
  }
};

JiebaSegmenter::JiebaSegmenter(std::shared_ptr<const JiebaDictionary> dictionary)
    : impl_(std::make_unique<Impl>(std::move(dictionary))) {}
JiebaSegmenter::JiebaSegmenter(JiebaSegmenter&&) noexcept = default;
JiebaSegmenter& JiebaSegmenter::operator=(JiebaSegmenter&&) noexcept = default;
JiebaSegmenter::~JiebaSegmenter() = default;

void JiebaSegmenter::cut(std::string_view text, const CutOptions& options, std::vector<Word>& out) {
  assert(text.size() < std::numeric_limits<uint32_t>::max());
  out.clear();
  impl_->between = Between::kBlock;
  for (size_t at = 0; at < text.size();) {
    const text::Decoded c = text::decode(text.data() + at, text.data() + text.size());
    if (c.valid && is_block_character(c.code_point)) {
      impl_->finish_gap(at, out);
      impl_->collect(c.code_point, at);
      at += c.size_bytes;
      continue;
    }
    impl_->finish_block(at, options, out);
    const bool line_end = c.code_point == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
    const Word word = {static_cast<uint32_t>(at), line_end ? 2 : c.size_bytes};
    if (options.mode == CutMode::kFull) {
      impl_->take_between_blocks(word, is_python_space(c.code_point), out);
    } else {
      out.push_back(word);
    }
    at += word.size_bytes;
  }
  impl_->finish_gap(text.size(), out);
  impl_->finish_block(text.size(), options, out);
}

}  // namespace neardup::token
