// Predictions of the planner against measurements: builds indexes by a grid of plans and prints predicted / measured.
//
// usage: bench_plan_check [COUNT...]   default 1e5 1e6 1e7. CPU time of one thread for queries, of all for builds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/hamming/plan_text.h"
#include "neardup/hamming/static_index.h"
#include "neardup/planner/calibrate.h"
#include "neardup/planner/compare_plans.h"
#include "neardup/planner/cost_model.h"

namespace neardup {
namespace {

using Index = hamming::StaticIndex<uint64_t>;

struct Case {
  int max_distance;
  const char* plan;  // empty: the planner's choice
  hamming::Codec codec;
};

constexpr hamming::Codec kPacked = hamming::Codec::kPacked, kPlain = hamming::Codec::kPlain,
                         kDelta = hamming::Codec::kDelta;
constexpr Case kCases[] = {
    {3, "", kPacked},
    {3, "permuted:4,1", kPacked},
    {3, "permuted:5,2", kPacked},
    {3, "two_level:4,4", kPacked},
    {3, "permuted:6,3", kPacked},
    {3, "flips:26/1,26/1", kPacked},
    {3, "flips:22/1,21/1", kPacked},
    {3, "flips:24/1,20/0,20/0", kPacked},
    {3, "scan", kPacked},
    {3, "permuted:4,1", kPlain},
    {3, "permuted:5,2", kPlain},
    {3, "flips:24/1,24/1", kPlain},
    {3, "permuted:4,1", kDelta},
    {3, "permuted:5,2", kDelta},
    {3, "flips:24/1,24/1", kDelta},
    {1, "", kPacked},
    {6, "", kPacked},
    {6, "flips:21/2,21/1,22/1", kPacked},
    {6, "permuted:7,1", kPacked},
    {10, "", kPacked},
    {12, "", kPacked},
};

double cpu_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

std::vector<uint64_t> random_fingerprints(uint64_t count, uint64_t seed) {
  std::vector<uint64_t> fingerprints(count);
  for (uint64_t i = 0; i < count; ++i) fingerprints[i] = mix64(mix64(seed) + i);
  return fingerprints;
}

// Half of them near a stored one.
std::vector<uint64_t> make_queries(const std::vector<uint64_t>& fingerprints, uint64_t count, int max_distance) {
  std::vector<uint64_t> queries = random_fingerprints(count, 7);
  for (uint64_t i = 0; i < count; i += 2) {
    uint64_t value = fingerprints[mix64(i) % fingerprints.size()];
    for (uint64_t flips = mix64(i + 1) % (static_cast<uint64_t>(max_distance) + 1); flips > 0; --flips) {
      value ^= uint64_t{1} << mix64(i + flips * 977) % 64;
    }
    queries[i] = value;
  }
  return queries;
}

struct Measured {
  double bytes = 0;
  double build_seconds = 0;
  double batch_ns = std::numeric_limits<double>::infinity();
  double single_ns = std::numeric_limits<double>::infinity();
};

void measure_queries(const Index& index, const std::vector<uint64_t>& queries, int max_distance, Measured& measured) {
  const auto count = static_cast<double>(queries.size());
  for (int round = 0; round < 9; ++round) {
    double begin = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    index.query_batch(queries, max_distance, [](size_t, std::span<const hamming::Match<uint64_t>>) {});
    measured.batch_ns = std::min(measured.batch_ns, (cpu_ns(CLOCK_THREAD_CPUTIME_ID) - begin) / count);
    begin = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    std::vector<hamming::Match<uint64_t>> matches;
    for (const uint64_t query : queries) {
      matches.clear();
      index.query(query, max_distance, matches);
    }
    measured.single_ns = std::min(measured.single_ns, (cpu_ns(CLOCK_THREAD_CPUTIME_ID) - begin) / count);
  }
}

const char* name_of(hamming::Codec codec) { return codec == kPacked ? "packed" : codec == kPlain ? "plain" : "delta"; }

// The greatest factor by which a column of predictions is off.
struct Worst {
  double factor = 1;
  size_t beyond = 0, all = 0;
  double add(double predicted, double measured) {
    const double ratio = predicted / measured, off = std::max(ratio, 1 / ratio);
    factor = std::max(factor, off);
    beyond += off > 2 ? 1 : 0;
    ++all;
    return ratio;
  }
};

class Check {
 public:
  explicit Check(const planner::Machine& machine) : machine_(machine) {
    fmt::print(
        "| N | k | plan | codec | bytes each | ratio | batch us | ratio | alone us | ratio | build s | ratio |\n");
    fmt::print("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  }

  Status run(const std::vector<uint64_t>& fingerprints, const Case& one) {
    NEARDUP_ASSIGN(const hamming::Plan plan, plan_of(fingerprints.size(), one));
    const planner::Workload workload{fingerprints.size(), 64, one.max_distance, one.codec, planner::Medium::kRam};
    const planner::Cost cost = plan_cost(plan, workload, machine_, {});
    constexpr double kBudgetNs = 3e7;  // for each round of queries
    if (cost.batch_ns > kBudgetNs) return {};
    const auto num_queries = static_cast<uint64_t>(std::clamp(kBudgetNs / cost.batch_ns, 10.0, 20'000.0));
    const auto queries = make_queries(fingerprints, num_queries, one.max_distance);
    const double begin = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
    hamming::BuildOptions options;
    options.codec = one.codec;
    options.num_threads = 1;
    NEARDUP_ASSIGN(const Index index, Index::build(fingerprints, {}, plan, options));
    Measured measured;
    measured.build_seconds = (cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - begin) / 1e9;
    measured.bytes = static_cast<double>(index.bytes()) / static_cast<double>(fingerprints.size());
    measure_queries(index, queries, one.max_distance, measured);
    print(fingerprints.size(), one, plan, cost, measured);
    return {};
  }

  void summarize() const {
    for (const auto& [name, worst] :
         {std::pair("bytes", &bytes_), {"batch", &batch_}, {"alone", &single_}, {"build", &build_}}) {
      fmt::print("\n{}: {} of {} within a factor of 2, at most {:.2f} off", name, worst->all - worst->beyond,
                 worst->all, worst->factor);
    }
    fmt::print("\n");
  }

 private:
  static Result<hamming::Plan> plan_of(uint64_t count, const Case& one) {
    if (*one.plan != 0) return hamming::parse_plan(one.plan, 64, one.max_distance);
    return planner::default_plan(count, 64, one.max_distance);
  }
  void print(uint64_t count, const Case& one, const hamming::Plan& plan, const planner::Cost& cost, const Measured& m) {
    fmt::print("| {:.0e} | {} | {}{} | {} | {:.1f} | {:.2f} | {:.3g} | {:.2f} | {:.3g} | {:.2f} | {:.3g} | {:.2f} |\n",
               static_cast<double>(count), one.max_distance, plan.name, *one.plan == 0 ? " *" : "", name_of(one.codec),
               m.bytes, bytes_.add(cost.bytes_per_fingerprint, m.bytes), m.batch_ns / 1e3,
               batch_.add(cost.batch_ns, m.batch_ns), m.single_ns / 1e3, single_.add(cost.single_ns, m.single_ns),
               m.build_seconds, build_.add(cost.build_seconds, m.build_seconds));
    std::fflush(stdout);
  }

  planner::Machine machine_;
  Worst bytes_, batch_, single_, build_;
};

Status run(const std::vector<double>& counts) {
  NEARDUP_ASSIGN(const planner::Machine machine, planner::calibrate(uint64_t{1} << 30, {}));
  fmt::print("```\n{}```\n\n", format_machine(machine));
  Check check(machine);
  for (const double count : counts) {
    const auto fingerprints = random_fingerprints(static_cast<uint64_t>(count), 1);
    for (const Case& one : kCases) NEARDUP_TRY(check.run(fingerprints, one));
  }
  check.summarize();
  return {};
}

}  // namespace
}  // namespace neardup

int main(int argc, char** argv) {
  std::vector<double> counts;
  for (int i = 1; i < argc; ++i) counts.push_back(std::atof(argv[i]));
  if (counts.empty()) counts = {1e5, 1e6, 1e7};
  const neardup::Status status = neardup::run(counts);
  if (!status) fmt::print(stderr, "{}\n", status.error().message);
  return status ? 0 : 1;
}
