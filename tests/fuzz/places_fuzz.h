// A list of places from outside: what is read ascends, and reads again as itself.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "neardup/store/places.h"

inline int fuzz_places(const uint8_t* data, size_t size) {
  using namespace neardup;
  const auto places = store::Places::parse({reinterpret_cast<const char*>(data), size});
  if (!places) return 0;
  store::Places again;
  const std::vector<uint64_t> marked = places->marked();
  size_t mark = 0;
  uint64_t last = 0;
  for (uint64_t i = 0; i < places->size(); ++i) {
    const std::optional<uint64_t> offset = places->at(i);
    if (offset && *offset <= last) std::abort();
    if (offset) last = *offset;
    const bool is_marked = mark < marked.size() && marked[mark] == i;
    mark += is_marked ? 1 : 0;
    again.add(offset, is_marked);
  }
  for (uint64_t i = 0; i < places->size(); ++i)
    if (again.at(i) != places->at(i)) std::abort();
  if (again.marked() != marked) std::abort();
  return 0;
}
