// A store made again out of its logs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/embedded_store.h"

namespace neardup::store {

struct StoreRepair {
  std::vector<std::string> lost;  // what could not be read: file, byte, sequence numbers of records, documents
  uint64_t lost_documents = 0;  // at most; of damage behind which nothing is, and that nobody knows the extent of, none
  uint64_t documents = 0;       // that are there now
};

/// Makes MANIFEST, keys, fingerprints, lists of places, times and tags again from the logs alone, which hold all that
/// was ever changed. Of a log that is damaged what can be read counts; its old file stays as "damaged-N". Documents
/// whose erasure was lost are there again. Where it ends half-way it is to be called again; until then the store does
/// not open. Nobody may have it open. Memory: as a restart. Errors: kNotFound where there is neither MANIFEST nor
/// SETTINGS nor a log; kCorruption where both of the former are damaged: what the store was is not known; kIo,
/// kDiskFull, kMemory, kCancelled.
[[nodiscard]] Result<StoreRepair> repair_store(const std::string& folder, const StoreOptions& options = {});

}  // namespace neardup::store
