#include "neardup/engine/match/code_frames.h"

#include <algorithm>

#include "neardup/verify/common_code.h"

namespace neardup::engine {

Result<std::vector<uint32_t>> common_code(const Documents& documents, const ExactGroups& groups,
                                          std::span<const uint32_t> active) {
  constexpr size_t kLeastTexts = 64, kMostTexts = 512, kLongTokens = size_t{1} << 20;
  if (active.size() < kLeastTexts) return std::vector<uint32_t>();
  const size_t count = std::min(active.size(), kMostTexts);
  verify::CommonCode common;
  std::vector<uint32_t> text;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t document = groups.best[active[active.size() * i / count]];
    if (documents.row(document).num_tokens > kLongTokens) continue;
    NEARDUP_TRY(documents.read_tokens(document, text));
    common.add(text);
  }
  return common.take();
}

}  // namespace neardup::engine
