// Bands that share no value are independent, and there are only values / rows of them. Further ones must share values
// with these; the arrangements are made so that two bands of different ones have as few values in common as can be:
// the values lie in `rows` lines, and a later arrangement steps one column more from line to line. So more bands find
// more without longer signatures (docs/design/two_families.md: what they find).
#include "neardup/join/bands.h"

#include <fmt/format.h>

#include <cmath>

#include "neardup/fingerprint/signature.h"

namespace neardup::join {
namespace {

// Row r of band b: the values lie in `rows` lines of `columns`. The first arrangement takes what stands side by side,
// the others a value of each line, one column further to the right for each line and arrangement.
uint16_t value_of(int arrangement, int band, int r, int rows, int columns) {
  if (arrangement == 0) return static_cast<uint16_t>(band * rows + r);
  return static_cast<uint16_t>(r * columns + (band + (arrangement - 1) * r) % columns);
}

}  // namespace

Result<std::vector<Band>> make_bands(int num_values, int num_bands, int rows) {
  if (num_values < 1 || num_values > fingerprint::kMaxSignatureValues || rows < 1 || rows > num_values ||
      num_bands < 1 || num_bands > most_bands(num_values, rows)) {
    return fail(Code::kInvalidArgument,
                fmt::format("{} bands of {} values cannot be made of {}; values go up to {}, bands up to the square of "
                            "values / rows, and a band holds at least one value and at most all",
                            num_bands, rows, num_values, fingerprint::kMaxSignatureValues));
  }
  const int columns = num_values / rows;
  std::vector<Band> bands(static_cast<size_t>(num_bands));
  for (int i = 0; i < num_bands; ++i)
    for (int r = 0; r < rows; ++r)
      bands[static_cast<size_t>(i)].push_back(value_of(i / columns, i % columns, r, rows, columns));
  return bands;
}

double meeting_probability(double jaccard, int num_bands, int rows) {
  return 1 - std::pow(1 - std::pow(jaccard, rows), num_bands);
}

int equal_values_bound(int num_values, double jaccard, double loss) {
  if (jaccard >= 1) return num_values;
  if (jaccard <= 0) return 0;
  double below = 0, log_choose = 0;  // num_values over count; lgamma() would write to a global
  for (int count = 0; count <= num_values; ++count) {
    below += std::exp(log_choose + count * std::log(jaccard) + (num_values - count) * std::log1p(-jaccard));
    if (below > loss) return count;
    log_choose += std::log(num_values - count) - std::log(count + 1);
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
