// What dictionary files take in memory, known before they are loaded.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/base/result.h"

namespace neardup::feature {

/// A dictionary may take this part of the memory: the rest is for documents.
inline constexpr uint64_t kDictionaryShare = 4;

/// Returns whether the file `path`, of which each byte takes `times` bytes while it is loaded and used, fits its share
/// of `memory_bytes` (which are the --memory of a command; ~0 = no limit). `cure` is what to do but for a larger
/// --memory. Errors: kMemory, with the --memory that is enough; those of file_info().
[[nodiscard]] Status check_dictionary_memory(const std::string& path, uint64_t times, uint64_t memory_bytes,
                                             const std::string& cure);

}  // namespace neardup::feature
