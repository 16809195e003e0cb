// Sections by name, with lengths that fit. What they and the tables find wrong is said bare: who opened the file adds
// its name and the cure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/hamming/table.h"

namespace neardup::hamming {

/// Returns the bytes of the section of that name. Errors: kCorruption (there is none).
[[nodiscard]] Result<std::span<const std::byte>> find_section(std::span<const TableSection> sections,
                                                              std::string_view name);
/// The same for a section of known length. Errors: kCorruption (there is none, or of another length).
[[nodiscard]] Result<std::span<const std::byte>> find_section(std::span<const TableSection> sections,
                                                              std::string_view name, uint64_t num_bytes);

}  // namespace neardup::hamming
