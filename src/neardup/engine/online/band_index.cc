#include "neardup/engine/online/band_index.h"

#include <utility>

#include "neardup/base/undo.h"
#include "neardup/join/band_words.h"

namespace neardup::engine {

BandIndex::BandIndex(PairRoute route, std::vector<join::Band> bands, MostSharing most_sharing)
    : route_(route),
      bands_(std::move(bands)),
      most_sharing_(std::move(most_sharing)),
      maps_(bands_.size()),
      hashes_(bands_.size()) {}

uint32_t BandIndex::most_sharing(const PairSide& side) const {
  const uint32_t most = most_sharing_ ? most_sharing_(side) : 0;
  return most == 0 ? BandMap::kAll : most;
}

void BandIndex::hash_bands(const PairSide& side) {
  const std::span<const uint16_t> signature = route_ == PairRoute::kCharacters ? side.short_signature : side.signature;
  for (size_t band = 0; band < bands_.size(); ++band) {
    hashes_[band] = join::band_hash(signature.data(), bands_[band]);
    maps_[band].prefetch(hashes_[band]);
  }
}

Status BandIndex::find(const PairSide& side, std::vector<uint32_t>& found) {
  hash_bands(side);
  const uint32_t most = most_sharing(side);
  for (size_t band = 0; band < bands_.size(); ++band) maps_[band].find(hashes_[band], found, most);
  return {};
}

Status BandIndex::add(uint32_t number, const PairSide& side) {
  hash_bands(side);
  size_t num_added = 0;
  Undo undo([&] {
    while (num_added-- > 0) maps_[num_added].take_back(hashes_[num_added], number);
  });
  const uint32_t most = most_sharing(side);
  for (; num_added < bands_.size(); ++num_added) maps_[num_added].add(hashes_[num_added], number, most);
  undo.keep();
  return {};
}

void BandIndex::take_back(uint32_t number, const PairSide& side) noexcept {
  hash_bands(side);
  for (size_t band = 0; band < bands_.size(); ++band) maps_[band].take_back(hashes_[band], number);
}

uint64_t BandIndex::size_bytes() const {
  uint64_t sum = 0;
  for (const BandMap& map : maps_) sum += map.size_bytes();
  return sum;
}

}  // namespace neardup::engine
