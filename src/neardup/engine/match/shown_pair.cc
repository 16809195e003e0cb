#include "neardup/engine/match/shown_pair.h"

#include <cmath>

namespace neardup::engine {

bool by_characters(const Documents& documents, uint32_t a, uint32_t b) {
  return documents.short_size(a) > 0 && documents.short_size(b) > 0;
}

double shown_similarity(float similarity) { return static_cast<double>(std::lround(similarity * 1e4F)) / 1e4; }

}  // namespace neardup::engine
