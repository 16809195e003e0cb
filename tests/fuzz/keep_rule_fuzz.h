// Keep rules and the raw JSON values that they compare. The first line is the rule, the rest the value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "neardup/cluster/keep_rule.h"

inline int fuzz_keep_rule(const uint8_t* data, size_t size) {
  using namespace neardup::cluster;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t newline = std::min(text.find('\n'), text.size());
  const std::string_view value = text.substr(std::min(newline + 1, text.size()));
  if (const auto rule = keep_rule_from_string(text.substr(0, newline))) {
    const auto again = keep_rule_from_string(to_string(*rule));
    if (!again || *again != *rule || std::isnan(rule->key(size, value))) std::abort();
  }
  if (std::isnan(KeepRule{KeepRule::Kind::kMax, "x", {}}.key(size, value))) std::abort();
  const double place = KeepRule{KeepRule::Kind::kPriority, "x", {"a", "b"}}.key(size, value);
  if (place < 0 || place > 3) std::abort();
  return 0;
}
