#include "band_lists.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "neardup/base/hash.h"
#include "neardup/base/undo.h"

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

// The maps first: a row that they know and that is not there is passed over, and one that takes its number is compared.
void BandLists::add(std::span<const uint64_t> row) {
  const auto number = static_cast<uint32_t>(num_rows());
  hash_bands(row);
  for (size_t i = 0; i < maps_.size(); ++i) maps_[i].add(hashes_[i], number);
  is_found_.resize(number + size_t{1});
  is_live_.push_back(true);
  Undo undo([&] { is_live_.pop_back(); });
  rows_.insert(rows_.end(), row.begin(), row.end());
  undo.keep();
}

void BandLists::truncate(uint64_t number) {
  is_live_.resize(number);
  rows_.resize(number * row_size());
}

// Half of a hash brings rows together that agree in nothing: their numbers decide. Rows of an earlier band are not
// compared again: many that are equal meet in all bands.
void BandLists::find_in_band(std::span<const uint64_t> row, size_t i, std::vector<uint32_t>& found) {
  met_.clear();
  maps_[i].find(hashes_[i], met_);
  for (const uint32_t number : met_) {
    if (number >= num_rows() || is_found_[number] || !is_live_[number]) continue;
    if (!std::ranges::equal(band(row, i), band(this->row(number), i))) continue;
    found.push_back(number);
    is_found_[number] = true;
  }
}

void BandLists::find(std::span<const uint64_t> row, std::vector<uint32_t>& found) {
  found.clear();
  hash_bands(row);
  {
    const Undo forget([&] {
      for (const uint32_t number : found) is_found_[number] = false;
    });
    for (size_t i = 0; i < maps_.size(); ++i) find_in_band(row, i, found);
  }
  std::ranges::sort(found);
}

BandLists BandLists::subset(std::span<const uint64_t> numbers) const {
  BandLists made(maps_.size(), band_size_);
  for (const uint64_t number : numbers) made.add(row(number));
  return made;
}

}  // namespace neardup::python
