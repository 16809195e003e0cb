#include "neardup/cli/bench_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/json.h"
#include "neardup/base/memory.h"
#include "neardup/base/sizes.h"

namespace neardup::cli {
namespace {

double bytes_per_item(const bench::QueryBenchResult& result) {
  return static_cast<double>(result.index_bytes) / static_cast<double>(std::max<uint64_t>(result.count, 1));
}

double per_second(const bench::QueryBenchResult& result) {
  return static_cast<double>(result.num_queries) / std::max(result.seconds, 1e-9);
}

std::string json_line(const bench::QueryBenchResult& r, const bench::QueryBench& options) {
  std::string out = fmt::format(
      "{{\"bench\":\"query\",\"count\":{},\"threads\":{},\"queries\":{},\"distance\":{},\"batch\":{},\"plan\":",
      r.count, r.num_threads, r.num_queries, options.max_distance, options.batch);
  append_json_string(out, r.plan);
  out += fmt::format(",\"seconds\":{:.6f},\"per_second\":{:.0f},\"bytes_per_item\":{:.2f},\"peak_bytes\":{}", r.seconds,
                     per_second(r), bytes_per_item(r), peak_memory_bytes());
  out += fmt::format(",\"mean_us\":{:.3f},\"cpu_us\":{:.3f}", r.mean_us, r.cpu_us);
  out += options.batch ? ",\"p50_us\":null,\"p99_us\":null"
                       : fmt::format(",\"p50_us\":{:.3f},\"p99_us\":{:.3f}", r.p50_us, r.p99_us);
  return out +
         fmt::format(",\"build_seconds\":{:.3f},\"build_cpu_seconds\":{:.3f},\"matches\":{},\"digest\":\"{:016x}\"}}\n",
                     r.build_seconds, r.build_cpu_seconds, r.matches, r.digest);
}

std::string text_line(const bench::QueryBenchResult& r, const bench::QueryBench& options) {
  std::string out =
      fmt::format("query: {} of {} within {} bits on {} thread{}, {:.2f} us each", human_count(r.num_queries),
                  human_count(r.count), options.max_distance, r.num_threads, r.num_threads == 1 ? "" : "s", r.mean_us);
  if (!options.batch) out += fmt::format(" (half within {:.2f}, 99 % within {:.2f})", r.p50_us, r.p99_us);
  return out + fmt::format(", {} matches, {:.1f} bytes for each fingerprint, built in {}, plan {}, peak memory {}\n",
                           human_count(r.matches), bytes_per_item(r), human_seconds(r.build_seconds), r.plan,
                           human_bytes(static_cast<double>(peak_memory_bytes())));
}

}  // namespace

void define_bench_query_flags(Flags& flags, bench::QueryBench& options) {
  flags.text({"--plan", "PLAN", "Tables to keep, such as flips:26/1,26/1 or permuted:5,2 [one that suits]"},
             options.plan);
  flags.choice<hamming::Codec>(
      {"--codec", "", "How tables are stored"}, options.codec,
      {{"packed", hamming::Codec::kPacked}, {"plain", hamming::Codec::kPlain}, {"delta", hamming::Codec::kDelta}});
  flags.on({"--batch", "", "All queries of a thread in one call, not one by one"}, options.batch);
  flags.whole({"--rounds", "N", "Ask so often; the fastest round counts"}, options.num_rounds, 1, 1'000'000, "1");
  flags.text({"--data", "FOLDER", "Read fingerprints.u64 and queries.u64 from there"}, options.read_folder);
  flags.output({"--write-data", "FOLDER", "Write them there, for other programs to use"}, options.write_folder);
}

Result<std::string> bench_query(bench::QueryBench options, bool json) {
  const bench::QueryBench defaults;
  if (options.count == 0) options.count = defaults.count;
  if (options.num_queries == 0) options.num_queries = defaults.num_queries;
  NEARDUP_ASSIGN(const bench::QueryBenchResult result, bench::run_query_bench(options));
  return json ? json_line(result, options) : text_line(result, options);
}

}  // namespace neardup::cli
