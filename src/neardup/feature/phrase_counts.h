// Inner part of learning phrases: from counts of words and of pairs to the pairs that belong together.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/result.h"
#include "neardup/feature/idf_entries.h"
#include "neardup/feature/phrases.h"

namespace neardup::feature {

/// What makes a pair a phrase.
struct PhraseOptions {
  uint32_t min_count = 10;     // times that it, and each of its words, is there at least; >= 1
  uint32_t least_score = 500;  // its normalised pointwise mutual information in thousandths, 0..1000: 1000 = neither
                               // word is ever without the other
};

/// The words that are frequent enough to be in a phrase, numbered in the order of their hashes. Immutable. Threads:
/// share freely. Memory: 32 bytes per word.
class FrequentWords {
 public:
  /// Reads the counts of words: a dictionary file made by IdfBuilder::add_each(). Errors: as Idf::load().
  [[nodiscard]] static Result<FrequentWords> open(const std::string& path);

  /// Appends a key for each two neighbours in `tokens` that are both frequent. Different pairs have different keys.
  void pair_keys(std::span<const uint64_t> tokens, std::vector<uint64_t>& keys) const;

  /// Returns the phrases among the counted pairs: a dictionary file of pair_keys() made by IdfBuilder::add_each().
  /// Cost: one pass over the file, which is mapped. Errors: as Idf::load().
  [[nodiscard]] Result<std::shared_ptr<const Phrases>> choose(const std::string& pairs_path,
                                                              const PhraseOptions& options) const;

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFF;
  explicit FrequentWords(MappedFile file, IdfView view);
  [[nodiscard]] uint32_t number_of(uint64_t hash) const;
  [[nodiscard]] double score(const IdfEntry& first, const IdfEntry& second, uint32_t count) const;

  MappedFile file_;
  IdfView words_;
  std::vector<uint32_t> slots_;  // numbers, open addressing by the hash's uppermost bits; kNone = empty
  int shift_ = 63;
};

}  // namespace neardup::feature
