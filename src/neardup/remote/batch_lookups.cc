#include "neardup/remote/batch_lookups.h"

#include <algorithm>

namespace neardup::remote {

BatchLookups::BatchLookups(const store::DocumentKeys& keys, Wanted wanted) {
  size_t most = 0;
  for (size_t i = 0; i < keys.size(); ++i) most += keys.all(i).size();
  slots_.resize(std::bit_ceil(2 * most + 2));
  keys_.reserve(most);
  kinds_.reserve(most);
  last_uses_.reserve(most);
  uses_.reserve(most);
  begins_.reserve(keys.size() + 1);
  for (uint32_t i = 0; i < keys.size(); ++i) {
    add(keys.id(i), i, Kind::kId);
    const std::span<const uint64_t> passages =
        wanted == Wanted::kToRestore ? std::span<const uint64_t>() : keys.passages(i);
    if (wanted != Wanted::kToPut || !passages.empty()) add(keys.text(i), i, Kind::kText);
    const bool to_put_bounded = wanted == Wanted::kToPut && keys.most_sharing(i) != 0;
    const std::span<const uint64_t> bands =
        wanted == Wanted::kAll || to_put_bounded ? keys.bands(i) : std::span<const uint64_t>();
    for (uint32_t band = 0; band < bands.size(); ++band) add(bands[band], i, Kind::kBand, band);
    for (uint32_t passage = 0; passage < passages.size(); ++passage) add(passages[passage], i, Kind::kPassage, passage);
    begins_.push_back(static_cast<uint32_t>(uses_.size()));
  }
}

// Keys are hashes, and spread evenly.
size_t BatchLookups::slot_of(uint64_t key) const {
  size_t slot = key & (slots_.size() - 1);
  while (slots_[slot] != 0 && keys_[slots_[slot] - 1] != key) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::optional<size_t> BatchLookups::place_of(uint64_t key) const {
  const uint32_t found = slots_[slot_of(key)];
  return found == 0 ? std::nullopt : std::optional<size_t>(found - 1);
}

void BatchLookups::add(uint64_t key, uint32_t document, Kind kind, uint32_t which) {
  uint32_t& slot = slots_[slot_of(key)];
  if (slot == 0) {
    keys_.push_back(key);
    kinds_.push_back(kind);
    last_uses_.push_back(kNone);
    slot = static_cast<uint32_t>(keys_.size());
  }
  uint32_t& last = last_uses_[slot - 1];
  uses_.push_back({slot - 1, last, document, which, kind});
  last = static_cast<uint32_t>(uses_.size() - 1);
}

BatchFingerprints::BatchFingerprints(const store::StoreSettings& settings, size_t num_documents)
    : words_each_(settings.num_bits / 64),
      num_places_(settings.num_fingerprints),
      stride_(store::num_words(settings)),
      max_distance_(settings.max_distance),
      head_bits_(static_cast<int>(std::bit_width(2 * num_documents + 1))),
      num_blocks_(static_cast<size_t>(settings.max_distance) + 1) {
  if (num_blocks_ > kMostBlocks || num_blocks_ * kBlockBits > settings.num_bits) num_blocks_ = 0;
  documents_.reserve(num_documents);
  words_.reserve(num_documents * stride_);
  heads_.resize(num_places_ * num_blocks_ << head_bits_);
  nexts_.reserve(num_documents * num_places_ * num_blocks_);
}

size_t BatchFingerprints::head_of(std::span<const uint64_t> words, size_t place, size_t block) const {
  const size_t bit = block * kBlockBits;
  const uint64_t value = words[place * words_each_ + bit / 64] >> bit % 64 & 0xffff;
  return (place * num_blocks_ + block) << head_bits_ | ((value * 0x9e3779b1U & 0xffffffff) >> (32 - head_bits_));
}

void BatchFingerprints::add(uint32_t document, std::span<const uint64_t> words) {
  documents_.push_back(document);
  words_.insert(words_.end(), words.begin(), words.end());
  for (size_t place = 0; place < num_places_; ++place) {
    for (size_t block = 0; block < num_blocks_; ++block) {
      uint32_t& head = heads_[head_of(words, place, block)];
      nexts_.push_back(head);
      head = static_cast<uint32_t>(nexts_.size());
    }
  }
}

}  // namespace neardup::remote
