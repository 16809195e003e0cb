// Lines that are kept, found again by those that are nearly the same: by their characters, and none is missed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/raw_buffer.h"
#include "neardup/text/normalizer.h"
#include "neardup/token/tokenizer.h"
#include "neardup/verify/rule.h"

namespace neardup::lines {

/// Two lines are similar where their sets of character n-grams have a Jaccard similarity of at least `share`, and
/// nothing stands in the way that verify::short_difference() knows for `verify`.
struct SimilarRule {
  double share = 0.7;
  verify::Rule::Kind verify = verify::Rule::Kind::kContent;  // or kOrigin: only digits must be the same
};

/// Makes of lines what they are compared by: recipe::short_text_features() of the recipe "default". Threads: one at a
/// time.
class LineFeatures {
 public:
  LineFeatures();
  /// Longer lines have none.
  static constexpr size_t kMostLineBytes = size_t{1} << 20;
  /// Replaces `row`; it is empty for a line without letters and digits.
  void make(std::string_view line, std::vector<uint32_t>& row);

 private:
  text::Normalizer normalizer_;
  token::Tokenizer tokenizer_;
  std::string normalized_;
  std::vector<token::Token> tokens_;
};

/// What of the words of a line two lines have in common that verify::are_other_words() takes for one.
struct WordMarks {
  uint64_t begins = 0;   // how many words begin with a byte: three bits, set one after the other, for some bytes each
  uint32_t letters = 0;  // of all bytes of words, in any order
  /// Whether they may be. Words that may be one begin alike, so the one that has fewer must have no begin that the
  /// other lacks; or all are the same but for spaces.
  [[nodiscard]] bool may_be_one(const WordMarks& other) const {
    return (begins & ~other.begins) == 0 || (other.begins & ~begins) == 0 || letters == other.letters;
  }
};
[[nodiscard]] WordMarks word_marks(std::string_view words);

/// Another line that is similar.
struct SimilarTo {
  uint32_t number = 0;
  float similarity = 0;
};

/// Rows of features 0, 1, ... Two sets with a Jaccard similarity of t have one of the first n - ceil(t n) + 1 of their
/// n elements in common, in whatever order elements are looked at, if it is the same for both: only these are indexed,
/// the rarest ones, by their keys. What stands behind the first one in common, in either, bounds how many there are.
/// Bayardo, Ma, Srikant 2007, section 3.2; Xiao et al. 2008, lemmas 1 and 2. Threads: const members from many at once,
/// each with its own Scratch.
class SimilarSet {
 public:
  struct Scratch {
    std::vector<uint32_t> candidates;
    std::vector<uint64_t> seen;  // a bit for each row: of candidates
  };
  explicit SimilarSet(const SimilarRule& rule);

  /// Notes the n-grams of a row as occurring, so that rare ones are known. Requires: no row was added yet.
  void count(std::span<const uint32_t> row);
  /// Replaces `keys` by those of the n-grams of a row that a similar row must have one of, the rarest first. Requires:
  /// the last count().
  void find_keys(std::span<const uint32_t> row, std::vector<uint32_t>& keys) const;
  void add(std::span<const uint32_t> row, std::span<const uint32_t> keys);
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(rows_.size()); }
  /// Returns the lowest of the rows `from` to `to` - 1 that is similar to `row`.
  [[nodiscard]] std::optional<SimilarTo> first_similar(std::span<const uint32_t> row, std::span<const uint32_t> keys,
                                                       uint32_t from, uint32_t to, Scratch& scratch) const;
  [[nodiscard]] uint64_t memory_bytes() const;
  /// No more can be added.
  [[nodiscard]] bool is_full() const { return postings_.size() > UINT32_MAX - (uint32_t{1} << 26); }

 private:
  struct Posting {
    uint32_t number = 0;
    uint32_t before = 0;  // the posting before of the same key, from 1; 0 for none
    uint32_t rest = 0;    // n-grams of the row from this one on
  };
  struct Slot {
    uint32_t key = 0;
    uint32_t last = 0;   // posting, from 1; 0: free
    uint32_t least = 0;  // n-grams of the smallest of the rows
  };
  [[nodiscard]] size_t slot_of(uint32_t key) const;
  [[nodiscard]] double needed(size_t grams, size_t of_other) const;
  [[nodiscard]] std::optional<SimilarTo> compare(std::span<const uint32_t> row, uint32_t number) const;
  void grow();

  SimilarRule rule_;
  std::vector<uint16_t> counts_;  // of n-grams by some bits of their keys
  corpus::Arena features_;
  uint64_t features_bytes_ = 0;
  struct Row {
    const uint32_t* data = nullptr;
    uint32_t size = 0;
    uint32_t grams = 0;
    WordMarks words;
  };
  std::vector<Row> rows_;
  std::vector<Posting> postings_;
  std::vector<Slot> slots_;
  size_t num_keys_ = 0;
};

}  // namespace neardup::lines
