#include "neardup/base/xml_prolog.h"

#include <cstddef>

#include "neardup/base/white_space.h"

namespace neardup {

void remove_through(std::string_view& text, std::string_view end) {
  const size_t at = text.find(end);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
}

std::string_view without_xml_prolog(std::string_view text) {
  while (true) {
    while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
    if (text.starts_with("<!--")) {
      remove_through(text, "-->");
    } else if (text.starts_with("<?xml")) {
      remove_through(text, "?>");
    } else if (text.starts_with("<![")) {
      remove_through(text, ">");
    } else {
      return text;
    }
  }
}

}  // namespace neardup
