// Columns of a batch on their way between Spark's Arrow and C++.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "errors.h"
#include "numbers.h"

namespace neardup::python {

/// A column of numbers in the memory of Arrow.
template <class Number>
using NumberColumn = nanobind::ndarray<const Number, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

/// Values of various lengths, as Arrow lays them out.
class BinaryOut {
 public:
  void add(std::string_view value) {
    if (value.size() > INT32_MAX - data_.size())
      raise({Code::kUnsupported,
             "a batch of Spark holds texts of 2 GB: lower spark.sql.execution.arrow.maxRecordsPerBatch"});
    data_ += value;
    offsets_.push_back(static_cast<int32_t>(data_.size()));
  }
  /// Returns (offsets, data): int32, bytes.
  [[nodiscard]] nanobind::tuple columns() const {
    return nanobind::make_tuple(bytes_of(offsets_), nanobind::bytes(data_.data(), data_.size()));
  }

 private:
  std::vector<int32_t> offsets_ = {0};
  std::string data_;
};

/// Lists of numbers, likewise.
class NumbersOut {
 public:
  void add(std::span<const uint64_t> numbers) {
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    offsets_.push_back(static_cast<int32_t>(numbers_.size()));
  }
  /// Returns (offsets, values): int32, int64.
  [[nodiscard]] nanobind::tuple columns() const { return nanobind::make_tuple(bytes_of(offsets_), bytes_of(numbers_)); }

 private:
  std::vector<int32_t> offsets_ = {0};
  std::vector<uint64_t> numbers_;
};

}  // namespace neardup::python
