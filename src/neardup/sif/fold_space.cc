#include "neardup/sif/fold_space.h"

#include <array>

#include "neardup/base/white_space.h"

namespace neardup::sif {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::array<uint8_t, 256> kIsSpace = [] {
  std::array<uint8_t, 256> is{};
  for (size_t byte = 0; byte < is.size(); ++byte) is[byte] = is_white_space(static_cast<char>(byte)) ? 1 : 0;
  return is;
}();

// Each byte is written; the next one takes its place where it continues white space. No branch: every sixth byte of a
// text is a blank.
size_t fold(std::string_view text, char* out) {
  size_t size = 0;
  uint8_t before = 1;
  for (const char c : text) {
    const uint8_t space = kIsSpace[static_cast<uint8_t>(c)];
    out[size] = space != 0 ? ' ' : c;
    size += 1U - (space & before);
    before = space;
  }
  return size;
}

// The same, one row of white space after the other.
void fold_with_origins(std::string_view text, uint32_t offset, std::string& out, std::vector<Origin>& origins) {
  const auto size = static_cast<uint32_t>(text.size());
  for (uint32_t at = 0, end = 0; at < size; at = end) {
    end = at + 1;
    const bool is_blank = is_white_space(text[at]);
    while (is_blank && end < size && is_white_space(text[end])) ++end;
    if (is_blank && at == 0) continue;
    out += is_blank ? ' ' : text[at];
    origins.push_back({offset + at, offset + end});
  }
}

}  // namespace

void fold_space(std::string_view text, std::string& out, std::vector<Origin>* origins) {
  const size_t offset = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  text.remove_prefix(offset);
  if (origins == nullptr) {
    out.resize(text.size());
    out.resize(fold(text, out.data()));
  } else {
    out.clear();
    origins->clear();
    fold_with_origins(text, static_cast<uint32_t>(offset), out, *origins);
  }
  if (!out.ends_with(' ')) return;
  out.pop_back();
  if (origins != nullptr) origins->pop_back();
}

}  // namespace neardup::sif
