// From keys to the numbers of those who have them: bands of signatures, checksums, ids. Made once, then read.
//
// A key is a well-mixed hash. Who asks is mostly told "nobody": a new document shares a band with few others. So what
// tells that lies close together (a directory of groups of one or two keys and 8 bits of each key, about two bytes an
// entry, which stay in memory), and what is read where somebody is there lies apart (a number and the rest of the key,
// five to eight bytes, which may stay on the disk).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/hamming/packed_directory.h"
#include "neardup/hamming/stored_array.h"
#include "neardup/hamming/table.h"

namespace neardup::bands {

/// How many leading bits of a key a table knows: two keys that agree in them are one. Of a billion entries one in a
/// thousand look-ups gives a number too many.
inline constexpr int kKeyBits = 40;
/// Returns them.
[[nodiscard]] constexpr uint64_t known_bits(uint64_t key) { return key >> (64 - kKeyBits); }

struct KeyEntry {
  uint64_t known = 0;  // known_bits() of the key
  uint32_t number = 0;
  auto operator<=>(const KeyEntry&) const = default;
};

/// Threads: any number of readers.
class KeyTable {
 public:
  KeyTable() = default;
  /// Requires: `entries` ascend. Memory: as the table.
  explicit KeyTable(std::span<const KeyEntry> entries);

  /// Appends the numbers of all entries with this key, ascending. Cost: two reads of memory where there is none, that
  /// nearly always are one each; one more for each number.
  void find(uint64_t key, std::vector<uint32_t>& found) const;
  /// Appends the numbers of the first `limit` entries with this key whose number is `first` or greater, ascending.
  /// Cost: as find() of those alone, and the logarithm of all with this key.
  void find_from(uint64_t key, uint32_t first, size_t limit, std::vector<uint32_t>& found) const;
  /// Lets the processor fetch what find() looks at first. Requires: not empty, here and below.
  void prefetch(uint64_t key) const { directory_.prefetch(group_of(known_bits(key))); }
  /// The same one step later: what prefetch() asked for is used.
  void prefetch_tags(uint64_t key) const {
    __builtin_prefetch(tags_.data() + directory_.range(group_of(known_bits(key))).begin);
  }
  /// Calls `visit` with each entry, ascending.
  void for_each(const std::function<void(KeyEntry)>& visit) const;
  [[nodiscard]] uint64_t size() const { return tags_.size(); }
  /// Returns what tells that a key is not there.
  [[nodiscard]] uint64_t filter_bytes() const;
  /// Returns what is read where it is.
  [[nodiscard]] uint64_t entry_bytes() const { return entries_.size(); }

  /// Appends views of the arrays, for a file.
  void append_sections(std::vector<hamming::TableSection>& sections) const;
  /// Takes a table out of the sections of a file, which must outlive it; all numbers are below `num_numbers`. With
  /// `verify` every entry is looked at. Errors: kCorruption, without the name of the file.
  [[nodiscard]] static Result<KeyTable> open(std::span<const hamming::TableSection> sections, uint64_t num_numbers,
                                             bool verify);

 private:
  static constexpr int kTagBits = 8;
  static constexpr size_t kNumberBytes = sizeof(uint32_t);

  explicit KeyTable(uint64_t num_entries);
  [[nodiscard]] uint32_t group_of(uint64_t known) const { return static_cast<uint32_t>(known >> (kKeyBits - bits_)); }
  [[nodiscard]] uint8_t tag_of(uint64_t known) const {
    return static_cast<uint8_t>(known >> (kKeyBits - bits_ - kTagBits));
  }
  // What the group and the tag do not tell.
  [[nodiscard]] uint32_t rest_of(uint64_t known) const { return static_cast<uint32_t>(known) & rest_mask_; }
  [[nodiscard]] size_t stride() const { return kNumberBytes + rest_bytes_; }
  void set_directory(std::span<const KeyEntry> entries);
  void set_entry(uint64_t rank, KeyEntry entry);
  [[nodiscard]] uint32_t number_at(uint64_t rank) const;
  [[nodiscard]] uint32_t rest_at(uint64_t rank) const;
  [[nodiscard]] bool is_sound(uint64_t num_numbers) const;

  int bits_ = 0;  // of a group's number
  size_t rest_bytes_ = 0;
  uint32_t rest_mask_ = 0;
  hamming::PackedDirectory directory_;
  hamming::StoredArray<uint8_t> tags_;       // of each entry
  hamming::StoredArray<std::byte> entries_;  // number and rest of each
};

}  // namespace neardup::bands
