// bench_join: seconds for all pairs within k bits of made-up fingerprints.
//   bench_join --count N --distance K --threads T [--spread uniform|clustered|biased|dense] [--seed S] [--memory BYTES]
//   [--json]
// With --clusters star|components clusters are made instead, and the pairs are how many stay.
// With --queries Q --file FILE: Q fingerprints in memory with N in a file of raw numbers, made where it is not there.
#include "neardup/bench/join.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

#include "neardup/match/kernels.h"

namespace {

using neardup::fingerprint::Spread;

void print(const neardup::bench::JoinBench& options, const neardup::bench::JoinBenchResult& result, bool json) {
  const double per_second = static_cast<double>(options.count) / result.seconds;
  const double bytes_per_item = static_cast<double>(result.peak_bytes) / static_cast<double>(options.count);
  const char* format =
      json ? "{{\"bench\":\"join\",\"count\":{},\"distance\":{},\"threads\":{},\"seconds\":{:.3f},"
             "\"user_seconds\":{:.3f},\"system_seconds\":{:.3f},\"per_second\":{:.0f},\"bytes_per_item\":{:.1f},\"peak_"
             "bytes\":{},"
             "\"pairs\":{},\"digest\":\"{:016x}\",\"target\":\"{}\"}}\n"
           : "count {} distance {} threads {}: {:.3f} s wall, {:.3f} s user, {:.3f} s system, {:.0f} fingerprints/s, "
             "{:.1f} bytes each, peak {} bytes, {} pairs, digest {:016x}, {}\n";
  fmt::print(fmt::runtime(format), options.count, options.max_distance, result.num_threads, result.seconds,
             result.user_seconds, result.system_seconds, per_second, bytes_per_item, result.peak_bytes, result.pairs,
             result.digest, neardup::match::kernel_target());
}

int usage() {
  fmt::print(stderr,
             "usage: bench_join [--count N] [--distance K] [--threads T] [--spread uniform|clustered|biased|dense] "
             "[--seed S] [--memory BYTES] [--target AVX2] [--queries Q --file FILE] [--json]\n");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  neardup::bench::JoinBench options;
  const std::map<std::string, Spread> spreads{{"uniform", Spread::kUniform},
                                              {"clustered", Spread::kClustered},
                                              {"biased", Spread::kBiased},
                                              {"dense", Spread::kDense}};
  bool json = false;
  uint64_t num_queries = 0;
  std::string path;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--json") {
      json = true;
      continue;
    }
    if (i + 1 == argc) return usage();
    const std::string value = argv[++i];
    const uint64_t number = std::strtoull(value.c_str(), nullptr, 10);
    if (flag == "--count")
      options.count = number;
    else if (flag == "--distance")
      options.max_distance = static_cast<int>(number);
    else if (flag == "--threads")
      options.num_threads = static_cast<int>(number);
    else if (flag == "--seed")
      options.seed = number;
    else if (flag == "--memory")
      options.memory_bytes = number;
    else if (flag == "--clusters")
      options.clusters =
          value == "star" ? neardup::cluster::ClusterKind::kStar : neardup::cluster::ClusterKind::kComponents;
    else if (flag == "--queries")
      num_queries = number;
    else if (flag == "--file")
      path = value;
    else if (flag == "--target" && neardup::match::force_kernel_target(value))
      continue;
    else if (flag == "--spread" && spreads.contains(value))
      options.spread = spreads.at(value);
    else
      return usage();
  }
  const auto result = path.empty() ? neardup::bench::run_join_bench(options)
                                   : neardup::bench::run_stream_bench(options, num_queries, path);
  if (!result) {
    fmt::print(stderr, "bench_join: {}\n", result.error().message);
    return 2;
  }
  print(options, *result, json);
  return 0;
}
