#include "neardup/engine/match/long_pairs.h"

namespace neardup::engine {

verify::TokenSource tokens_of(const Documents& documents, const ExactGroups& groups) {
  return [&documents, &groups](uint32_t group, std::vector<uint32_t>& tokens) {
    return documents.read_tokens(groups.best[group], tokens);
  };
}

MemoryBudget::Permit LongPairs::permit_for(uint32_t g, uint32_t h) {
  const auto num_tokens = [this](uint32_t group) { return uint64_t{documents_.row(groups_.best[group]).num_tokens}; };
  const uint64_t bytes = bytes_per_token_ * (num_tokens(g) + num_tokens(h));
  if (bytes <= budget_.capacity_bytes() / 8 / static_cast<uint64_t>(num_threads_)) return {};
  return budget_.acquire(bytes);
}

}  // namespace neardup::engine
