// Files of the work folder, as they are and with checksums that fit: outcome.bin and part.json.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "neardup/base/hash.h"
#include "neardup/base/parse_json.h"
#include "neardup/engine/checked_json.h"
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

inline void fuzz_checkpoint(std::string_view text) {
  if (const auto checkpoint = neardup::engine::checkpoint_from_json(text, "x"); !checkpoint)
    if (checkpoint.error().message.empty()) std::abort();
}

inline int fuzz_work_files(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_outcome_bytes(bytes);
  constexpr size_t kHeader = 96;
  if (size > kHeader + 8) {
    std::string whole(bytes.substr(0, size - 8));
    const uint64_t checksum = neardup::hash64(std::string_view(whole).substr(kHeader),
                                              neardup::hash64(std::string_view(whole).substr(0, kHeader)));
    whole.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
    fuzz_outcome_bytes(whole);
  }
  fuzz_checkpoint(bytes);
  const auto json = neardup::parse_json<nlohmann::ordered_json>(bytes);
  if (json && json->is_object()) fuzz_checkpoint(neardup::engine::with_checksum(*json));
  return 0;
}
