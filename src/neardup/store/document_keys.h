// DocumentKeys: the hashes by which documents of a store are found: id, text, tag, bands and passages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/store/record.h"

namespace neardup::store {

/// Returns the key of an id, or of a tag.
[[nodiscard]] uint64_t id_key(std::string_view id);
[[nodiscard]] uint64_t tag_key(std::string_view tag);
/// Returns that of documents that repeat `kept`.
[[nodiscard]] uint64_t kept_key(uint64_t kept);
/// So many documents of one text that are near another one, or contained in it, are found by the text.
inline constexpr size_t kMostFoundByText = 16;
/// Whether a document whose fate is decided is found by its text.
enum class ByText { kYes, kNo };
/// Returns all its other keys, and that of its text where it is.
[[nodiscard]] std::vector<uint64_t> keys_of_stored(const Record& document, ByText by_text);

/// The keys of a batch, each made once. Keys of different kinds share one index, so they differ by a salt; those of
/// texts, bands and passages also by category, so that nothing of another one is found.
class DocumentKeys {
 public:
  static constexpr size_t kTextPlace = 1;  // in all()
  explicit DocumentKeys(std::span<const Record> documents);

  [[nodiscard]] size_t size() const { return begins_.size() - 1; }
  /// All of documents[i]: id, text, tag where there is one, bands, passages.
  [[nodiscard]] std::span<const uint64_t> all(size_t i) const { return of(begins_[i], begins_[i + 1]); }
  [[nodiscard]] std::span<const uint64_t> bands(size_t i) const { return of(bands_[i], passages_[i]); }
  /// Record::most_sharing
  [[nodiscard]] uint32_t most_sharing(size_t i) const { return most_sharing_[i]; }
  [[nodiscard]] std::span<const uint64_t> passages(size_t i) const { return of(passages_[i], begins_[i + 1]); }
  [[nodiscard]] std::span<const uint64_t> bands_and_passages(size_t i) const { return of(bands_[i], begins_[i + 1]); }
  [[nodiscard]] uint64_t id(size_t i) const { return keys_[begins_[i]]; }
  [[nodiscard]] uint64_t text(size_t i) const { return keys_[begins_[i] + kTextPlace]; }

 private:
  void add_salted(std::span<const uint64_t> hashes, uint64_t salt);
  [[nodiscard]] std::span<const uint64_t> of(size_t begin, size_t end) const {
    return std::span(keys_).subspan(begin, end - begin);
  }

  std::vector<uint64_t> keys_;
  std::vector<size_t> begins_{0};  // of each document, and the end
  std::vector<size_t> bands_;      // where those of each begin
  std::vector<size_t> passages_;   // likewise
  std::vector<uint32_t> most_sharing_;
};

}  // namespace neardup::store
