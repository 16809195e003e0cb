// Files of the work folder: outcome.bin as it is and with a checksum that fits, and part.json.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/base/hash.h"
#include "neardup/engine/match/outcome.h"
#include "neardup/engine/read/part.h"
#include "neardup/engine/write/clusters.h"

inline void fuzz_outcome_bytes(std::string_view bytes) {
  using namespace neardup::engine;
  const auto outcome = outcome_from_bytes(bytes, "x");
  if (!outcome) return;
  const Clusters clusters(outcome->fates);
  for (uint32_t i = 0; i < clusters.size(); ++i)
    if (clusters.removed(i).empty() || clusters.find(clusters.kept(i)) != i) std::abort();
}

inline int fuzz_work_files(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_outcome_bytes(bytes);
  constexpr size_t kHeader = 88;
  if (size > kHeader + 8) {
    std::string whole(bytes.substr(0, size - 8));
    const uint64_t checksum = neardup::hash64(std::string_view(whole).substr(kHeader),
                                              neardup::hash64(std::string_view(whole).substr(0, kHeader)));
    whole.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
    fuzz_outcome_bytes(whole);
  }
  if (const auto checkpoint = neardup::engine::checkpoint_from_json(bytes, "x"); !checkpoint)
    if (checkpoint.error().message.empty()) std::abort();
  return 0;
}
