#include "neardup/corpus/units.h"

#include "neardup/corpus/formats.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {
std::vector<Unit> cut_units(const std::vector<Input>& inputs, const ReadOptions& options) {
  std::vector<Unit> units;
  for (uint32_t i = 0; i < inputs.size(); ++i) source_of(inputs[i].format).cut(inputs, i, options, units);
  return units;
}

uint64_t total_unit_bytes(const std::vector<Unit>& units, size_t first, size_t last) {
  uint64_t total = 0;
  for (size_t u = first; u < last; ++u) total += units[u].end - units[u].begin;
  return total;
}

std::pair<size_t, size_t> shard_of_units(const std::vector<Unit>& units, int index, int count) {
  // A unit belongs to the shard in whose share of the bytes its first byte lies.
  const double total = static_cast<double>(total_unit_bytes(units, 0, units.size()));
  const auto first_unit_of = [&](int shard) {
    if (shard == 0) return size_t{0};
    const double share = total / count * shard;
    uint64_t before = 0;
    size_t u = 0;
    for (; u < units.size() && static_cast<double>(before) < share; ++u) before += units[u].end - units[u].begin;
    return shard == count ? units.size() : u;
  };
  return {first_unit_of(index), first_unit_of(index + 1)};
}

}  // namespace neardup::corpus
