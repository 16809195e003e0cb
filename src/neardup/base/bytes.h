// Values as bytes, and little-endian numbers in strings of bytes: appended, and taken off the front within bounds.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace neardup {

/// Appends `value` in sizeof(T) bytes, the least significant first.
template <class T>
void append_little(std::string& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

/// Takes a number in sizeof(T) bytes off the front. Requires: the bytes are there.
template <class T>
[[nodiscard]] T take_little(std::string_view& bytes) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(T{static_cast<uint8_t>(bytes[i])} << (8 * i));
  bytes.remove_prefix(sizeof(T));
  return value;
}

/// Views `values` (a span, vector or array), or one value, as the bytes that they are in memory.
template <class Values>
[[nodiscard]] std::string_view bytes_of(const Values& values) {
  static_assert(std::is_trivially_copyable_v<std::remove_pointer_t<decltype(values.data())>>);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof *values.data()};
}
template <class T>
[[nodiscard]] std::string_view bytes_of_one(const T& value) {
  return bytes_of(std::span(&value, 1));
}
/// The same for writing, such as by ReadFile::read_exact_at().
template <class T>
[[nodiscard]] std::span<char> writable_bytes_of(std::span<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<char*>(values.data()), values.size_bytes()};
}

/// Appends `value` in seven bits a byte, the least significant first; the eighth bit says that more follow: 1 byte
/// below 128, at most 10.
inline void append_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

static_assert(std::endian::native == std::endian::little);

/// Appends numbers, each in sizeof(T) bytes, behind their count, which is a varint.
template <class T>
void append_numbers(std::string& out, std::span<const T> numbers) {
  append_varint(out, numbers.size());
  out += bytes_of(numbers);
}

/// Appends a piece behind its length, which is a varint.
inline void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

/// Takes numbers and pieces off the front of bytes from outside. Once something was not there, ok() stays false and
/// everything taken is 0 or empty: a reader takes all it wants and asks once. The bytes must outlive the pieces.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  [[nodiscard]] T number() {
    std::string_view taken = piece(sizeof(T));
    return taken.empty() ? T{0} : take_little<T>(taken);
  }
  [[nodiscard]] std::string_view piece(uint64_t size_bytes) {
    if (size_bytes > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, size_bytes);
    rest_.remove_prefix(size_bytes);
    return taken;
  }
  /// Takes what append_varint() wrote; nothing else is ok().
  [[nodiscard]] uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = number<uint8_t>();
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte >= 0x80 && shift < 63) continue;
      // The last of ten bytes has one bit left; a last byte of 0 would be a second form of a smaller number.
      if ((shift == 63 && byte > 1) || (shift > 0 && byte == 0)) ok_ = false;
      return ok_ ? value : 0;
    }
    return value;
  }
  /// Takes what append_text() wrote.
  [[nodiscard]] std::string_view text() { return piece(varint()); }
  /// Appends to `numbers` what append_numbers() wrote, and returns how many.
  template <class T>
  size_t numbers(std::vector<T>& numbers) {
    const uint64_t count = varint();
    const std::string_view bytes = piece(count > rest_.size() ? UINT64_MAX : count * sizeof(T));
    const size_t before = numbers.size(), taken = bytes.size() / sizeof(T);
    numbers.resize(before + taken);
    if (taken > 0) std::memcpy(numbers.data() + before, bytes.data(), bytes.size());
    return taken;
  }
  /// Returns whether everything taken so far was there.
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace neardup
