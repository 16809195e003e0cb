// The small files of a store (MANIFEST, places of records, times and tags, open tags, erased numbers) from outside, as
// they are and with a checksum that fits.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/base/checked_bytes.h"
#include "neardup/store/document_facts.h"
#include "neardup/store/erased_file.h"
#include "neardup/store/open_tags.h"
#include "neardup/store/record_file.h"
#include "neardup/store/store_manifest.h"

inline void fuzz_facts(const neardup::store::DocumentFacts& facts) {
  for (uint64_t number = facts.first(); number < facts.end(); ++number) {
    if (facts.time(number) != 0 && facts.time(number) < facts.oldest()) std::abort();
    if (facts.tag(number) >= facts.tags().size()) std::abort();
  }
}

inline void fuzz_store_folder_bytes(std::string_view bytes) {
  using namespace neardup;
  if (const auto manifest = store::parse_store_manifest(bytes, "fuzz"); manifest && store::to_bytes(*manifest) != bytes)
    std::abort();
  if (const auto places = store::parse_places(bytes, "fuzz"))
    if (places->end() - places->first != places->places.size()) std::abort();
  if (const auto facts = store::parse_facts(bytes, "fuzz", uint64_t{1} << 16)) fuzz_facts(facts->facts);
  constexpr uint64_t kEnd = 1 << 20;
  if (const auto erased = store::parse_erased_ranges(bytes, "fuzz", kEnd))
    erased->numbers.for_each_range([&](uint64_t first, uint64_t end) {
      if (first >= end || end > kEnd) std::abort();
    });
  if (const auto open = store::parse_open_tags(bytes, "fuzz", kEnd))
    for (const std::string& name : open->tags.names())
      for (const uint64_t number : open->tags.find(name)->numbers())
        if (number >= kEnd || !open->tags.sees(name, number)) std::abort();
}

inline int fuzz_store_folder(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  fuzz_store_folder_bytes(bytes);
  if (bytes.size() < neardup::kFrameFooterBytes) return 0;
  bytes.resize(bytes.size() - neardup::kFrameFooterBytes);
  neardup::end_frame(bytes);
  fuzz_store_folder_bytes(bytes);
  return 0;
}
