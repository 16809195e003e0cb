// What a batch of documents looks up: each key once, and who in the batch has the same one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "neardup/store/document_keys.h"
#include "neardup/store/fingerprint_index.h"
#include "neardup/store/settings.h"

namespace neardup::remote {

/// Cost: some nanoseconds a key; a few arrays in all. Threads: as a vector.
class BatchLookups {
 public:
  enum class Kind : uint8_t { kId, kText, kBand, kPassage };
  static constexpr uint32_t kNone = UINT32_MAX;
  /// A key of a document.
  struct Use {
    uint32_t place = 0;       // in keys()
    uint32_t before = kNone;  // the use of the same key before it, of the same document or an earlier one
    uint32_t document = 0;
    uint32_t which = 0;  // of kBand and kPassage: its place in Record::keys or passages
    Kind kind = Kind::kId;
  };

  /// Which are looked up: all but those of tags; those of ids, where there are passages of these and of texts, and
  /// where Record::most_sharing bounds them of bands; those of ids and texts.
  enum class Wanted : uint8_t { kAll, kToPut, kToRestore };
  BatchLookups(const store::DocumentKeys& keys, Wanted wanted);

  /// Each once.
  [[nodiscard]] std::span<const uint64_t> keys() const { return keys_; }
  /// Of the first use of each.
  [[nodiscard]] Kind kind_of(size_t place) const { return kinds_[place]; }
  [[nodiscard]] std::span<const Use> of(size_t document) const {
    return std::span(uses_).subspan(begins_[document], begins_[document + 1] - begins_[document]);
  }
  [[nodiscard]] const Use& use(uint32_t i) const { return uses_[i]; }
  /// Returns where a key stands in keys(). The last use of the one that stands there.
  [[nodiscard]] std::optional<size_t> place_of(uint64_t key) const;
  [[nodiscard]] uint32_t last_use(size_t place) const { return last_uses_[place]; }

 private:
  void add(uint64_t key, uint32_t document, Kind kind, uint32_t which = 0);
  [[nodiscard]] size_t slot_of(uint64_t key) const;

  std::vector<uint64_t> keys_;
  std::vector<Kind> kinds_;
  std::vector<uint32_t> last_uses_;
  std::vector<Use> uses_;
  std::vector<uint32_t> begins_{0};
  std::vector<uint32_t> slots_;  // a power of two of them: a place + 1, or 0
};

/// The fingerprints of the documents of a batch that are to be stored, to find those near one that comes later.
/// Threads: as a vector.
class BatchFingerprints {
 public:
  BatchFingerprints(const store::StoreSettings& settings, size_t num_documents);

  void add(uint32_t document, std::span<const uint64_t> words);
  /// Calls visit(document) for each within reach in one place, perhaps more than once.
  template <class Visit>
  void find(std::span<const uint64_t> words, const Visit& visit) const {
    if (documents_.empty()) return;
    for (size_t place = 0; place < num_places_; ++place) {
      if (num_blocks_ == 0) {
        for (uint32_t entry = 0; entry < documents_.size(); ++entry) look_at(entry, place, words, visit);
        continue;
      }
      for (size_t block = 0; block < num_blocks_; ++block)
        for (uint32_t at = heads_[head_of(words, place, block)]; at != 0; at = nexts_[at - 1])
          look_at((at - 1) / static_cast<uint32_t>(num_places_ * num_blocks_), place, words, visit);
    }
  }

 private:
  static constexpr size_t kBlockBits = 16;
  static constexpr size_t kMostBlocks = 8;

  template <class Visit>
  void look_at(uint32_t entry, size_t place, std::span<const uint64_t> words, const Visit& visit) const {
    const size_t begin = place * words_each_;
    int distance = 0;
    for (size_t i = begin; i < begin + words_each_; ++i)
      distance += std::popcount(words[i] ^ words_[entry * stride_ + i]);
    if (distance <= max_distance_) visit(documents_[entry]);
  }
  [[nodiscard]] size_t head_of(std::span<const uint64_t> words, size_t place, size_t block) const;

  size_t words_each_, num_places_, stride_;
  int max_distance_;
  int head_bits_;
  size_t num_blocks_;  // of which two that are within reach have one in common; 0: all are compared
  std::vector<uint32_t> documents_;
  std::vector<uint64_t> words_;
  std::vector<uint32_t> heads_;  // of chains, by place, block and what stands there; a link + 1, or 0
  std::vector<uint32_t> nexts_;  // of entry e: [(e * places + place) * blocks + block]
};

}  // namespace neardup::remote
