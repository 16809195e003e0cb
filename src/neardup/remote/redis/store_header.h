// The header of a store: its settings and layout, as fields of a hash.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/remote/redis/layout.h"
#include "neardup/store/settings.h"

namespace neardup::remote::redis {

using Fields = std::map<std::string, std::string, std::less<>>;

[[nodiscard]] Fields fields_of(const store::StoreSettings& settings, const LayoutNumbers& numbers);
/// Errors: kCorruption, where one is not there or says what cannot be.
[[nodiscard]] Result<std::pair<store::StoreSettings, LayoutNumbers>> parse_fields(const Fields& fields);

}  // namespace neardup::remote::redis
