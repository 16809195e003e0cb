// Erasing documents of a server: one change for each, or for all with one id, which stands on the list of that id.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/remote/backend.h"
#include "neardup/remote/stored_records.h"

namespace neardup::remote {

/// Erases all documents of each id, those in open tags too, and returns how many; appends to `missing` which of `ids`
/// there is none of, ascending. Errors: those of the backend: then some may be erased.
[[nodiscard]] Result<uint64_t> erase_ids(Backend& backend, std::span<const std::string_view> ids,
                                         std::vector<size_t>* missing);

/// Whether a document is to be erased, as it is now.
using ShouldErase = std::function<Result<bool>(const StoredRecords& records, const StoredEntry& entry)>;
/// Whether documents of crawls that were cancelled are there.
enum class Cancelled : uint8_t { kHidden, kShown };
/// Erases those of `numbers` that are meant, and returns how many. Errors: those of the backend, of `should_erase`:
/// then the first ones may be erased.
[[nodiscard]] Result<uint64_t> erase_numbers(Backend& backend, std::span<const uint64_t> numbers,
                                             const ShouldErase& should_erase, Cancelled cancelled = Cancelled::kHidden);

}  // namespace neardup::remote
