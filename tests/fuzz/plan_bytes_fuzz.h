// A plan made of any numbers: whatever check_plan says of it, it says in a short time, and a difference that it calls
// missed is missed.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "neardup/hamming/completeness.h"
#include "neardup/hamming/plan.h"

inline int fuzz_plan_bytes(const uint8_t* data, size_t size) {
  using namespace neardup;
  if (size < 3) return 0;
  const uint8_t* const end = data + size;
  hamming::Plan plan{"", *data++ % 130, *data++ % 40, {}};
  const size_t num_tables = *data++ % 66;
  while (plan.tables.size() < num_tables && end - data > 2) {
    hamming::TableLayout table{{}, data[0] % 32, data[1] % 4};
    data += 2;
    // The identity with as many places exchanged as bytes say, so that most orders are permutations.
    for (int bit = 0; bit < plan.num_bits; ++bit) table.order.push_back(static_cast<uint8_t>(bit));
    for (size_t place = 0; place < table.order.size() && data != end && *data != 255; ++place, ++data) {
      std::swap(table.order[place], table.order[*data % table.order.size()]);
    }
    plan.tables.push_back(table);
  }
  const Status status = hamming::check_plan(plan);
  if (status) return 0;
  if (status.error().message.find("does not find") == std::string::npos) return 0;
  const auto missed = hamming::find_missed(plan);
  if (!missed || !*missed || fingerprint::count_ones(**missed) > plan.max_distance) std::abort();
  for (const hamming::TableLayout& table : plan.tables) {
    int ones = 0;
    for (int place = 0; place < table.prefix_bits; ++place) ones += (**missed >> table.order[place] & 1) != 0 ? 1 : 0;
    if (ones <= table.flips) std::abort();
  }
  return 0;
}
