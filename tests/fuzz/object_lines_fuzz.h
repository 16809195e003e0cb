// First bytes of files from outside: what simdjson reads as an object is one, and more bytes take nothing back.
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/corpus/find/object_lines.h"

inline bool is_whole_object(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  return line.find('\n') == std::string_view::npos && parser.parse(std::string(line)).get(object) == simdjson::SUCCESS;
}

inline int fuzz_object_lines(const uint8_t* data, size_t size) {
  using neardup::corpus::look_for_object_lines;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size > 20'000) return 0;
  const auto all = look_for_object_lines(bytes, true, 100), part = look_for_object_lines(bytes, false, 100);
  if (all.is_cut || part.num_whole > all.num_whole || (part.is_other && !all.is_other)) std::abort();
  if (is_whole_object(bytes) && (all.num_whole != 1 || all.is_other)) std::abort();
  for (size_t cut = std::max<size_t>(size / 2, 3); cut < size; cut += 1 + size / 8) {
    const auto front = look_for_object_lines(bytes.substr(0, cut), false, 100);
    if (front.num_whole > all.num_whole || (front.is_other && !all.is_other)) std::abort();
  }
  return 0;
}
