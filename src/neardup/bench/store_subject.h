// What a store is measured with: fingerprints that come ready, or texts under a recipe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/recipe/spec.h"
#include "neardup/store/embedded_store.h"

namespace neardup::bench {

/// Documents that are ready to be sent. Threads: one at a time.
class DocumentBatch {
 public:
  virtual ~DocumentBatch() = default;
  [[nodiscard]] virtual Status put() = 0;
  [[nodiscard]] virtual Status check() = 0;
  [[nodiscard]] virtual Status check_and_insert() = 0;
  [[nodiscard]] virtual std::vector<std::string_view> ids() const = 0;
};

/// A store, and documents for it, the same for the same seed. Threads: make() from any number.
class StoreSubject {
 public:
  virtual ~StoreSubject() = default;
  [[nodiscard]] virtual Status create(const std::string& folder, const store::StoreOptions& options) = 0;
  [[nodiscard]] virtual Status open(const std::string& folder) = 0;
  virtual void close() = 0;
  /// Requires: create() or open() before, as for make().
  [[nodiscard]] virtual store::EmbeddedStore& store() = 0;
  /// Returns documents first, first + 1, ...; it must not outlive the store.
  [[nodiscard]] virtual std::unique_ptr<DocumentBatch> make(uint64_t seed, uint64_t first, uint64_t count) = 0;
};

/// Fingerprints of 64 or 128 bits; who is within `max_distance` is a near-duplicate.
[[nodiscard]] std::unique_ptr<StoreSubject> fingerprint_subject(int max_distance, uint32_t num_bits);
/// Texts of `text_bytes`, every twentieth an edited copy of an earlier one; verified.
[[nodiscard]] std::unique_ptr<StoreSubject> text_subject(const recipe::Recipe& recipe, uint64_t text_bytes);

}  // namespace neardup::bench
