// What an evaluation means for somebody who must choose a setting.
#pragma once

#include <string>
#include <vector>

#include "neardup/evaluate/evaluation.h"
#include "neardup/evaluate/findings.h"

namespace neardup::evaluate {

/// Returns the setting with the best F1 among those that verify and have a precision of `least_precision`; of equal
/// ones that with the standard's rule, then with the fewest candidates. But where the standard setting is one of them
/// and its F1 less than kSmallDifference below the best, the standard. Where none has that precision: the one that
/// comes nearest to it.
[[nodiscard]] Setting best_setting(const Evaluation& evaluation, double least_precision);

inline constexpr double kSmallDifference = 0.002;

/// Returns whether a setting may be recommended: it verifies its candidates.
[[nodiscard]] bool is_recommendable(const Evaluation& evaluation, const Setting& setting);

/// Returns "--distance 13 --verify origin", or "--bands 64 --verify origin".
[[nodiscard]] std::string setting_text(const Evaluation& evaluation, const Setting& setting);

/// Returns the command that removes duplicates with this setting: INPUT and DIR are to be filled in.
[[nodiscard]] std::string setting_command(const Evaluation& evaluation, const Setting& setting);

/// Returns sentences for people: the recommendation, how it compares with the standard setting, what to beware of, and
/// at last the command. `found`: findings() with the same least_precision.
[[nodiscard]] std::vector<std::string> advice(const Evaluation& evaluation, const Findings& found,
                                              double least_precision);

}  // namespace neardup::evaluate
