#include "neardup/join/bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "neardup/base/hash.h"

namespace neardup::join {
namespace {

// The order of values in the `turn`-th arrangement: their own in the first one, a fixed shuffle in the others.
std::vector<uint16_t> arrangement(int num_values, uint64_t turn) {
  std::vector<uint16_t> order(static_cast<size_t>(num_values));
  std::iota(order.begin(), order.end(), uint16_t{0});
  if (turn == 0) return order;
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mix64(turn << 32 | i) % i]);
  return order;
}

}  // namespace

Result<std::vector<Band>> make_bands(int num_values, int num_bands, int rows) {
  if (num_values < 1 || num_values > kMaxSignatureValues || rows < 1 || rows > num_values || num_bands < 1 ||
      num_bands > kMaxBands) {
    return fail(Code::kInvalidArgument,
                fmt::format("{} bands of {} values cannot be made of {}; values go up to {}, bands from 1 to {}, and a "
                            "band holds at least one value and at most all",
                            num_bands, rows, num_values, kMaxSignatureValues, kMaxBands));
  }
  const int per_turn = num_values / rows;
  std::vector<Band> bands;
  std::vector<uint16_t> order;
  for (int i = 0; i < num_bands; ++i) {
    const int place = i % per_turn;
    if (place == 0) order = arrangement(num_values, static_cast<uint64_t>(i / per_turn));
    const auto first = order.begin() + place * rows;
    bands.emplace_back(first, first + rows);
    std::ranges::sort(bands.back());
  }
  return bands;
}

double meeting_probability(double jaccard, int num_bands, int rows) {
  return 1 - std::pow(1 - std::pow(jaccard, rows), num_bands);
}

int equal_values_bound(int num_values, double jaccard, double loss) {
  if (jaccard >= 1) return num_values;
  if (jaccard <= 0) return 0;
  double below = 0;
  for (int count = 0; count <= num_values; ++count) {
    const double log_choose =
        std::lgamma(num_values + 1.0) - std::lgamma(count + 1.0) - std::lgamma(num_values - count + 1.0);
    below += std::exp(log_choose + count * std::log(jaccard) + (num_values - count) * std::log1p(-jaccard));
    if (below > loss) return count;
  }
  return num_values;
}

ValueMask::ValueMask(const Band& band) {
  for (const uint16_t value : band) {
    const uint32_t index = value / 64;
    if (words_.empty() || words_.back().index != index) words_.push_back({index, 0});
    words_.back().bits |= uint64_t{1} << value % 64;
  }
}

}  // namespace neardup::join
