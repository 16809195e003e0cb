// Counting hashes over all documents of a corpus, in bounded memory: what IDF dictionaries and phrases are learnt from.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/corpus/corpus.h"
#include "neardup/feature/idf.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// Where documents come from and how much the work may take.
struct CountInput {
  std::vector<corpus::Input> inputs;
  corpus::ReadOptions read;   // within_memory()
  recipe::Recipe recipe;      // its tokens are counted
  uint64_t memory_bytes = 0;  // of the counts; what is more goes to files beside the output
  int num_threads = 0;
  int shard_index = 0;  // only this part of the input
  int shard_count = 1;
  Context context;
  /// Called for each rejected record, never two at once: file, line (from 1; 0 where it is not known), message.
  std::function<void(std::string_view, uint64_t, std::string_view)> on_rejected;
};

/// Adds what is to be counted of one document. Threads: many at once, each with its own fingerprinter and builder.
using CountDocument = std::function<void(recipe::Fingerprinter&, std::string_view text, feature::IdfBuilder&)>;

struct CountTotals {
  uint64_t documents = 0, rejected = 0;
  uint64_t num_spills = 0;  // times that counts went to files
};

/// Counts all documents and writes the dictionary to `output`, without the entries below options.min_documents. The
/// file is the same for any number of threads and any memory. Memory: input.memory_bytes and what reading takes; on
/// disk, for a while, a new folder `output`.tmpXXXXXX with 12 bytes per distinct hash and spill. `stage` names the
/// progress. Errors: those of reading and writing; kCancelled.
[[nodiscard]] Result<CountTotals> count_documents(const CountInput& input, std::string_view stage,
                                                  const CountDocument& count, const feature::IdfOptions& options,
                                                  const std::string& output);

/// Trains an IDF dictionary: documents of each token. Shards of one corpus merge to the dictionary of the whole.
[[nodiscard]] Result<CountTotals> train_idf(const CountInput& input, uint32_t min_documents, const std::string& output);

}  // namespace neardup::engine
