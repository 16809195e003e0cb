// A calibration file from outside: what is read is positive and is read back as it was.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "neardup/planner/machine.h"

inline int fuzz_machine(const uint8_t* data, size_t size) {
  using namespace neardup;
  const auto machine = planner::parse_machine(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!machine) {
    if (machine.error().message.empty()) std::abort();
    return 0;
  }
  for (const double bytes : {0.0, 1.0, 1e6, 1e9, 1e15}) {
    if (!(machine->read(bytes) > 0) || !(machine->overlapped(bytes) > 0)) std::abort();
  }
  const auto again = planner::parse_machine(planner::format_machine(*machine));
  if (!again || planner::format_machine(*again) != planner::format_machine(*machine)) std::abort();
  return 0;
}
