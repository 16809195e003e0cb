// What `neardup plan` says of the two families.
#pragma once

#include <string>

#include "neardup/engine/plan_families.h"

namespace neardup::cli {

/// Returns the table for people, with advice.
[[nodiscard]] std::string families_text(const engine::FamilyRequest& request);
/// Returns a JSON array of both.
[[nodiscard]] std::string families_json(const engine::FamilyRequest& request);

}  // namespace neardup::cli
