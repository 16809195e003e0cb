// The names of weights in recipes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "neardup/feature/feature_spec.h"

namespace neardup::recipe {

/// Returns "binary", "tf", "log_tf", "tf_idf" or "log_tf_idf".
[[nodiscard]] std::string_view weight_name(feature::Weight weight);
[[nodiscard]] std::optional<feature::Weight> weight_from_name(std::string_view name);
[[nodiscard]] std::vector<std::string_view> weight_names();

}  // namespace neardup::recipe
