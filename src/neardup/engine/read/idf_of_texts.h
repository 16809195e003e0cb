// An IDF dictionary of a few texts in memory.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/feature/idf.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// Learns an IDF from the texts themselves, for recipes that learn it from the input. Sets recipe.idf_id. Errors: those
/// of Fingerprinter::create.
[[nodiscard]] Result<std::shared_ptr<const feature::Idf>> idf_of_texts(const std::vector<std::string_view>& texts,
                                                                       recipe::Recipe& recipe);

}  // namespace neardup::engine
