// The two forms of what `neardup bench` measures.
#pragma once

#include <string>

#include "neardup/bench/measurement.h"

namespace neardup::cli {

/// Returns one JSON object and a line end.
[[nodiscard]] std::string json_line(const bench::Measurement& measurement);
/// Returns "850 us", "12.3 ms", "1.2 s": how long one call or request took.
[[nodiscard]] std::string latency_text(double microseconds);
/// Returns one line for people.
[[nodiscard]] std::string text_line(const bench::Measurement& measurement);

}  // namespace neardup::cli
