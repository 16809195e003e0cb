#include "neardup/engine/commonness_pass.h"

#include <algorithm>

#include "neardup/base/threads.h"
#include "neardup/engine/long_pairs.h"
#include "neardup/verify/shingles.h"

namespace neardup::engine {
namespace {

constexpr size_t kChunk = 256;  // groups that a thread takes at a time
constexpr int kNgram = 3;       // of the rule

uint64_t count_tokens(const Documents& documents, const ExactGroups& groups) {
  uint64_t num_tokens = 0;
  for (const uint32_t best : groups.best) num_tokens += documents.row(best).num_tokens;
  return num_tokens;
}

}  // namespace

Result<std::shared_ptr<const verify::Commonness>> learn_commonness(const Documents& documents,
                                                                   const ExactGroups& groups, uint64_t memory_bytes,
                                                                   int num_threads, const Context& context) {
  const auto table = std::make_shared<verify::Commonness>(count_tokens(documents, groups), memory_bytes / 8);
  const verify::TokenSource source = tokens_of(documents, groups);
  LongPairs long_texts(documents, groups, verify::comparing_bytes_per_token({}), memory_bytes / 8, num_threads);
  NEARDUP_TRY(parallel_for(num_threads, groups.size() / kChunk + 1, [&](size_t chunk, int) -> Status {
    NEARDUP_TRY(context.check_cancel());
    std::vector<uint32_t> tokens;
    const auto end = static_cast<uint32_t>(std::min<size_t>(groups.size(), (chunk + 1) * kChunk));
    for (auto group = static_cast<uint32_t>(chunk * kChunk); group < end; ++group) {
      const MemoryBudget::Permit permit = long_texts.permit_for(group, group);
      NEARDUP_TRY(source(group, tokens));
      table->add(verify::make_shingle_set(tokens, kNgram).hashes);
    }
    return {};
  }));
  table->settle();
  return table;
}

}  // namespace neardup::engine
