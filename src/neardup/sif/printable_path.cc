#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "neardup/sif/file.h"

namespace neardup::sif {
namespace {

// The bytes of the character that `text` begins with; 0 where it is not one of UTF-8.
size_t character_size(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const size_t size = byte(0) < 0x80 ? 1 : byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (size == 1) return 1;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool is_long = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool is_no_character = (byte(0) == 0xed && byte(1) > 0x9f) || (byte(0) == 0xf4 && byte(1) > 0x8f);
  return is_long || is_no_character ? 0 : size;
}

// C1 controls (U+0080 to U+009F) move terminals as C0 do.
bool is_control(std::string_view character) {
  const auto first = static_cast<uint8_t>(character[0]);
  return first < 0x20 || first == 0x7f || (first == 0xc2 && static_cast<uint8_t>(character[1]) < 0xa0);
}

void append_escaped_byte(std::string& out, char byte) {
  if (byte == '\\')
    out += "\\\\";
  else if (byte == '\t')
    out += "\\t";
  else if (byte == '\n')
    out += "\\n";
  else if (byte == '\r')
    out += "\\r";
  else
    out += fmt::format("\\x{:02x}", static_cast<uint8_t>(byte));
}

}  // namespace

bool is_utf8(std::string_view path) {
  while (!path.empty()) {
    const size_t size = character_size(path);
    if (size == 0) return false;
    path.remove_prefix(size);
  }
  return true;
}

std::string printable_path(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const size_t size = character_size(path);
    const std::string_view taken = path.substr(0, std::max<size_t>(size, 1));
    if (size == 0 || taken == "\\" || is_control(taken)) {
      for (const char byte : taken) append_escaped_byte(out, byte);
    } else {
      out += taken;
    }
    path.remove_prefix(taken.size());
  }
  return out;
}

}  // namespace neardup::sif
