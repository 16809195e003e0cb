#include "neardup/cli/bench_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"

namespace neardup::cli {

std::string json_line(const bench::Measurement& m) {
  const std::string family = m.family.empty() ? "" : fmt::format(",\"family\":\"{}\"", m.family);
  std::string out =
      fmt::format("{{\"bench\":\"{}\"{},\"count\":{},\"threads\":{},\"seconds\":{:.6f},\"per_second\":", m.bench,
                  family, m.count, m.num_threads, m.seconds);
  append_json_number(out, m.seconds > 0 ? std::round(static_cast<double>(m.count) / m.seconds) : 0);
  out += fmt::format(",\"bytes_per_item\":{:.1f},\"peak_bytes\":{}", m.bytes_per_item, m.peak_bytes);
  if (m.mb_per_second >= 0) out += fmt::format(",\"mb_per_second\":{:.4g}", m.mb_per_second);
  if (m.max_distance >= 0) out += fmt::format(",\"distance\":{}", m.max_distance);
  if (m.pairs >= 0) out += fmt::format(",\"pairs\":{}", m.pairs);
  return out + "}\n";
}

std::string latency_text(double microseconds) {
  constexpr double kMilli = 1000, kSecond = 1e6;
  if (microseconds < kMilli - .5) return fmt::format("{:.0f} us", microseconds);
  if (microseconds < kSecond - .5 * kMilli) return fmt::format("{:.3g} ms", microseconds / kMilli);
  return human_seconds(microseconds / kSecond);
}

std::string text_line(const bench::Measurement& m) {
  const bool is_text = m.counted == "bytes";  // whose rate is told as MB/s
  const std::string noun = m.counted.empty() ? "" : " " + m.counted;
  std::string out =
      fmt::format("{}{}{}: {} in {} on {} thread{}", m.bench, m.family.empty() ? "" : " ", m.family,
                  is_text ? human_bytes(static_cast<double>(m.count)) + " of text" : human_count(m.count) + noun,
                  human_seconds(m.seconds), m.num_threads, m.num_threads == 1 ? "" : "s");
  const auto per_second = static_cast<uint64_t>(static_cast<double>(m.count) / std::max(m.seconds, 1e-9));
  if (!is_text) out += fmt::format(", {}{}/s", human_count(per_second), noun);
  if (m.mb_per_second >= 0) out += fmt::format(", {:.1f} MB/s", m.mb_per_second);
  if (m.max_distance >= 0) out += fmt::format(", distance {}", m.max_distance);
  if (m.pairs >= 0) out += fmt::format(", {} pairs", human_count(static_cast<uint64_t>(m.pairs)));
  return out + fmt::format(", peak memory {}\n", human_bytes(static_cast<double>(m.peak_bytes)));
}

std::string bytes_json(double bytes) { return bytes > 0 ? fmt::format("{:.2f}", bytes) : "null"; }

std::string bytes_text(double memory_bytes, double disk_bytes) {
  if (memory_bytes <= 0) return "; its server does not tell its bytes";
  const std::string disk = disk_bytes > 0 ? fmt::format(" and {:.1f} of disk", disk_bytes) : "";
  return fmt::format("; {:.1f} bytes of memory{} for each document", memory_bytes, disk);
}

}  // namespace neardup::cli
