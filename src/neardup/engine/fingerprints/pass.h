// Fingerprints of all documents of a corpus, in order, made by all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/base/context.h"
#include "neardup/corpus/corpus.h"
#include "neardup/feature/idf.h"
#include "neardup/fingerprint/file.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

struct RejectedRecord {
  std::string_view file;
  uint64_t line = 0;  // from 1; 0 for whole files
  std::string_view message;
};

struct FingerprintPass {
  std::vector<corpus::Input> inputs;
  corpus::ReadOptions read = {};
  recipe::Recipe recipe = {};
  std::shared_ptr<const feature::Idf> idf = nullptr;
  int num_threads = 0;
  Context context = {};
  // Called in the order of the inputs, never two at once; views live during the call. Any may be empty.
  std::function<Status(const fingerprint::Record&)> on_document = {};  // its id is its own, or "name:line"
  std::function<void(const RejectedRecord&)> on_rejected = {};
  std::function<void(const RejectedRecord&)> on_note = {};  // of what in an input is no document: corpus::Batch::notes
  std::function<Status()> on_batch = {};                    // after the documents of a batch
};

/// Returns what a file of fingerprints made under `recipe` says about itself.
[[nodiscard]] fingerprint::FileHeader file_header(const recipe::Recipe& recipe);

struct PassTotals {
  uint64_t documents = 0, rejected = 0, text_bytes = 0;  // bytes of the texts as they came
  uint64_t input_bytes = 0;                              // on disk
};

/// Reads and fingerprints everything. Memory: a few batches per thread, and what read.record_memory allows. Errors:
/// those of reading, of on_batch; kCancelled.
[[nodiscard]] Result<PassTotals> run_fingerprint_pass(const FingerprintPass& pass);

}  // namespace neardup::engine
