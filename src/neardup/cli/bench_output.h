// The two forms of what `neardup bench` measures.
#pragma once

#include <string>

#include "neardup/bench/measurement.h"

namespace neardup::cli {

/// Returns one JSON object and a line end.
[[nodiscard]] std::string json_line(const bench::Measurement& measurement);
/// Returns what JSON says of bytes for each document: null where it is zero, as a server may not tell what it keeps
/// (HBase's gateway), and nothing is not what it takes.
[[nodiscard]] std::string bytes_json(double bytes);
/// Returns the same for people, as a part of a line.
[[nodiscard]] std::string bytes_text(double memory_bytes, double disk_bytes);
/// Returns "850 us", "12.3 ms", "1.2 s": how long one call or request took.
[[nodiscard]] std::string latency_text(double microseconds);
/// Returns one line for people.
[[nodiscard]] std::string text_line(const bench::Measurement& measurement);

}  // namespace neardup::cli
