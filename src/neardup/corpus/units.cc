#include "neardup/corpus/units.h"

#include <algorithm>

namespace neardup::corpus {
namespace {

// What a batch holds beside the bytes of its files (names, documents, rejections) stays small too.
constexpr uint32_t kMaxTextFiles = 4096;

void cut_plain_file(uint32_t input, uint64_t size_bytes, uint64_t batch_bytes, std::vector<Unit>& units) {
  for (uint64_t begin = 0; begin < size_bytes;) {
    const uint64_t end = size_bytes - begin > batch_bytes ? begin + batch_bytes : size_bytes;
    units.push_back({input, 1, begin, end});
    begin = end;
  }
}

}  // namespace

std::vector<Unit> cut_units(const std::vector<Input>& inputs, uint64_t batch_bytes) {
  std::vector<Unit> units;
  bool is_gathering = false;
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const Input& input = inputs[i];
    const bool is_plain = input.compression == Compression::kNone;
    if (input.format == Format::kText && is_plain) {
      if (!is_gathering) units.push_back({i, 0, 0, 0});
      ++units.back().num_inputs;
      units.back().end += input.size_bytes;
      is_gathering = units.back().end < batch_bytes && units.back().num_inputs < kMaxTextFiles;
      continue;
    }
    is_gathering = false;
    if (is_plain) {
      cut_plain_file(i, input.size_bytes, batch_bytes, units);
    } else {
      units.push_back({i, 1, 0, input.size_bytes});
    }
  }
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
