// Little-endian numbers in strings of bytes: appended, and taken off the front within bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

/// Appends `value` in sizeof(T) bytes, the least significant first.
template <class T>
void append_little(std::string& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

/// Takes numbers and pieces off the front of bytes from outside. Once something was not there, ok() stays false and
/// everything taken is 0 or empty: a reader takes all it wants and asks once. The bytes must outlive the pieces.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  [[nodiscard]] T number() {
    const std::string_view taken = piece(sizeof(T));
    T value = 0;
    for (size_t i = 0; i < taken.size(); ++i) value |= static_cast<T>(T{static_cast<uint8_t>(taken[i])} << (8 * i));
    return value;
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
