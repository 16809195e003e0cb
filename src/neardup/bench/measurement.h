// What a measurement of fingerprinting or joining gives.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace neardup::bench {

/// One measurement. Members below 0 and empty ones are not shown.
struct Measurement {
  std::string bench;
  std::string family = {};  // of fingerprint: simhash or minhash
  uint64_t count = 0;
  int num_threads = 1;
  double seconds = 0;
  double bytes_per_item = 0;
  uint64_t peak_bytes = 0;  // of the program, up to the end of this measurement
  double mb_per_second = -1;
  int max_distance = -1;
  int64_t pairs = -1;
  std::string counted = {};  // what `count` counts, for people: "files", or "bytes" of text; empty: `bench` tells
};

struct Quantiles {
  double p50 = 0, p99 = 0, worst = 0;
};
/// Returns zeros where there are no values.
[[nodiscard]] inline Quantiles quantiles_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values[values.size() * 99 / 100], values.back()};
}

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace neardup::bench
