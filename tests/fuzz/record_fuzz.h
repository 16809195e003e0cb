// A record of a store from outside.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/store/record.h"

inline int fuzz_record(const uint8_t* data, size_t size) {
  using namespace neardup;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  store::RecordReader reader;
  const auto record = reader.read(bytes);
  if (!record) {
    if (record.error().code != Code::kCorruption || record.error().message.empty()) std::abort();
    return 0;
  }
  std::string again;
  store::append_record(again, *record);
  if (again != bytes) std::abort();
  return 0;
}
