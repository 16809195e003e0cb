// Values as bytes, and little-endian numbers in strings of bytes: appended, and taken off the front within bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

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
  /// Returns whether everything taken so far was there.
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace neardup
