// Plans and sets as they come: whatever check_plan() calls complete finds what linear scan finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "neardup/hamming/plan.h"
#include "tests/agree/hamming/agreement.h"

namespace neardup::hamming {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

int between(std::mt19937_64& random, int least, int greatest) {
  return least + static_cast<int>(random() % static_cast<uint64_t>(greatest - least + 1));
}

std::vector<uint8_t> any_order(std::mt19937_64& random, int num_bits) {
  std::vector<uint8_t> order(num_bits);
  std::iota(order.begin(), order.end(), uint8_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

// Blocks that share no bit, of any widths, wherever their bits lie.
Plan blocks_anywhere(std::mt19937_64& random, int num_bits) {
  Plan plan{.name = "blocks anywhere", .num_bits = num_bits, .max_distance = -1, .tables = {}};
  const std::vector<uint8_t> bits = any_order(random, num_bits);
  size_t begin = 0;
  while (begin < bits.size() && plan.tables.size() < 6 && plan.max_distance < num_bits / 4 - 3) {
    const auto width = static_cast<size_t>(between(random, 1, 28));
    const size_t end = std::min(bits.size(), begin + width);
    TableLayout table{
        {bits.begin() + static_cast<std::ptrdiff_t>(begin), bits.begin() + static_cast<std::ptrdiff_t>(end)},
        static_cast<int>(end - begin),
        std::min(between(random, 0, 2), static_cast<int>(end - begin))};
    for (const uint8_t bit : any_order(random, num_bits)) {
      if (std::find(table.order.begin(), table.order.end(), bit) == table.order.end()) table.order.push_back(bit);
    }
    plan.max_distance += table.flips + 1;
    plan.tables.push_back(std::move(table));
    begin = end;
  }
  return plan;
}

// Tables with nothing in common; as great a distance as they are complete for.
Plan tables_anyhow(std::mt19937_64& random, int num_bits) {
  Plan plan{.name = "tables anyhow", .num_bits = num_bits, .max_distance = 0, .tables = {}};
  for (int tables = between(random, 1, 12); tables > 0; --tables) {
    const int prefix_bits = between(random, 0, 20);
    plan.tables.push_back({any_order(random, num_bits), prefix_bits, std::min(between(random, 0, 2), prefix_bits)});
  }
  for (; plan.max_distance < 6 && check_plan(plan); ++plan.max_distance) {
  }
  if (!check_plan(plan)) --plan.max_distance;
  return plan;
}

// Some bits vary, few or all; values near to each other, or far.
template <class F>
std::vector<F> any_values(std::mt19937_64& random, int max_distance) {
  F varying = sets::random_of<F>(random);
  for (int i = between(random, 0, 3); i > 0; --i) varying &= sets::random_of<F>(random);
  if (random() % 3 == 0) varying = static_cast<F>(~F{0});
  const F background = sets::random_of<F>(random) & static_cast<F>(~varying);
  std::vector<F> values;
  for (int size = between(random, 0, 3) == 0 ? between(random, 0, 4) : between(random, 0, 700); size > 0; --size) {
    const bool near = !values.empty() && random() % 2 == 0;
    const F base = near ? values[random() % values.size()] : sets::random_of<F>(random);
    values.push_back((sets::flipped<F>(random, base, near ? between(random, 0, max_distance + 2) : 0) & varying) |
                     background);
  }
  return values;
}

template <class F>
void expect_agreement(uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr int kBits = fingerprint::kBitsOf<F>;
  const Plan plan = random() % 2 == 0 ? blocks_anywhere(random, kBits) : tables_anyhow(random, kBits);
  ASSERT_TRUE(check_plan(plan)) << check_plan(plan).error().message;
  const auto documents = agreement::documents_of(any_values<F>(random, plan.max_distance), random);
  std::vector<F> queries{sets::random_of<F>(random)};
  for (int i = 0; i < 12 && !documents.fingerprints.empty(); ++i) {
    const F value = documents.fingerprints[random() % documents.fingerprints.size()];
    queries.push_back(sets::flipped<F>(random, value, between(random, 0, plan.max_distance + 2)));
  }
  const auto expected = agreement::scan_all(documents, queries, plan.max_distance);
  for (const Codec codec : agreement::kCodecs) {
    SCOPED_TRACE(plan.name + " of " + std::to_string(plan.tables.size()) + ", " + agreement::name_of(codec));
    const auto index = agreement::build(documents, plan, {.codec = codec, .context = {}});
    agreement::expect_agreement(index, expected, plan.max_distance);
    agreement::expect_agreement(index, expected, between(random, 0, plan.max_distance));
  }
}

template <class F>
void expect_agreement_of(int count) {
  for (int seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_agreement<F>(static_cast<uint64_t>(seed));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RandomPlans, FindWhatLinearScanFinds) { expect_agreement_of<Fingerprint>(300); }
TEST(RandomPlans, FindWhatLinearScanFindsOfWideFingerprints) { expect_agreement_of<Fingerprint128>(60); }

}  // namespace
}  // namespace neardup::hamming
