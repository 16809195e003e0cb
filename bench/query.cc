// bench_query: microseconds for all within k bits of made-up or given fingerprints.
//   bench_query [--count N] [--queries N] [--distance K] [--threads T] [--plan SPEC] [--codec packed|plain|delta]
//   [--spread uniform|clustered|biased] [--seed S] [--memory BYTES] [--data DIR] [--write-data DIR] [--target AVX2]
//   [--batch 1] [--rounds N]
#include "neardup/bench/query.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <string>

#include "neardup/base/memory.h"
#include "neardup/match/kernels.h"

namespace {

using neardup::bench::QueryBench;
using neardup::bench::QueryBenchResult;
using neardup::fingerprint::Spread;
using neardup::hamming::Codec;

void print(const QueryBench& options, const QueryBenchResult& r) {
  fmt::print(
      "{{\"bench\":\"query\",\"count\":{},\"distance\":{},\"plan\":\"{}\",\"batch\":{},\"threads\":{},\"queries\":{},"
      "\"seconds\":{:.4f},\"mean_us\":{:.3f},\"cpu_us\":{:.3f},\"p50_us\":{:.3f},\"p99_us\":{:.3f},"
      "\"bytes_per_item\":{:.2f},\"peak_bytes\":{},\"build_seconds\":{:.2f},\"build_cpu_seconds\":{:.2f},"
      "\"matches\":{},\"digest\":\"{:016x}\",\"target\":\"{}\"}}\n",
      r.count, options.max_distance, r.plan, options.batch, r.num_threads, r.num_queries, r.seconds, r.mean_us,
      r.cpu_us, r.p50_us, r.p99_us, static_cast<double>(r.index_bytes) / static_cast<double>(r.count),
      neardup::peak_memory_bytes(), r.build_seconds, r.build_cpu_seconds, r.matches, r.digest,
      neardup::match::kernel_target());
}

bool set(QueryBench& options, const std::string& flag, const std::string& value) {
  const std::map<std::string, Spread> spreads{
      {"uniform", Spread::kUniform}, {"clustered", Spread::kClustered}, {"biased", Spread::kBiased}};
  const std::map<std::string, Codec> codecs{
      {"packed", Codec::kPacked}, {"plain", Codec::kPlain}, {"delta", Codec::kDelta}};
  const auto number = static_cast<uint64_t>(std::strtod(value.c_str(), nullptr));
  if (flag == "--count") return options.count = number, true;
  if (flag == "--queries") return options.num_queries = number, true;
  if (flag == "--distance") return options.max_distance = static_cast<int>(number), true;
  if (flag == "--rounds") return options.num_rounds = static_cast<int>(number), true;
  if (flag == "--threads") return options.num_threads = static_cast<int>(number), true;
  if (flag == "--seed") return options.seed = number, true;
  if (flag == "--memory") return options.memory_bytes = number, true;
  if (flag == "--batch") return options.batch = number != 0, true;
  if (flag == "--plan") return options.plan = value, true;
  if (flag == "--data") return options.read_folder = value, true;
  if (flag == "--write-data") return options.write_folder = value, true;
  if (flag == "--target") return neardup::match::force_kernel_target(value);
  if (flag == "--spread" && spreads.contains(value)) return options.spread = spreads.at(value), true;
  if (flag == "--codec" && codecs.contains(value)) return options.codec = codecs.at(value), true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  QueryBench options;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && set(options, argv[i], argv[i + 1])) continue;
    fmt::print(stderr, "bench_query: flags stand at the head of bench/query.cc\n");
    return 1;
  }
  const auto result = neardup::bench::run_query_bench(options);
  if (!result) {
    fmt::print(stderr, "bench_query: {}\n", result.error().message);
    return 2;
  }
  print(options, *result);
  return 0;
}
