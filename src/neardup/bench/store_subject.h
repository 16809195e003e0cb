// What a store is measured with: fingerprints that come ready, or texts under a recipe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/bench/arriving.h"
#include "neardup/store/document_store.h"
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
  /// In a folder, or on a server by its URI (engine/online/store_place.h).
  [[nodiscard]] virtual Status create(const std::string& place, const store::StoreOptions& options) = 0;
  [[nodiscard]] virtual Status open(const std::string& place) = 0;
  virtual void close() = 0;
  /// Requires: create() or open() before, as for make().
  [[nodiscard]] virtual store::Store& store() = 0;
  /// Returns documents first, first + 1, ...; it must not outlive the store.
  [[nodiscard]] virtual std::unique_ptr<DocumentBatch> make(uint64_t seed, uint64_t first, uint64_t count) = 0;
};

/// Fingerprints of 64 or 128 bits; who is within `max_distance` is a near-duplicate.
[[nodiscard]] std::unique_ptr<StoreSubject> fingerprint_subject(int max_distance, uint32_t num_bits);
/// A store of texts with these settings, of documents of that content; it can be served.
[[nodiscard]] std::unique_ptr<StoreSubject> text_subject(const engine::TextStoreSettings& settings,
                                                         const ArrivingContent& content);

/// How a store is filled before anything is measured.
struct StoreFill {
  uint64_t seed = 1, count = 0;
  uint64_t batch = 1000;
  int num_threads = 1;
  Context context = {};
};
/// Called around each call that stores a batch, by the thread of that number.
using TimeCall = std::function<Status(int thread, const std::function<Status()>& call)>;
/// Puts documents 0 to count - 1 into `subject`. Errors: those of the store; kCancelled.
[[nodiscard]] Status fill_store(StoreSubject& subject, const StoreFill& fill, const TimeCall& time_call);

}  // namespace neardup::bench
