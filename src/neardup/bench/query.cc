#include "neardup/bench/query.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/hash.h"
#include "neardup/base/threads.h"
#include "neardup/bench/measurement.h"
#include "neardup/hamming/plan_text.h"
#include "neardup/planner/compare_plans.h"
#include "neardup/planner/cost_model.h"

namespace neardup::bench {
namespace {

using fingerprint::Fingerprint;
using Index = hamming::StaticIndex<Fingerprint>;
using Match = hamming::Match<Fingerprint>;

struct Data {
  MappedFile file;  // in a file or made, for `fingerprints` to view
  std::vector<Fingerprint> made;
  std::span<const Fingerprint> fingerprints;
  std::vector<Fingerprint> queries;
};

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Status write_numbers(const std::string& path, std::span<const Fingerprint> numbers) {
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  NEARDUP_TRY(file.write({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()}));
  return file.commit();
}

Fingerprint near_member(std::span<const Fingerprint> fingerprints, uint64_t seed) {
  Fingerprint value = fingerprints[mix64(seed) % fingerprints.size()];
  for (uint64_t flips = mix64(seed + 1) % 4; flips > 0; --flips) value ^= uint64_t{1} << mix64(seed + 1 + flips) % 64;
  return value;
}

Result<Data> read_data(const std::string& folder) {
  Data data;
  NEARDUP_ASSIGN(data.file, MappedFile::open(folder + "/fingerprints.u64"));
  data.fingerprints = data.file.as<Fingerprint>();
  NEARDUP_ASSIGN(const MappedFile queries, MappedFile::open(folder + "/queries.u64"));
  const auto numbers = queries.as<Fingerprint>();
  data.queries.assign(numbers.begin(), numbers.end());
  return data;
}

Data make_data(const QueryBench& options) {
  Data data;
  data.made = fingerprint::make_fingerprints(options.count, options.spread, options.seed);
  data.fingerprints = data.made;
  data.queries = fingerprint::make_fingerprints(options.num_queries, options.spread, options.seed + 1);
  for (size_t i = 0; i < data.queries.size() && !data.fingerprints.empty(); i += 2) {
    data.queries[i] = near_member(data.fingerprints, mix64(options.seed) + 8 * i);
  }
  return data;
}

// What was written is read from there, so that the index has the memory for itself.
Result<Data> provide_data(const QueryBench& options) {
  if (!options.read_folder.empty()) return read_data(options.read_folder);
  Data data = make_data(options);
  if (options.write_folder.empty()) return data;
  NEARDUP_TRY(create_directories(options.write_folder));
  NEARDUP_TRY(write_numbers(options.write_folder + "/fingerprints.u64", data.fingerprints));
  NEARDUP_TRY(write_numbers(options.write_folder + "/queries.u64", data.queries));
  data = Data();
  return read_data(options.write_folder);
}

struct alignas(64) MatchTally {
  uint64_t matches = 0;
  uint64_t digest = 0;
  std::vector<double> micros;

