#include "neardup/hamming/section.h"

#include <fmt/format.h>

namespace neardup::hamming {

Result<std::span<const std::byte>> find_section(std::span<const TableSection> sections, std::string_view name) {
  for (const TableSection& section : sections) {
    if (section.name == name) return section.bytes;
  }
  return fail(Code::kCorruption, fmt::format("section '{}' is missing", name));
}

Result<std::span<const std::byte>> find_section(std::span<const TableSection> sections, std::string_view name,
                                                uint64_t num_bytes) {
  NEARDUP_ASSIGN(const auto bytes, find_section(sections, name));
  if (bytes.size() == num_bytes) return bytes;
  return fail(Code::kCorruption, fmt::format("section '{}' has {} bytes, expected {}", name, bytes.size(), num_bytes));
}

}  // namespace neardup::hamming
