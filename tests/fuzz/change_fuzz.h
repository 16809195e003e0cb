// A change of a store from outside.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/store/change.h"

inline int fuzz_change(const uint8_t* data, size_t size) {
  using namespace neardup;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  store::ChangeReader reader;
  const auto change = reader.read(bytes);
  if (!change) {
    if (change.error().code != Code::kCorruption || change.error().message.empty()) std::abort();
    return 0;
  }
  std::string again;
  if (change->document)
    store::append_arrival(again, *change->document, change->same_id);
  else if (change->begun)
    store::append_tag_begin(again, *change->begun);
  else if (change->ended)
    store::append_tag_end(again, *change->ended);
  else
    store::append_erasure(again, change->erased);
  // An arrival of a log of before has no checksum: it gets one.
  const bool is_unchecked = bytes.front() == 1;
  const size_t before = is_unchecked ? 1 + sizeof(uint32_t) : 0;
  if (again.substr(before) != bytes.substr(is_unchecked ? 1 : 0)) std::abort();
  return 0;
}
