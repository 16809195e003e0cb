// Plans are data: makers of those of the literature and of those with flips, and one check for all, wherever a plan
// comes from. The form is checked first (each bit once in a table's order, a bounded number of tables and of buckets
// that a query reads), so that the proof of completeness (completeness.h) can rely on it. Why each kind is complete,
// and for which distance: docs/hamming.md, "Plans".
#include "neardup/hamming/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <iterator>

#include "neardup/hamming/completeness.h"

namespace neardup::hamming {
namespace {

constexpr int kMaxBits = 128;
constexpr size_t kMaxPlanTables = 64;
constexpr double kMaxPlanProbes = 67'108'864;  // of all tables; reading so many buckets takes longer than any scan

using Bits = std::vector<uint8_t>;  // bit numbers, in the order of places

void require(bool holds) {
  if (!holds) std::abort();
}

// The bits num_bits - 1 .. 0.
Bits all_bits(int num_bits) {
  Bits bits;
  for (int bit = num_bits - 1; bit >= 0; --bit) bits.push_back(static_cast<uint8_t>(bit));
  return bits;
}

// Cuts `bits` in blocks as even as can be, wider ones first.
std::vector<Bits> cut(const Bits& bits, int num_blocks) {
  std::vector<Bits> blocks;
  auto at = bits.begin();
  for (int i = 0; i < num_blocks; ++i) {
    const auto size = (bits.size() + static_cast<size_t>(num_blocks - 1 - i)) / static_cast<size_t>(num_blocks);
    blocks.emplace_back(at, at + static_cast<std::ptrdiff_t>(size));
    at = std::next(at, static_cast<std::ptrdiff_t>(size));
  }
  return blocks;
}

Bits without(const Bits& bits, const Bits& taken) {
  Bits rest;
  std::copy_if(bits.begin(), bits.end(), std::back_inserter(rest),
               [&](uint8_t bit) { return std::find(taken.begin(), taken.end(), bit) == taken.end(); });
  return rest;
}

// The table with this prefix. Behind it stands the prefix of the first table, so that the head of a key tells where the
// first table holds it, then the rest.
TableLayout table_of(int num_bits, const Bits& prefix, int flips, const Plan& plan) {
  Bits order = prefix;
  const auto append = [&](const Bits& bits) {
    const Bits rest = without(bits, order);
    order.insert(order.end(), rest.begin(), rest.end());
  };
  if (!plan.tables.empty()) {
    const TableLayout& first = plan.tables[0];
    append(Bits(first.order.begin(), first.order.begin() + first.prefix_bits));
  }
  append(all_bits(num_bits));
  return {std::move(order), static_cast<int>(prefix.size()), flips};
}

// Calls `visit` with each way to choose `choose` of `count` things (their numbers ascending), in lexicographic order.
template <class Visit>
void for_each_choice(int count, int choose, const Visit& visit) {
  std::vector<int> chosen(static_cast<size_t>(choose));
  for (int i = 0; i < choose; ++i) chosen[i] = i;
  for (;;) {
    visit(chosen);
    int i = choose - 1;
    while (i >= 0 && chosen[i] == count - choose + i) --i;
    if (i < 0) return;
    ++chosen[i];
    for (int j = i + 1; j < choose; ++j) chosen[j] = chosen[j - 1] + 1;
  }
}

Status check_table(const Plan& plan, size_t t) {
  const TableLayout& table = plan.tables[t];
  const auto bad = [&](const std::string& what) {
    return fail(Code::kInvalidArgument, fmt::format("table {} of the plan {}", t, what));
  };
  if (table.order.size() != static_cast<size_t>(plan.num_bits)) {
    return bad(fmt::format("orders {} bits, expected {}", table.order.size(), plan.num_bits));
  }
  std::vector<bool> seen(table.order.size());
  for (const uint8_t bit : table.order) {
    if (bit >= plan.num_bits || seen[bit]) return bad(fmt::format("has bit {} twice or out of range", bit));
    seen[bit] = true;
  }
  if (table.prefix_bits < 0 || table.prefix_bits > plan.num_bits) {
    return bad(fmt::format("has a prefix of {} bits, expected 0 to {}", table.prefix_bits, plan.num_bits));
  }
  if (table.flips < 0 || table.flips > table.prefix_bits) {
    return bad(fmt::format("flips {} bits of a prefix of {}", table.flips, table.prefix_bits));
  }
  return {};
}

Status check_form(const Plan& plan) {
  if (plan.num_bits < 1 || plan.num_bits > kMaxBits) {
    return fail(Code::kInvalidArgument,
                fmt::format("the plan is for {} bits, expected 1 to {}", plan.num_bits, kMaxBits));
  }
  if (plan.max_distance < 0 || plan.max_distance > plan.num_bits) {
    return fail(Code::kInvalidArgument,
                fmt::format("the plan is for distance {}, expected 0 to {}", plan.max_distance, plan.num_bits));
  }
  if (plan.tables.empty() || plan.tables.size() > kMaxPlanTables) {
    return fail(Code::kInvalidArgument,
                fmt::format("the plan has {} tables, expected 1 to {}", plan.tables.size(), kMaxPlanTables));
  }
  for (size_t t = 0; t < plan.tables.size(); ++t) NEARDUP_TRY(check_table(plan, t));
  double probes = 0;
  for (const TableLayout& table : plan.tables) probes += num_probes(table);
  if (probes > kMaxPlanProbes) {
    return fail(Code::kInvalidArgument, fmt::format("a query by the plan would read {:.0f} buckets, expected at most "
                                                    "{:.0f}; flip fewer bits",
                                                    probes, kMaxPlanProbes));
  }
  return {};
}

std::string hex_of(fingerprint::Fingerprint128 bits, int num_bits) {
  const auto high = static_cast<uint64_t>(bits >> 64), low = static_cast<uint64_t>(bits);
  return num_bits > 64 ? fmt::format("{:016x}{:016x}", high, low) : fmt::format("{:0{}x}", low, (num_bits + 3) / 4);
}

}  // namespace

Plan permuted_plan(int num_bits, int num_blocks, int choose) {
  require(1 <= choose && choose <= num_blocks && num_blocks <= num_bits);
  Plan plan{fmt::format("permuted:{},{}", num_blocks, choose), num_bits, num_blocks - choose, {}};
  const std::vector<Bits> blocks = cut(all_bits(num_bits), num_blocks);
  for_each_choice(num_blocks, choose, [&](const std::vector<int>& chosen) {
    Bits prefix;
    for (const int block : chosen) prefix.insert(prefix.end(), blocks[block].begin(), blocks[block].end());
    plan.tables.push_back(table_of(num_bits, prefix, 0, plan));
  });
  return plan;
}

Plan two_level_plan(int num_bits, int outer, int inner) {
  require(1 <= outer && 1 <= inner && outer <= num_bits);
  Plan plan{fmt::format("two_level:{},{}", outer, inner), num_bits, std::min(outer, inner) - 1, {}};
  const Bits all = all_bits(num_bits);
  for (const Bits& block : cut(all, outer)) {
    const Bits others = without(all, block);
    require(inner <= static_cast<int>(others.size()));
    for (const Bits& second : cut(others, inner)) {
      Bits prefix = block;
      prefix.insert(prefix.end(), second.begin(), second.end());
      plan.tables.push_back(table_of(num_bits, prefix, 0, plan));
    }
  }
  return plan;
}

Plan flip_plan(int num_bits, int max_distance, std::span<const Block> blocks) {
  Plan plan{"flips:", num_bits, max_distance, {}};
  const Bits all = all_bits(num_bits);
  auto at = all.begin();
  for (const Block& block : blocks) {
    require(0 <= block.flips && block.flips <= block.bits && block.bits <= std::distance(at, all.end()));
    const Bits prefix(at, at + block.bits);
    at = std::next(at, block.bits);
    plan.name += fmt::format("{}{}/{}", plan.tables.empty() ? "" : ",", block.bits, block.flips);
    plan.tables.push_back(table_of(num_bits, prefix, block.flips, plan));
  }
  return plan;
}

Plan scan_plan(int num_bits, int max_distance) {
  return {"scan", num_bits, max_distance, {{all_bits(num_bits), 0, 0}}};
}

Status check_plan(const Plan& plan) {
  NEARDUP_TRY(check_form(plan));
  NEARDUP_ASSIGN(const auto missed, find_missed(plan));
  if (!missed) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("the plan does not find everything within distance {}: no table meets a fingerprint that "
                          "differs in the {} bits {}; add tables or flips",
                          plan.max_distance, fingerprint::count_ones(*missed), hex_of(*missed, plan.num_bits)));
}

double num_probes(const TableLayout& table) {
  double sum = 1, term = 1;
  for (int i = 1; i <= std::min(table.prefix_bits, table.flips); ++i) {
    sum += term = term * (table.prefix_bits - i + 1) / i;
  }
  return sum;
}

}  // namespace neardup::hamming
