// The sections of a table of keys, from outside, and those of a sound one with some bytes changed. As in a file of
// segments, 64 bytes behind each can be read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/bands/key_table.h"
#include "tests/fuzz/table_sections.h"

inline void ask_key_table(std::span<const neardup::hamming::TableSection> sections, uint64_t num_numbers, bool verify) {
  using namespace neardup;
  const auto table = bands::KeyTable::open(sections, num_numbers, verify);
  if (!table) {
    if (table.error().message.empty()) std::abort();
    return;
  }
  std::vector<uint64_t> keys{0, ~uint64_t{0}};
  uint64_t count = 0;
  table->for_each([&](bands::KeyEntry entry) {
    ++count;
    if (keys.size() < 100) keys.push_back(entry.known << (64 - bands::kKeyBits));
    if (verify && entry.number >= num_numbers) std::abort();
  });
  if (count != table->size()) std::abort();
  std::vector<uint32_t> found;
  for (const uint64_t key : keys) {
    if (table->size() != 0) table->prefetch(key);
    table->find(key, found);
  }
}

inline int fuzz_key_table(const uint8_t* data, size_t size) {
  using namespace neardup;
  table_sections::Input input(data, size);
  const uint64_t num_numbers = input.take<uint8_t>();
  std::vector<std::pair<uint8_t, uint32_t>> changes(input.take<uint8_t>() % 8);
  for (auto& [section, change] : changes) {
    section = input.take<uint8_t>() % 4;
    change = input.take<uint32_t>();
  }
  table_sections::Input other = input;
  table_sections::Copies given(64);
  for (const std::string_view name : std::to_array<std::string_view>({"tags", "entries", "blocks", "uneven"}))
    given.add(name, std::as_bytes(other.take_bytes(other.take<uint16_t>())));
  std::vector<bands::KeyEntry> entries;
  while (input.left() > 0) entries.push_back({bands::known_bits(input.take<uint64_t>()), input.take<uint8_t>()});
  std::sort(entries.begin(), entries.end());
  std::vector<hamming::TableSection> sections;
  const bands::KeyTable built(entries);
  built.append_sections(sections);
  table_sections::Copies changed(64);
  for (const auto& section : sections) changed.add(section.name, section.bytes);
  for (const auto& [section, change] : changes) changed.change(section, change >> 8, static_cast<uint8_t>(change));
  for (const bool verify : {true, false}) {
    ask_key_table(given.sections(), num_numbers, verify);
    ask_key_table(changed.sections(), num_numbers, verify);
  }
  return 0;
}
