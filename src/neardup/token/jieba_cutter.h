// Inner part of the segmenter: one block of characters -> words.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/token/jieba_view.h"

namespace neardup::token {

inline constexpr uint32_t kNumSentinels = 3;

/// A block: characters that words are looked for in, as codes and, where it is not of Han characters alone, as code
/// points. Behind the codes stand kNumSentinels zeros, which end every walk through the trie.
struct Block {
  const uint16_t* codes = nullptr;
  const char16_t* characters = nullptr;  // null: all are Han
  uint32_t size = 0;
};

/// Cuts blocks. Keeps its working memory. Threads: one object per thread.
class JiebaCutter {
 public:
  explicit JiebaCutter(const JiebaView& view) : view_(view) {}

  /// Returns the end of each word of `block`, ascending, by the route of highest probability; of equal ones that whose
  /// first word is longer, as jieba's max() has it. Characters that stay single are put together by the HMM if `hmm`
  /// says so; else ASCII letters and digits among them are. Valid until the next call.
  [[nodiscard]] std::span<const uint32_t> cut(const Block& block, bool hmm);

  /// The most codes that look_up_ahead() takes.
  static constexpr uint32_t kMaxAhead = 256;
  /// Looks up the words of many short blocks at once: their codes one behind the other, a zero behind each, and
  /// kNumSentinels zeros behind the `size` codes in all. Requires: size <= kMaxAhead.
  void look_up_ahead(const uint16_t* codes, uint32_t size) { look_up(codes, size); }
  /// The same as cut() for the block that begins at `offset` of the codes that were looked up last.
  [[nodiscard]] std::span<const uint32_t> cut_ahead(const Block& block, uint32_t offset, bool hmm);

  /// Calls word(end) for the end of each word that begins at `at`, ascending.
  template <class Word>
  void for_each_word_at(const Block& block, uint32_t at, const Word& word) const {
    uint32_t base = kRootBase;
    for (uint32_t end = at; end < block.size; ++end) {
      const TrieEntry entry = view_.entries[base + block.codes[end]];
      if (entry.label() != block.codes[end]) return;
      if (view_.weights[entry.value()] > -kInfinity) word(end + 1);
      base = entry.base();
    }
  }

  /// Returns whether the characters from `begin` to `end` are a word.
  [[nodiscard]] bool is_word(const Block& block, uint32_t begin, uint32_t end) const {
    return view_.weights[value_of(block, begin, end)] > -kInfinity;
  }

 private:
  static constexpr double kInfinity = __builtin_huge_val();

  [[nodiscard]] uint32_t value_of(const Block& block, uint32_t begin, uint32_t end) const;
  void look_up(const uint16_t* codes, uint32_t size);
  void find_route(const Block& block);
  void end_route(uint32_t size);
  void find_routes_from(const Block& block, uint32_t start, uint32_t stop, uint32_t walk);
  std::span<const uint32_t> take_words(const Block& block, bool hmm);
  void take_longer(const Block& block, uint32_t at, TrieEntry entry, double& best, uint32_t& best_end) const;
  void reserve(uint32_t size);
  void end_word(uint32_t end) { word_ends_[num_words_++] = end; }

  void take_singles(const Block& block, uint32_t begin, uint32_t end);
  void take_singles_without_hmm(const Block& block, uint32_t begin, uint32_t end);
  void take_ascii(const Block& block, uint32_t begin, uint32_t end);
  void take_han(const Block& block, uint32_t begin, uint32_t end);
  void decode_states(const Block& block, uint32_t begin, uint32_t end);

  /// The entries of the words of one, two and three characters that begin at each of some characters.
  struct Walks {
    static constexpr uint32_t kSize = kMaxAhead;
    std::array<TrieEntry, kSize> one, two, three;
    std::array<uint32_t, kSize> places;  // of the entries of the next step
  };

  const JiebaView& view_;
  Walks walks_;
  std::vector<double> route_;        // of the best route from each character to the end of the block
  std::vector<uint32_t> next_;       // its first word's end
  std::vector<uint32_t> word_ends_;  // the result
  std::vector<uint8_t> back_;        // Viterbi: which state came before, one bit for each state; then the states
  uint32_t num_words_ = 0;
};

}  // namespace neardup::token
