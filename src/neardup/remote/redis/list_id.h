// ListId: one list of a store; its key on the server; a table of lists.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/remote/redis/key_prefix.h"
#include "neardup/remote/redis/layout.h"

namespace neardup::remote::redis {

enum class ListKind : uint8_t { kKeys, kOwn, kTable };

/// kKeys: of the keys with these upper bits; kOwn: of one key; kTable: of a table of a place, the fingerprints with
/// that prefix.
struct ListId {
  ListKind kind = ListKind::kKeys;
  uint16_t table = 0;  // place * tables of each + table
  uint64_t value = 0;
  bool operator==(const ListId&) const = default;
};

/// The names of keys. All begin with {prefix}, so that in a cluster they share a slot. Threads: any.
class KeyNames {
 public:
  KeyNames(std::string_view prefix, const Layout& layout)
      : prefix_(braced(prefix)),
        bucket_bytes_(layout.home_bytes()),
        key_bytes_((layout.numbers().key_bits + 7) / 8),
        table_bytes_(layout.tables().size() * layout.num_places() > 256 ? 2 : 1),
        table_letter_(layout.is_sets() ? 'S' : 't') {}

  [[nodiscard]] std::string simple(char letter, std::string_view rest = {}) const {
    return prefix_ + letter + std::string(rest);
  }
  void append(std::string& out, const ListId& id) const {
    out += prefix_;
    if (id.kind == ListKind::kTable) {
      out += table_letter_;
      append_big(out, id.table, table_bytes_);
      append_big(out, id.value, bucket_bytes_);
    } else {
      out += id.kind == ListKind::kKeys ? 'k' : 'K';
      append_big(out, id.value, id.kind == ListKind::kKeys ? key_bytes_ : sizeof(uint64_t));
    }
  }
  [[nodiscard]] std::string of(const ListId& id) const {
    std::string name;
    append(name, id);
    return name;
  }
  /// 'r': a group of records; 'R': a record.
  [[nodiscard]] std::string numbered(char letter, uint64_t number) const {
    std::string name = simple(letter);
    append_big(name, number, kNumberBytes);
    return name;
  }
  [[nodiscard]] const std::string& prefix() const { return prefix_; }

 private:
  static constexpr size_t kNumberBytes = 5;
  static void append_big(std::string& out, uint64_t value, size_t size) {
    while (size-- > 0) out += static_cast<char>(value >> 8 * size & 0xff);
  }
  std::string prefix_;
  size_t bucket_bytes_, key_bytes_, table_bytes_;
  char table_letter_;
};

/// Lists, each once, numbered in the order in which they came. Threads: as a vector.
class ListTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  void reserve(size_t count) { grow(std::bit_ceil(2 * count + 16)); }
  [[nodiscard]] size_t size() const { return ids_.size(); }
  [[nodiscard]] const ListId& operator[](size_t place) const { return ids_[place]; }
  uint32_t add(const ListId& id) {
    if (2 * ids_.size() >= slots_.size()) grow(std::max<size_t>(16, 4 * ids_.size()));
    uint32_t& slot = slots_[slot_of(id)];
    if (slot == kNone) {
      slot = static_cast<uint32_t>(ids_.size());
      ids_.push_back(id);
    }
    return slot;
  }
  [[nodiscard]] uint32_t find(const ListId& id) const { return slots_.empty() ? kNone : slots_[slot_of(id)]; }

 private:
  [[nodiscard]] size_t slot_of(const ListId& id) const {
    size_t slot = mix64(id.value + (uint64_t{id.table} << 40) + (static_cast<uint64_t>(id.kind) << 60));
    for (;; ++slot) {
      slot &= slots_.size() - 1;
      if (slots_[slot] == kNone || ids_[slots_[slot]] == id) return slot;
    }
  }
  void grow(size_t size) {
    slots_.assign(std::bit_ceil(size), kNone);
    for (uint32_t i = 0; i < ids_.size(); ++i) slots_[slot_of(ids_[i])] = i;
  }

  std::vector<ListId> ids_;
  std::vector<uint32_t> slots_;
};

}  // namespace neardup::remote::redis
