#include "neardup/join/block_hashes.h"

#include <algorithm>
#include <numeric>

namespace neardup::join {

Status BlockHashes::load(uint32_t block) {
  first_ = block * kRows;
  count_ = std::min(kRows, source_->count - first_);
  rows_ = nullptr;
  const auto width = static_cast<size_t>(source_->num_values);
  if (source_->values != nullptr) {
    rows_ = source_->values + first_ * width;
  } else if (!source_->read_column) {
    numbers_.resize(count_);
    std::iota(numbers_.begin(), numbers_.end(), first_);
    values_.resize(count_ * width);
    NEARDUP_TRY(source_->read(numbers_, values_.data()));
    rows_ = values_.data();
  }
  return {};
}

// Makes rows of the values of one band.
Status BlockHashes::read_columns(std::span<const uint16_t> band) {
  column_.resize(count_);
  values_.resize(count_ * band.size());
  for (size_t i = 0; i < band.size(); ++i) {
    NEARDUP_TRY(source_->read_column(first_, count_, band[i], column_.data()));
    for (size_t row = 0; row < count_; ++row) values_[row * band.size() + i] = column_[row];
  }
  return {};
}

Result<std::span<const uint64_t>> BlockHashes::of(std::span<const uint16_t> band) {
  const uint16_t* rows = rows_;
  auto width = static_cast<size_t>(source_->num_values);
  if (rows == nullptr) {
    NEARDUP_TRY(read_columns(band));
    own_band_.resize(band.size());
    std::iota(own_band_.begin(), own_band_.end(), uint16_t{0});
    rows = values_.data(), width = band.size(), band = own_band_;
  }
  hashes_.resize(count_);
  for (size_t row = 0; row < count_; ++row) hashes_[row] = band_hash(rows + row * width, band);
  return std::span<const uint64_t>(hashes_);
}

}  // namespace neardup::join
