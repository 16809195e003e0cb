// A line of labelled pairs from outside.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "neardup/evaluate/label_line.h"

inline int fuzz_label_line(const uint8_t* data, size_t size) {
  using namespace neardup;
  const auto parsed = evaluate::parse_label_line({reinterpret_cast<const char*>(data), size});
  if (!parsed) {
    if (parsed.error().code != Code::kInvalidArgument || parsed.error().message.empty()) std::abort();
    return 0;
  }
  if (!*parsed) return 0;
  const evaluate::LabelLine& line = **parsed;
  if (line.by_id && (line.a_id.empty() || line.b_id.empty())) std::abort();
  if (!line.by_id && (line.duplicate || line.grade || line.weight || !line.stratum.empty())) std::abort();
  if (line.duplicate && line.grade) std::abort();
  if (line.grade && (*line.grade < 0 || *line.grade > evaluate::kHighestGrade)) std::abort();
  if (line.weight && !(*line.weight > 0 && *line.weight <= evaluate::kHighestWeight)) std::abort();
  if (line.similarity && !std::isfinite(*line.similarity)) std::abort();
  return 0;
}
