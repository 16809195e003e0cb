#include "neardup/verify/run_index.h"

#include <bit>

#include "neardup/feature/passages.h"

namespace neardup::verify {

size_t RunIndex::num_slots(uint64_t num_tokens) { return std::bit_ceil(num_tokens + num_tokens / 3 + 2); }

RunIndex::RunIndex(std::span<const uint32_t> tokens)
    : num_tokens_(tokens.size()), slots_(num_slots(tokens.size()), kFree) {
  feature::for_each_passage(tokens, [this](uint64_t hash, size_t) { add(hash); });
}

void RunIndex::add(uint64_t hash) {
  if (hash == kFree) {
    has_free_ = true;
    return;
  }
  size_t place = hash & (slots_.size() - 1);
  while (slots_[place] != kFree && slots_[place] != hash) place = (place + 1) & (slots_.size() - 1);
  slots_[place] = hash;
}

}  // namespace neardup::verify
