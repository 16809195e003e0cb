#include "neardup/text/charset_meta.h"

#include <algorithm>
#include <string>

#include "neardup/text/charset.h"
#include "neardup/text/text_lines.h"

namespace neardup::text {
namespace {

constexpr size_t kLookedAt = 4096;

/// Returns what stands behind `key` and "=" in `element`, without quotes; "" where it is not there.
std::string_view value_behind(std::string_view element, std::string_view key) {
  for (size_t at = element.find(key); at != std::string_view::npos; at = element.find(key, at + 1)) {
    std::string_view rest = element.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (!rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n\"'"), rest.size()));
    return rest.substr(0, rest.find_first_of(" \t\r\n\"';/>?"));
  }
  return {};
}

/// Returns the part from `begin` to `end`, both included, and moves `from` behind it.
std::string_view next_element(std::string_view text, std::string_view begin, size_t& from) {
  const size_t at = text.find(begin, from);
  if (at == std::string_view::npos) return {};
  const size_t end = std::min(text.find('>', at), text.size());
  from = end;
  return text.substr(at, end - at);
}

}  // namespace

std::string_view encoding_in_html(std::string_view bytes) {
  const std::string head = in_small_letters(bytes.substr(0, kLookedAt));
  size_t from = 0;
  if (const std::string_view xml = next_element(head, "<?xml", from); !xml.empty()) {
    if (const std::string_view found = encoding_of_label(value_behind(xml, "encoding")); !found.empty()) return found;
  }
  from = 0;
  while (true) {
    const std::string_view meta = next_element(head, "<meta", from);
    if (meta.empty()) return {};
    if (const std::string_view found = encoding_of_label(value_behind(meta, "charset")); !found.empty()) return found;
  }
}

}  // namespace neardup::text
