// Phrases: pairs of neighbouring tokens that count as one ("new york"), learnt from a corpus.
//
//   std::shared_ptr<const feature::Phrases> phrases = *feature::Phrases::load("news.phrases");
//   phrases->join(token_hashes);   // new york is big -> new_york is big
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::feature {

/// Returns the hash of the token that `first` and `second` make together.
[[nodiscard]] uint64_t phrase_hash(uint64_t first, uint64_t second);

/// How the phrases of a file were chosen.
struct PhraseHead {
  uint64_t num_counted = 0;  // tokens of the corpus
  uint32_t min_count = 0;    // times that a phrase is there at least
  uint32_t least_score = 0;  // normalised pointwise mutual information in thousandths: at most 1000
  std::string tokens;        // how texts were cut into tokens (IdfOptions::tokens)
};

/// A set of phrases. Immutable. Threads: share freely. Memory: 16 to 32 bytes per phrase.
class Phrases {
 public:
  /// `hashes` are phrase_hash() of the pairs, in any order; equal ones count once. head.tokens holds at most 64 KiB.
  Phrases(PhraseHead head, std::vector<uint64_t> hashes);

  [[nodiscard]] bool contains(uint64_t first, uint64_t second) const { return has(phrase_hash(first, second)); }
  /// Replaces each phrase by its one token, from the left to the right; a token is part of one phrase at most.
  /// Cost: a multiplication and a look-up for each token. No allocation.
  void join(std::vector<uint64_t>& tokens) const;
  /// Calls visit(i, n) for each token that join() would leave, in order: it is made of the n tokens from i on (1 or 2).
  template <class Visit>
  void visit_joined(std::span<const uint64_t> tokens, const Visit& visit) const;

  [[nodiscard]] const PhraseHead& head() const { return head_; }
  [[nodiscard]] size_t size() const { return sorted_.size(); }
  /// Returns 16 hexadecimal digits that change when any phrase does: the start of the file's checksum.
  [[nodiscard]] std::string id() const;

  /// Returns the bytes of a checksummed file (docs/formats/phrases.md).
  [[nodiscard]] std::string to_bytes() const;
  /// Writes them, whole or not at all. Errors: kIo, kDiskFull.
  [[nodiscard]] Status save(const std::string& path) const;
  /// Memory: six times the file while it is loaded. Errors: kNotFound, kIo, kCorruption (magic, version, size,
  /// checksum, or contents that save() does not write); kMemory where that is more than a quarter of `memory_bytes`.
  [[nodiscard]] static Result<std::shared_ptr<const Phrases>> load(const std::string& path,
                                                                   uint64_t memory_bytes = ~uint64_t{0});
  /// The same for the bytes of such a file.
  [[nodiscard]] static Result<std::shared_ptr<const Phrases>> from_bytes(std::string_view bytes);

 private:
  [[nodiscard]] bool has(uint64_t hash) const {
    for (size_t slot = hash >> shift_;; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == hash) return true;
      if (slots_[slot] == 0) return false;
    }
  }

  PhraseHead head_;
  std::vector<uint64_t> sorted_;  // as the file has them
  std::vector<uint64_t> slots_;   // open addressing by the uppermost bits, half empty; 0 = empty
  int shift_ = 63;
};

template <class Visit>
void Phrases::visit_joined(std::span<const uint64_t> tokens, const Visit& visit) const {
  for (size_t i = 0; i < tokens.size();) {
    const size_t length = i + 1 < tokens.size() && contains(tokens[i], tokens[i + 1]) ? 2 : 1;
    visit(i, length);
    i += length;
  }
}

}  // namespace neardup::feature
