// What all outputs say of a pair alike.
#pragma once

#include <cstdint>

#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Returns whether both documents are short texts, which are compared by their characters.
[[nodiscard]] bool by_characters(const Documents& documents, uint32_t a, uint32_t b);

/// Returns `similarity` rounded to four digits: what all outputs show.
[[nodiscard]] double shown_similarity(float similarity);

}  // namespace neardup::engine
