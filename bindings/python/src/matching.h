// What makes two texts duplicates, in the words of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "neardup/api/matching.h"

namespace neardup::python {

/// The parameters that every function takes that matches texts.
struct MatchingWords {
  Recipe recipe;
  std::string family = "auto", verify = {}, idf = {}, commonness = {};
  std::optional<int> distance = {}, bands = {};
  bool templates = false;
};

/// Raises InvalidArgument for a family that there is not.
[[nodiscard]] Matching matching_of(const MatchingWords& words);

/// Puts Recipe and MatchingWords into the module.
void define_matching(nanobind::module_& module);

}  // namespace neardup::python
