// Data for machines in pages from outside: any bytes give paragraphs, and the same again, no longer than the page
// allows.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/text/html/data.h"

inline int fuzz_html_data(const uint8_t* data, size_t size) {
  using namespace neardup::text;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string found;
  read_linked_data(bytes, found);
  // A string stands between quotes, and so takes two bytes at least; its paragraph takes seven more than the string.
  if (found.size() > 5 * size + 16) std::abort();
  if (!found.empty() && (!found.starts_with("<p>") || !found.ends_with("</p>"))) std::abort();
  std::string again = "what was there before";
  read_linked_data(bytes, again);
  if (again != found) std::abort();
  // One block is as good as a page around it.
  const std::string page = "<script type=\"application/ld+json\">" + std::string(bytes) + "</script>";
  read_linked_data(page, found);
  if (found.size() > 5 * page.size() + 16) std::abort();
  return 0;
}