  void add(size_t query, std::span<const Match> found) {
    matches += found.size();
    for (const Match& match : found) {
      digest += mix64(uint64_t{query} << 32 | match.document) ^ static_cast<uint64_t>(match.distance);
    }
  }
};

void ask_all(const Index& index, std::span<const Fingerprint> queries, size_t first, const QueryBench& options,
             MatchTally& tally) {
  if (options.batch) {
    index.query_batch(queries, options.max_distance,
                      [&](size_t i, std::span<const Match> matches) { tally.add(first + i, matches); });
    return;
  }
  std::vector<Match> matches;
  for (size_t i = 0; i < queries.size(); ++i) {
    matches.clear();
    const double start = wall_seconds();
    index.query(queries[i], options.max_distance, matches);
    tally.micros.push_back((wall_seconds() - start) * 1e6);
    tally.add(first + i, matches);
  }
}

void warm_up(const Index& index, const Data& data, const QueryBench& options) {
  std::vector<Fingerprint> inverted(data.queries.begin(),
                                    data.queries.begin() + std::min<ptrdiff_t>(1000, std::ssize(data.queries)));
  for (Fingerprint& query : inverted) query = ~query;
  MatchTally ignored;
  ask_all(index, inverted, 0, options, ignored);
}

void summarize(std::vector<MatchTally>& tallies, QueryBenchResult& result) {
  std::vector<double> micros;
  for (MatchTally& tally : tallies) {
    result.matches += tally.matches;
    result.digest += tally.digest;
    micros.insert(micros.end(), tally.micros.begin(), tally.micros.end());
  }
  const auto queries = static_cast<double>(std::max<uint64_t>(result.num_queries, 1));
  result.mean_us = result.seconds * 1e6 * result.num_threads / queries;
  if (micros.empty()) return;
  double sum = 0;
  for (const double us : micros) sum += us;
  result.mean_us = sum / static_cast<double>(micros.size());
  const Quantiles quantiles = quantiles_of(std::move(micros));
  result.p50_us = quantiles.p50;
  result.p99_us = quantiles.p99;
}

// Fills what asking all queries once gives.
Status ask_once(const Index& index, std::span<const Fingerprint> queries, const QueryBench& options,
                QueryBenchResult& result) {
  std::vector<MatchTally> tallies(static_cast<size_t>(result.num_threads));
  const double wall = wall_seconds(), cpu = cpu_seconds();
  NEARDUP_TRY(parallel_for(result.num_threads, tallies.size(), [&](size_t t, int) -> Status {
    const size_t begin = queries.size() * t / tallies.size(), end = queries.size() * (t + 1) / tallies.size();
    ask_all(index, queries.subspan(begin, end - begin), begin, options, tallies[t]);
    return {};
  }));
  result.seconds = wall_seconds() - wall;
  result.cpu_us = (cpu_seconds() - cpu) * 1e6 / static_cast<double>(std::max<size_t>(queries.size(), 1));
  summarize(tallies, result);
  return {};
}

Result<hamming::Plan> plan_of(const QueryBench& options, uint64_t count) {
  if (options.plan.empty()) return planner::default_plan(count, 64, options.max_distance);
  return hamming::parse_plan(options.plan, 64, options.max_distance);
}

// Without a limit that of the machine: what is beyond it would be killed, or take the memory of all others.
uint64_t limit_of(const QueryBench& options) {
  if (options.memory_bytes != 0) return options.memory_bytes;
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Says what a run needs before anything is made. Fingerprints in files are mapped: the system may drop them.
Status check_memory(const QueryBench& options) {
  if (!options.read_folder.empty()) return {};
  NEARDUP_ASSIGN(const hamming::Plan plan, plan_of(options, options.count));
  const planner::Workload workload{options.count, 64, options.max_distance, options.codec, {}};
  const double made = 8.0 * (static_cast<double>(options.count) + 2.0 * static_cast<double>(options.num_queries));
  const double needed = made + planner::plan_cost(plan, workload, {}, {}).memory_bytes;
  const uint64_t limit = limit_of(options);
  if (needed <= static_cast<double>(limit)) return {};
  return fail(
      Code::kMemory,
      fmt::format("a measurement of {} fingerprints takes about {:.1f} GB, more than the {:.1f} GB of {}; take a "
                  "--count of {} or less{}",
                  options.count, needed / 1e9, static_cast<double>(limit) / 1e9,
                  options.memory_bytes != 0 ? "--memory" : "this machine",
                  static_cast<uint64_t>(static_cast<double>(options.count) * static_cast<double>(limit) / needed),
                  options.memory_bytes != 0 ? ", or more --memory" : ""));
}

}  // namespace

Result<QueryBenchResult> run_query_bench(const QueryBench& options) {
  NEARDUP_TRY(check_memory(options));
  NEARDUP_ASSIGN(Data data, provide_data(options));
  QueryBenchResult result;
  result.count = data.fingerprints.size();
  result.num_queries = data.queries.size();
  result.num_threads = resolve_num_threads(options.num_threads);
  NEARDUP_ASSIGN(const hamming::Plan plan, plan_of(options, result.count));
  result.plan = plan.name;
  const double wall = wall_seconds(), cpu = cpu_seconds();
  NEARDUP_ASSIGN(const Index index,
                 Index::build(data.fingerprints, {}, plan, {options.codec, 0, options.memory_bytes, options.context}));
  result.build_seconds = wall_seconds() - wall;
  result.build_cpu_seconds = cpu_seconds() - cpu;
  result.index_bytes = index.bytes();
  data.fingerprints = {};
  data.made = {};
  data.file = {};
  warm_up(index, data, options);
  QueryBenchResult best;
  for (int round = 0; round < std::max(1, options.num_rounds); ++round) {
    QueryBenchResult asked = result;
    NEARDUP_TRY(ask_once(index, data.queries, options, asked));
    if (round == 0 || asked.cpu_us < best.cpu_us) best = asked;
  }
  return best;
}

}  // namespace neardup::bench
