// Fingerprints of all documents of a corpus, in order, made by all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "neardup/base/context.h"
#include "neardup/base/hash.h"
#include "neardup/corpus/corpus.h"
#include "neardup/feature/idf.h"
#include "neardup/fingerprint/fingerprint.h"
#include "neardup/simhash/recipe.h"

namespace neardup::cli {

/// One fingerprinted document. Views live during the visit.
struct PrintedDocument {
  std::string_view id;                                     // its own, or "name:line"
  std::span<const fingerprint::Fingerprint> fingerprints;  // one per fingerprint of the recipe; empty without features
  Hash128 checksum;
  uint64_t size_bytes = 0;  // of the normalised text
  uint64_t num_tokens = 0;
};

struct RejectedRecord {
  std::string_view file;
  uint64_t line = 0;  // from 1; 0 for whole files
  std::string_view message;
};

struct FingerprintPass {
  std::vector<corpus::Input> inputs;
  corpus::ReadOptions read;
  simhash::Recipe recipe;
  std::shared_ptr<const feature::Idf> idf;
  int num_threads = 0;
  Context context;
  /// Called in the order of the inputs, never two at once. `on_batch` comes after the documents of a batch.
  std::function<void(const PrintedDocument&)> on_document;
  std::function<void(const RejectedRecord&)> on_rejected;
  std::function<Status()> on_batch;
};

struct PassTotals {
  uint64_t documents = 0, rejected = 0, text_bytes = 0;  // bytes of the texts as they came
  uint64_t input_bytes = 0;                              // on disk
};

/// Reads and fingerprints everything. Memory: a few batches per thread. Errors: those of reading, of on_batch;
/// kCancelled.
[[nodiscard]] Result<PassTotals> run_fingerprint_pass(const FingerprintPass& pass);

}  // namespace neardup::cli
