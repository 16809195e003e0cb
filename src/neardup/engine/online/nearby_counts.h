// NearbyCounts: how common n-grams are in the texts around one that comes, learnt from what a store already has.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "neardup/engine/match/decision.h"
#include "neardup/verify/commonness.h"
#include "neardup/verify/verdict.h"
#include "neardup/verify/verifier.h"

namespace neardup::engine {

/// What a run learns from its whole corpus is learnt here, of one text that comes, from those that share a band with
/// it: the texts that are kept, and the first that were near them. Each counts once, and of a family (families.h) the
/// first kFamilyMembers count once together, whether its first is kept or not; but each that is kept begins a family.
/// Texts of a form that is filled in share bands, so what they have in common is found. Counts depend on the texts that
/// are taken and their order alone. docs/design/online.md. Memory: 40 bytes for each token that is taken, kMostTokens
/// at most. Threads: one at a time.
class NearbyCounts {
 public:
  /// So many are taken at most, in the order of their numbers; what is beyond is left out.
  static constexpr size_t kMostKept = 32, kMostNear = 64, kMostNearOne = 32;
  static constexpr size_t kMostTokens = size_t{1} << 20;

  /// Returns whether there is anything to learn for a text of so many tokens.
  [[nodiscard]] static bool has_room_for(size_t num_tokens) { return num_tokens <= kMostTokens; }

  /// `arriving`: the text that comes, which counts. Requires: has_room_for() its tokens. Both must outlive it.
  NearbyCounts(const Decision& decision, std::span<const uint32_t> arriving);
  NearbyCounts(const NearbyCounts&) = delete;
  NearbyCounts& operator=(const NearbyCounts&) = delete;

  /// Whether take_kept() takes another one. Numbers ascend.
  [[nodiscard]] bool wants_kept() const { return !is_full_ && kept_.size() < kMostKept; }
  void take_kept(uint64_t number, std::span<const uint32_t> tokens);
  /// Whether take_near() takes another one that was near the kept one of that number, which was taken: then a text that
  /// comes and is near it is worth being remembered.
  [[nodiscard]] bool wants_near(uint64_t kept) const;
  void take_near(uint64_t kept, std::span<const uint32_t> tokens);

  /// Returns the verdict of Decision::compare() on the text that comes and one that is kept, by these counts; where it
  /// is not similar, `similarity` may be a bound. To be called when all are taken.
  [[nodiscard]] verify::Verdict compare(std::span<const uint32_t> stored);

 private:
  using Ngrams = std::vector<uint32_t>;  // hashes, ascending, each once
  struct Kept {
    uint64_t number;
    uint32_t num_near = 0;  // that were taken
  };
  struct Family {
    Ngrams head;
    uint32_t members = 1;
  };
  [[nodiscard]] bool has_room(size_t num_tokens);
  [[nodiscard]] const Kept* find(uint64_t kept) const;
  void join_family(Ngrams ngrams);
  void count();

  const Decision& decision_;
  const std::span<const uint32_t> arriving_;
  std::vector<Kept> kept_;
  std::vector<Family> families_;  // in the order of their heads: each that is kept, and whoever of the others is none's
  std::vector<Ngrams> further_;   // that count besides
  size_t num_tokens_ = 0, num_near_ = 0;
  bool is_full_ = false;                        // of tokens
  std::unique_ptr<verify::Commonness> counts_;  // once they are counted
  std::unique_ptr<verify::Verifier> verifier_;  // by these; 0 is the text that comes
  std::span<const uint32_t> stored_;            // that is compared
  uint32_t num_compared_ = 0;
};

}  // namespace neardup::engine
