// The documents of files into a store of texts, or asked of one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/corpus/corpus.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::engine {

/// What became of the documents of some files. All that was read is in one of them.
struct StoredCounts {
  uint64_t fresh = 0, exact = 0, near = 0, contained = 0;
  uint64_t repeated = 0;  // came before, under the same id with the same text
  uint64_t rejected = 0;  // records that could not be read
  [[nodiscard]] uint64_t read() const { return fresh + exact + near + contained + repeated + rejected; }
};

/// What is told on the way, in the order of the files; members may be empty.
struct StoringCalls {
  std::function<Status(std::string_view id, const TextVerdict& verdict)> verdict = {};
  std::function<void(const std::string& message)> rejected = {};  // "file:line: why"
  std::function<void(const std::string& message)> noted = {};     // "file: what", of what is no document and no fault
};

/// Which of them, and as what.
struct StoringOptions {
  corpus::ReadOptions read = {};  // within_key: their categories; within_memory() is done here
  std::string tag = {};
  int num_threads = 0;                                  // that fingerprint; 0: all cores
  uint64_t memory_bytes = DedupOptions{}.memory_bytes;  // how long records may be depends on it, as in dedup
  std::function<int64_t()> clock = {};  // seconds since 1970; empty: the time of day. One call at a time
};

/// Gives the documents of `inputs` to store.check_and_insert(), in order: those that dedup() reads of the same inputs
/// with as much memory. A document without an id is place_id() of "name:line"; its time is when its batch was read.
/// Where it ends early, those that were told of are stored. Errors: of reading, of the store; kCancelled.
[[nodiscard]] Result<StoredCounts> store_documents(TextStore& store, const std::vector<corpus::Input>& inputs,
                                                   const StoringOptions& options, const Context& context,
                                                   const StoringCalls& calls);

/// What near documents were found of each.
using FoundCall = std::function<Status(std::string_view id, const store::StoredNeighbours& found)>;

/// Asks store.query() for the documents of `inputs`, at most `limit` for each; calls `found` in order.
[[nodiscard]] Status query_documents(const TextStore& store, const std::vector<corpus::Input>& inputs,
                                     const StoringOptions& options, size_t limit, const Context& context,
                                     const FoundCall& found, const StoringCalls& calls);

}  // namespace neardup::engine
