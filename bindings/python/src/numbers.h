// Columns of numbers on their way to Python.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

namespace neardup::python {

/// Returns the bytes of `numbers`, for Python to make of them what the caller works with.
template <class Number>
[[nodiscard]] nanobind::bytes bytes_of(const std::vector<Number>& numbers) {
  return nanobind::bytes(numbers.data(), numbers.size() * sizeof(Number));
}

}  // namespace neardup::python
