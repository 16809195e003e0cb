// What a store is, fixed when it is made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/store/own_files.h"

namespace neardup::store {

/// What a store is, fixed when it is made.
struct StoreSettings {
  uint32_t num_fingerprints = 0;  // of each document that has any
  uint32_t num_bits = 64;         // of each of them: 64 or 128
  bool has_passages = false;      // of documents, so that a judge is asked who contains whom
  int max_distance = 3;           // bits, 0 to a quarter of them: who is no further in one fingerprint is compared
  std::string recipe_id = {};     // empty: not known
  std::string recipe_json = {};
  std::string matching_json = {};   // how its owner compares; not read here
  std::vector<OwnFile> files = {};  // filled by create()
  bool operator==(const StoreSettings&) const = default;
};

}  // namespace neardup::store
