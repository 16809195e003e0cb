// Made-up documents for a store: the same on every machine. They have no texts, as where fingerprints come ready.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/store/document_store.h"

namespace neardup::bench {

/// A row of documents first, first + 1, ...: ids of 30 bytes; every twentieth has a fingerprint (of 64 or 128 bits) up
/// to three bits from that of an earlier document. The ids tell `id_base` + number, by more bytes from 10^10 on. Owns
/// what its records view.
class StoreDocuments {
 public:
  StoreDocuments(uint64_t seed, uint64_t first, uint64_t count, uint32_t num_bits = 64, uint64_t id_base = 0);
  StoreDocuments(const StoreDocuments&) = delete;
  StoreDocuments& operator=(const StoreDocuments&) = delete;

  [[nodiscard]] const std::vector<store::Record>& records() const { return records_; }
  [[nodiscard]] std::vector<std::string_view> ids() const;

 private:
  std::string ids_;
  std::vector<uint64_t> words_;  // of the fingerprints
  std::vector<store::Record> records_;
};

/// Whoever is within reach is a near-duplicate.
class ByDistance : public store::Judge {
 public:
  explicit ByDistance(int max_distance, uint32_t num_bits = 64) : max_distance_(max_distance), words_(num_bits / 64) {}
  [[nodiscard]] Result<std::optional<store::Likeness>> compare(const store::Record& arriving,
                                                               const store::Record& stored) const override;

 private:
  int max_distance_;
  size_t words_;  // of a fingerprint
};

}  // namespace neardup::bench
