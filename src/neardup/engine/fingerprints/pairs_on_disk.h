// All pairs of files of fingerprints that are larger than memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/engine/fingerprints/pair_receiver.h"

namespace neardup::engine {

struct DiskPairs {
  std::vector<std::string> files;  // one, or two to be joined with each other
  bool raw = false;                // files of 64-bit numbers, whose ids are their positions; else fingerprint files
  int max_distance = 3;
  int num_threads = 0;
  uint64_t memory_bytes = 0;
  std::string work;  // folder; what is made there is removed at the end
  Context context;
};

/// Hands on all pairs in order. Where one of two files is small it is held in memory and the other is read once; else
/// both go through the work folder. Either way a stopped run goes on from there.
/// Errors: those of join::external_self_join(), of PairsFolder::open() and of the files; kMismatch where recipes
/// differ.
[[nodiscard]] Status find_pairs_on_disk(const DiskPairs& pairs, PairReceiver& receiver);

}  // namespace neardup::engine
