// Stored signatures by their bands, in memory.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "neardup/engine/online/band_map.h"
#include "neardup/engine/online/candidate_index.h"
#include "neardup/join/bands.h"

namespace neardup::engine {

using MostSharing = std::function<uint32_t(const PairSide& side)>;

/// Finds whoever has a band in common. Cost: one look into a table for each band, about 30 ns where it is in no cache.
/// Memory: BandMap's for each band: 64 bands of documents that share none take 0.7 to 1.4 KB each.
class BandIndex : public CandidateIndex {
 public:
  /// `route`: kMinHash for PairSide::signature, kCharacters for PairSide::short_signature. `most_sharing`: of those
  /// that have a band in common with a text the first so many are found, and one that comes when so many have it is not
  /// found by it. Null, or where it returns 0: all are.
  BandIndex(PairRoute route, std::vector<join::Band> bands, MostSharing most_sharing = nullptr);

  [[nodiscard]] Status find(const PairSide& side, std::vector<uint32_t>& found) override;
  [[nodiscard]] Status add(uint32_t number, const PairSide& side) override;
  void take_back(uint32_t number, const PairSide& side) noexcept override;
  [[nodiscard]] uint64_t size_bytes() const override;

 private:
  [[nodiscard]] uint32_t most_sharing(const PairSide& side) const;
  // Fills hashes_ and has the slots fetched: a document that is new is looked for and added at once.
  void hash_bands(const PairSide& side);

  PairRoute route_;
  std::vector<join::Band> bands_;
  MostSharing most_sharing_;
  std::vector<BandMap> maps_;  // of each band
  std::vector<uint64_t> hashes_;
};

}  // namespace neardup::engine
