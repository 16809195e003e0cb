#include "band_lists.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "neardup/base/hash.h"

namespace neardup::python {

uint64_t BandLists::size_bytes() const {
  const auto add = [](uint64_t sum, const engine::BandMap& map) { return sum + map.size_bytes(); };
  return std::accumulate(maps_.begin(), maps_.end(), rows_.capacity() * sizeof(uint64_t), add);
}

// The slots are fetched while the next band is hashed.
void BandLists::hash_bands(std::span<const uint64_t> row) {
  hashes_.resize(maps_.size());
  for (size_t i = 0; i < maps_.size(); ++i) {
    const auto bytes = std::as_bytes(band(row, i));
    hashes_[i] = hash64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    maps_[i].prefetch(hashes_[i]);
  }
}

uint32_t BandLists::add(std::span<const uint64_t> row) {
  const auto number = static_cast<uint32_t>(num_rows());
  hash_bands(row);
  for (size_t i = 0; i < maps_.size(); ++i) maps_[i].add(hashes_[i], number);
  rows_.insert(rows_.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(row_size()));
  is_live_.push_back(true);
  ++num_live_;
  return number;
}

void BandLists::erase(uint64_t number) {
  is_live_[number] = false;
  --num_live_;
}

// Half of a hash brings rows together that agree in nothing: their numbers decide.
void BandLists::find(std::span<const uint64_t> row, std::vector<uint32_t>& found) {
  found.clear();
  hash_bands(row);
  for (size_t i = 0; i < maps_.size(); ++i) {
    met_.clear();
    maps_[i].find(hashes_[i], met_);
    for (const uint32_t number : met_)
      if (is_live_[number] && std::ranges::equal(band(row, i), band(this->row(number), i))) found.push_back(number);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

std::vector<uint32_t> BandLists::compact() {
  BandLists made(maps_.size(), band_size_);
  std::vector<uint32_t> numbers;
  for (uint32_t number = 0; number < num_rows(); ++number) {
    if (!is_live_[number]) continue;
    made.add(row(number));
    numbers.push_back(number);
  }
  *this = std::move(made);
  return numbers;
}

}  // namespace neardup::python
