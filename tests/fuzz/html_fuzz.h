// Pages from outside: any bytes give a page, and the same page again.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/text/html/html.h"

inline int fuzz_html(const uint8_t* data, size_t size) {
  using namespace neardup::text;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static HtmlReader reader;
  HtmlPage page;
  reader.read(bytes, {.main_only = false}, page);
  const size_t all_size = page.text.size();
  reader.read(bytes, {}, page);
  // A byte of another encoding takes three in UTF-8, and so does one without a meaning.
  if (all_size > 4 * size + 16 || page.text.size() > 4 * size + 16) std::abort();
  if (!page.text.empty() && page.text.back() != '\n') std::abort();
  if (page.text.find("\n\n") != std::string::npos) std::abort();
  HtmlReader fresh;
  HtmlPage again;
  fresh.read(bytes, {}, again);
  if (again.text != page.text || again.title != page.title || again.encoding != page.encoding) std::abort();
  return 0;
}
