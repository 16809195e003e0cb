#include "neardup/report/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "neardup/report/numbers.h"

namespace neardup::report {
namespace {

// Bin 0 holds sizes up to 2, bin i sizes 2^i + 1 .. 2^(i+1).
size_t size_bin(uint64_t size) { return size <= 2 ? 0 : static_cast<size_t>(std::bit_width(size - 1)) - 1; }

std::string size_label(size_t bin) { return bin >= 63 ? "all" : short_count(uint64_t{1} << (bin + 1)); }

// Or one below it.
bool holds_threshold(const Report& report, size_t bin) {
  if (report.thresholds.empty()) return false;
  const double bins = static_cast<double>(report.similarity_histogram.size());
  return report.thresholds[0].similarity * bins < static_cast<double>(bin + 1);
}

}  // namespace

void add(Tally& sum, const Tally& tally) {
  sum.read += tally.read;
  sum.kept += tally.kept;
  sum.exact += tally.exact;
  sum.near += tally.near;
  sum.contained += tally.contained;
  sum.rejected += tally.rejected;
  sum.bytes_read += tally.bytes_read;
  sum.bytes_removed += tally.bytes_removed;
}

Tally sum_of(std::span<const Tally> tallies, std::string name) {
  Tally sum;
  sum.name = std::move(name);
  for (const Tally& tally : tallies) add(sum, tally);
  return sum;
}

std::vector<Bar> distance_bars(const Report& report) {
  const auto& counts = report.distance_histogram;
  size_t last = static_cast<size_t>(std::clamp(report.distance, 0, static_cast<int>(counts.size()) - 1));
  for (size_t i = last; i < counts.size(); ++i) {
    if (counts[i] > 0) last = i;
  }
  std::vector<Bar> bars;
  for (size_t i = 0; i <= last; ++i) bars.push_back({std::to_string(i), counts[i]});
  return bars;
}

std::vector<Bar> values_bars(const Report& report) {
  const auto& counts = report.values_histogram;
  size_t used = counts.size();
  while (used > counts.size() / 2 && counts[used - 1] == 0) --used;
  std::vector<Bar> bars;
  for (size_t i = 0; i < used; ++i)
    bars.push_back({std::to_string(i * static_cast<size_t>(report.num_values) / counts.size()), counts[i]});
  return bars;
}

std::vector<Bar> similarity_bars(const Report& report) {
  const auto& counts = report.similarity_histogram;
  size_t first = 0;
  while (first < counts.size() / 2 && counts[first] == 0 && !holds_threshold(report, first)) ++first;
  std::vector<Bar> bars;
  for (size_t i = first; i < counts.size(); ++i) bars.push_back({fmt::format(".{:02}", i * 5), counts[i]});
  return bars;
}

std::vector<Bar> cluster_size_bars(const Report& report) {
  std::vector<uint64_t> counts;
  for (const auto& [size, count] : report.cluster_sizes) {
    size_t bin = size_bin(size);
    if (counts.size() <= bin) counts.resize(bin + 1);
    counts[bin] += count;
  }
  std::vector<Bar> bars;
  for (size_t i = 0; i < counts.size(); ++i) bars.push_back({size_label(i), counts[i]});
  return bars;
}

}  // namespace neardup::report
