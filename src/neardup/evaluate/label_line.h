// One line of a file of labelled pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::evaluate {

inline constexpr int kHighestGrade = 100;
inline constexpr double kHighestWeight = 1e12;

/// A pair of documents, by line numbers from 0 or by ids, and what is said of it.
struct LabelLine {
  bool by_id = false;
  std::string a_id, b_id;           // where by_id
  uint64_t a_line = 0, b_line = 0;  // else
  std::optional<double> similarity;
  std::optional<bool> duplicate;  // the line is a judgement
  std::optional<int> grade;       // so is this one: 0 different, more is more alike, at most kHighestGrade
  std::string stratum;            // what part of a sample the pair was drawn for; "" where the line does not say
  std::optional<double> weight;   // how many pairs this one stands for: above 0, at most kHighestWeight
  bool operator==(const LabelLine&) const = default;
};

/// Reads "17 42", "17 42 0.83" (more columns are passed over) or {"a":"x","b":"y"}, perhaps with "similarity":0.83,
/// with "duplicate":true or the grade "label":2, with "weight":40, and with the member `stratum_key`, a string or whole
/// number. Ids are strings or whole numbers, other members are passed over.
/// Returns nothing for a blank line and for one that begins with #. Errors: kInvalidArgument: what was found and what
/// is expected.
[[nodiscard]] Result<std::optional<LabelLine>> parse_label_line(std::string_view line,
                                                                std::string_view stratum_key = "stratum");

}  // namespace neardup::evaluate
