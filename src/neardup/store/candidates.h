// Who may be what documents that come to a store repeat: found for a whole batch at once, so that waits for memory
// overlap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/store/document_keys.h"
#include "neardup/store/document_store.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// Numbers of live documents, ascending, and perhaps those of a few others.
struct Candidates {
  std::vector<uint64_t> same_id;  // in whatever open tag; all below: that the document sees
  std::vector<uint64_t> equal;    // checksum and category
  std::vector<uint64_t> near;     // share a band, or are within reach
  std::vector<Holding> holdings;  // ascending; of a passage perhaps not all where more than kMostRecorded have it
  std::vector<uint32_t> crowded;  // places in Record::keys, ascending: Record::most_sharing have that key already
};

/// Which of them are looked for. kToPut: same_id; where it has passages equal and holdings; where most_sharing bounds
/// it near and crowded.
enum class Wanted { kToPut, kAll };

/// Leaves those of `numbers` out, which ascend.
void leave_out(std::span<const uint64_t> numbers, std::vector<Holding>& holdings);
/// Returns the keys of `document` by which it is to be found: all but those.
[[nodiscard]] std::vector<uint64_t> keys_to_record(const Record& document, std::span<const uint32_t> crowded);
/// Returns the passages of `document` that are to be recorded of it where `holdings` are all there are.
[[nodiscard]] std::vector<uint64_t> passages_to_record(const Record& document, std::span<const Holding> holdings);

/// Returns those of each document, in order. `keys` are theirs. Threads: any.
[[nodiscard]] std::vector<Candidates> find_candidates(const StoreState& state, std::span<const Record> documents,
                                                      const DocumentKeys& keys, Wanted wanted);

}  // namespace neardup::store
