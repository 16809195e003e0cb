// The groups are made as a packed table's are (hamming/packed_directory.h): 2^d of them by the d leading bits of a key,
// one or two entries each. Within a group entries ascend by tag, so a look at one or two bytes tells of 254 keys in 256
// that nobody has them.
#include "neardup/bands/key_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <tuple>

#include "neardup/hamming/section.h"

namespace neardup::bands {
namespace {

using hamming::PackedDirectory;

// One or two entries a group.
int group_bits(uint64_t num_entries) {
  return std::clamp(static_cast<int>(std::bit_width(num_entries)) - 1, 0, PackedDirectory::kMaxBits);
}

}  // namespace

KeyTable::KeyTable(uint64_t num_entries) : bits_(group_bits(num_entries)) {
  const int rest_bits = kKeyBits - bits_ - kTagBits;
  rest_bytes_ = static_cast<size_t>(rest_bits + 7) / 8;
  rest_mask_ = static_cast<uint32_t>((uint64_t{1} << rest_bits) - 1);
}

KeyTable::KeyTable(std::span<const KeyEntry> entries) : KeyTable(entries.size()) {
  tags_ = hamming::StoredArray<uint8_t>(entries.size());
  entries_ = hamming::StoredArray<std::byte>(entries.size() * stride());
  set_directory(entries);
  for (uint64_t rank = 0; rank < entries.size(); ++rank) set_entry(rank, entries[rank]);
}

void KeyTable::set_directory(std::span<const KeyEntry> entries) {
  directory_ = PackedDirectory(bits_);
  std::vector<uint64_t> begins(PackedDirectory::kBlock + 1);
  uint64_t rank = 0;
  for (size_t block = 0; block < directory_.num_blocks(); ++block) {
    for (uint32_t place = 0; place < PackedDirectory::kBlock; ++place) {
      begins[place] = rank;
      const uint64_t group = block * PackedDirectory::kBlock + place;
      while (rank < entries.size() && group_of(entries[rank].known) == group) ++rank;
    }
    begins.back() = rank;
    directory_.set_block(block, begins);
  }
  directory_.finish();
}

void KeyTable::set_entry(uint64_t rank, KeyEntry entry) {
  tags_.data()[rank] = tag_of(entry.known);
  const uint32_t rest = rest_of(entry.known);
  std::byte* const at = entries_.data() + rank * stride();
  std::memcpy(at, &entry.number, kNumberBytes);
  std::memcpy(at + kNumberBytes, &rest, rest_bytes_);
}

uint32_t KeyTable::number_at(uint64_t rank) const {
  uint32_t number;
  std::memcpy(&number, entries_.data() + rank * stride(), kNumberBytes);
  return number;
}

uint32_t KeyTable::rest_at(uint64_t rank) const {
  uint32_t rest = 0;
  std::memcpy(&rest, entries_.data() + rank * stride() + kNumberBytes, rest_bytes_);
  return rest;
}

void KeyTable::find(uint64_t key, std::vector<uint32_t>& found) const {
  if (size() == 0) return;
  const uint64_t known = known_bits(key);
  const PackedDirectory::Range range = directory_.range(group_of(known));
  const uint8_t tag = tag_of(known);
  const uint32_t rest = rest_of(known);
  for (uint64_t rank = range.begin; rank < range.end; ++rank)
    if (tags_[rank] == tag && rest_at(rank) == rest) found.push_back(number_at(rank));
}

// Entries of a group ascend by tag, rest and number.
void KeyTable::find_from(uint64_t key, uint32_t first, size_t limit, std::vector<uint32_t>& found) const {
  if (size() == 0) return;
  const uint64_t known = known_bits(key);
  const PackedDirectory::Range range = directory_.range(group_of(known));
  const auto wanted = std::tuple(tag_of(known), rest_of(known), first);
  const auto is_before = [&](uint64_t rank) {
    return std::tuple(tags_[rank], rest_at(rank), number_at(rank)) < wanted;
  };
  uint64_t rank = range.begin;
  for (uint64_t end = range.end; rank < end;) {
    const uint64_t middle = std::midpoint(rank, end);
    if (is_before(middle))
      rank = middle + 1;
    else
      end = middle;
  }
  for (; rank < range.end && limit > 0; ++rank, --limit) {
    if (tags_[rank] != tag_of(known) || rest_at(rank) != rest_of(known)) break;
    found.push_back(number_at(rank));
  }
}

void KeyTable::for_each(const std::function<void(KeyEntry)>& visit) const {
  if (size() == 0) return;
  for (uint64_t group = 0; group < uint64_t{1} << bits_; ++group) {
    const PackedDirectory::Range range = directory_.range(static_cast<uint32_t>(group));
    for (uint64_t rank = range.begin; rank < range.end; ++rank) {
      const uint64_t lower = uint64_t{tags_[rank]} << (kKeyBits - bits_ - kTagBits) | rest_at(rank);
      visit({group << (kKeyBits - bits_) | lower, number_at(rank)});
    }
  }
}

uint64_t KeyTable::filter_bytes() const {
  std::vector<hamming::TableSection> sections;
  directory_.append_sections(sections);
  uint64_t bytes = tags_.size();
  for (const auto& section : sections) bytes += section.bytes.size();
  return bytes;
}

void KeyTable::append_sections(std::vector<hamming::TableSection>& sections) const {
  sections.push_back({"tags", tags_.bytes()});
  sections.push_back({"entries", entries_.bytes()});
  if (size() != 0) directory_.append_sections(sections);
}

Result<KeyTable> KeyTable::open(std::span<const hamming::TableSection> sections, uint64_t num_numbers, bool verify) {
  NEARDUP_ASSIGN(const auto tags, hamming::find_section(sections, "tags"));
  KeyTable table(tags.size());
  NEARDUP_ASSIGN(const auto entries, hamming::find_section(sections, "entries", tags.size() * table.stride()));
  table.tags_ = hamming::StoredArray<uint8_t>::of_bytes(tags);
  table.entries_ = hamming::StoredArray<std::byte>::of_bytes(entries);
  if (tags.empty()) return table;
  NEARDUP_ASSIGN(table.directory_, PackedDirectory::open(sections, table.bits_, tags.size()));
  if (verify && !table.is_sound(num_numbers))
    return fail(Code::kCorruption, "the entries of a table of keys are out of order");
  return table;
}

bool KeyTable::is_sound(uint64_t num_numbers) const {
  bool is_sound = true;
  KeyEntry before;
  for_each([&](KeyEntry entry) {
    if (entry < before || entry.number >= num_numbers) is_sound = false;
    before = entry;
  });
  return is_sound;
}

}  // namespace neardup::bands
