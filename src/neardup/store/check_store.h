// Whether a store is whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/embedded_store.h"

namespace neardup::store {

struct StoreCheck {
  std::vector<std::string> faults;  // each names a file or a document; "and N more of this kind" behind kMostOfAKind
  uint64_t documents = 0;           // that were read
};

inline constexpr size_t kMostOfAKind = 20;

/// Reads every byte of a store that nobody has open, and changes nothing: each file against its checksum; where all are
/// sound, each document: that its record is there, that it is found by its id, and where it is kept whole by its keys
/// and fingerprints, and that its time and tag are those of the list. Errors: kNotFound where there is no store; kIo
/// where it cannot be locked or read; kMemory, kCancelled.
[[nodiscard]] Result<StoreCheck> check_store(const std::string& folder, const StoreOptions& options = {});

}  // namespace neardup::store
