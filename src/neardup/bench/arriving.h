// Made-up documents as a store of texts takes them: texts, or values that come ready.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/bench/store_documents.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::bench {

/// What the documents are: fingerprints or a signature where one of the counts is not 0, else texts.
struct ArrivingContent {
  uint64_t text_bytes = 2000;
  size_t num_fingerprints = 0;
  size_t num_signature_values = 0;
  uint64_t id_base = 0;  // what is added to their numbers in ids
};

/// Documents first, first + 1, ..., the same for the same seed on every machine; about every twentieth is a
/// near-duplicate of an earlier one. Owns what its ArrivingTexts view.
class ArrivingDocuments {
 public:
  ArrivingDocuments(const ArrivingContent& content, uint64_t seed, uint64_t first, uint64_t count);
  ArrivingDocuments(const ArrivingDocuments&) = delete;
  ArrivingDocuments& operator=(const ArrivingDocuments&) = delete;

  [[nodiscard]] std::span<const engine::ArrivingText> all() const { return arriving_; }
  [[nodiscard]] std::vector<std::string_view> ids() const { return named_.ids(); }

 private:
  void add_fingerprints(size_t each);

  StoreDocuments named_;
  std::vector<std::string> texts_;
  std::vector<fingerprint::Fingerprint> fingerprints_;   // those of each document in turn
  std::vector<fingerprint::SignatureValue> signatures_;  // likewise
  std::vector<engine::ArrivingText> arriving_;
};

}  // namespace neardup::bench
