// A plan's text from outside: what is read is complete, and its name gives it back.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "neardup/hamming/plan_text.h"

inline int fuzz_plan_text(const uint8_t* data, size_t size) {
  using namespace neardup::hamming;
  if (size < 2 || size > 1000) return 0;
  const int num_bits = data[0], max_distance = data[1];
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto plan = parse_plan(text, num_bits, max_distance);
  if (!plan) {
    if (plan.error().message.empty()) std::abort();
    return 0;
  }
  if (!check_plan(*plan)) std::abort();
  const auto again = parse_plan(plan->name, num_bits, max_distance);
  if (!again || *again != *plan) std::abort();
  return 0;
}
