// PackedList: what one list of a store on Redis holds: entries of a value and the number of a document, or of a value
// alone, all of one size. docs/formats/redis.md.
//
// Of a number an entry has the lower part; the upper part (its page) is that of the last entry before it that says one,
// else 0. Page entries and those that say that a key has a list of its own have lower parts that no number has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/remote/redis/bit_runs.h"

namespace neardup::remote::redis {

inline constexpr size_t kLowBytes = 3;
inline constexpr uint64_t kPageMark = 0xff'ffff, kOwnListMark = 0xff'fffe;
inline constexpr uint64_t kPageSize = kOwnListMark;        // numbers
inline constexpr size_t kOwnEntryBytes = 5;                // of a list of one key: whole numbers
inline constexpr uint64_t kNumberLimit = kPageSize << 16;  // a page is a value of two bytes

[[nodiscard]] constexpr uint64_t page_of(uint64_t number) { return number / kPageSize; }
[[nodiscard]] constexpr uint64_t low_of(uint64_t number) { return number % kPageSize; }

template <class T>
[[nodiscard]] T load_little(const char* bytes, size_t size) {
  T value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}
template <class T>
void append_little_bytes(std::string& out, T value, size_t size) {
  out.append(reinterpret_cast<const char*>(&value), size);
}

/// Entries of `value_bytes` (2 to 16), and kLowBytes where they have a number. Threads: const members from any.
class PackedList {
 public:
  PackedList(std::string_view bytes, size_t value_bytes, bool has_numbers)
      : bytes_(bytes), value_bytes_(value_bytes), stride_(value_bytes + (has_numbers ? kLowBytes : 0)) {}

  /// Whether its length is one that it can have.
  [[nodiscard]] bool is_whole() const { return bytes_.size() % stride_ == 0; }
  [[nodiscard]] size_t size() const { return bytes_.size() / stride_; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] size_t value_bytes() const { return value_bytes_; }
  [[nodiscard]] size_t stride() const { return stride_; }
  [[nodiscard]] Wide value(size_t i) const { return load_little<Wide>(bytes_.data() + i * stride_, value_bytes_); }
  [[nodiscard]] uint64_t low(size_t i) const {
    return load_little<uint32_t>(bytes_.data() + i * stride_ + value_bytes_, kLowBytes);
  }
  /// Whether an entry is that of a document.
  [[nodiscard]] bool is_number(size_t i) const { return low(i) < kPageSize; }
  /// Returns the page that holds behind the last entry. Cost: linear.
  [[nodiscard]] uint64_t last_page() const {
    for (size_t i = size(); i-- > 0;)
      if (low(i) == kPageMark) return page_at(i);
    return 0;
  }
  /// Calls visit(i, number) for each of the entries `some`, which ascend, that has the number of a document. Cost:
  /// linear in all entries.
  template <class Visit>
  void each_number(const std::vector<uint32_t>& some, const Visit& visit) const {
    uint64_t page = 0;
    size_t at = 0;
    for (const uint32_t i : some) {
      for (; at < i; ++at)
        if (low(at) == kPageMark) page = page_at(at);
      if (is_number(i)) visit(size_t{i}, page * kPageSize + low(i));
    }
  }

 private:
  static constexpr uint64_t kMostPages = 0xffff;  // what a bad list says stays a number
  [[nodiscard]] uint64_t page_at(size_t i) const { return static_cast<uint64_t>(value(i)) & kMostPages; }

  std::string_view bytes_;
  size_t value_bytes_, stride_;
};

/// Appends an entry.
inline void append_entry(std::string& out, Wide value, size_t value_bytes, uint64_t low) {
  append_little_bytes(out, value, value_bytes);
  append_little_bytes(out, low, kLowBytes);
}

/// Appends to `found` which entries of `list` have a value within max_distance of `value`, ascending.
void find_within(const PackedList& list, Wide value, int max_distance, std::vector<uint32_t>& found);
/// Appends to `found` which entries have that value, ascending.
void find_equal(const PackedList& list, Wide value, std::vector<uint32_t>& found);

}  // namespace neardup::remote::redis
