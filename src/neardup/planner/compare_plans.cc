// A query costs memory held for a time: so without a limit the product of bytes and time is to be least; within one,
// memory that is there costs nothing, and time decides; where none fits, the time of all machines. Prices within a
// tenth are equal, as the model is no better than that, and of those the plan with the fewest bytes is taken: there is
// less to build, to write and to merge (docs/design/planner.md).
// Equal requests give equal plans everywhere: nothing here depends on the machine it runs on but through the constants
// that are passed in. Every plan is checked for completeness before it is offered.
#include "neardup/planner/compare_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "neardup/hamming/plan_text.h"
#include "neardup/planner/flip_search.h"

namespace neardup::planner {
namespace {

constexpr int kMostFlipTables = 8;
constexpr double kNear = 1.1;  // prices nearer than this are equal: the model is not better

double ways_to_choose(int n, int r) {
  double value = 1;
  for (int i = 1; i <= r; ++i) value = value * (n - r + i) / i;
  return value;
}

// The plans of the literature that serve the distance and fit in 64 tables.
std::vector<hamming::Plan> known_plans(int num_bits, int k) {
  std::vector<hamming::Plan> plans{hamming::scan_plan(num_bits, k)};
  for (int choose = 1; choose <= 3 && k > 0; ++choose) {
    if (k + choose <= num_bits && ways_to_choose(k + choose, choose) <= 64) {
      plans.push_back(hamming::permuted_plan(num_bits, k + choose, choose));
    }
  }
  if (k > 0 && (k + 1) * (k + 1) <= 64) plans.push_back(hamming::two_level_plan(num_bits, k + 1, k + 1));
  return plans;
}

void add_new(hamming::Plan plan, std::vector<hamming::Plan>& plans) {
  const auto same = [&](const hamming::Plan& other) { return other.tables == plan.tables; };
  if (std::none_of(plans.begin(), plans.end(), same)) plans.push_back(std::move(plan));
}

std::vector<hamming::Plan> all_plans(const PlanRequest& request, const Workload& workload) {
  std::vector<hamming::Plan> plans = known_plans(request.num_bits, request.max_distance);
  for (const hamming::Plan& plan : request.also) add_new(plan, plans);
  const FlipSearch search(workload, request.machine, request.skew);
  const int most = std::min(kMostFlipTables, request.max_distance + 1);
  for (int tables = 1; tables <= most; ++tables) {
    if (const auto blocks = search.best(tables)) {
      add_new(hamming::flip_plan(request.num_bits, request.max_distance, *blocks), plans);
    }
  }
  return plans;
}

Workload workload_of(const PlanRequest& request) {
  const hamming::Codec codec =
      request.codec.value_or(request.medium == Medium::kRam ? hamming::Codec::kPacked : hamming::Codec::kDelta);
  return {request.num_fingerprints, request.num_bits, request.max_distance, codec, request.medium};
}

// What each machine holds where there must be several: the least number whose share fits.
void share_out(const PlanRequest& request, PlanOption& option) {
  const auto cost_for = [&](uint64_t machines) {
    Workload share = workload_of(request);
    share.codec = option.codec;
    share.num_fingerprints = (share.num_fingerprints + machines - 1) / machines;
    return plan_cost(option.plan, share, request.machine, request.skew);
  };
  const double memory = static_cast<double>(request.memory_bytes);
  option.share = option.cost;
  option.fits = request.memory_bytes == 0 || option.cost.memory_bytes <= memory;
  // Bytes a fingerprint change a little with their number, so the first guess may be too small.
  while (!option.fits && option.machines < request.num_fingerprints && option.share.memory_bytes > memory) {
    const double factor = std::max(1.01, option.share.memory_bytes / memory);
    const double next = std::ceil(static_cast<double>(option.machines) * factor);
    option.machines = static_cast<uint64_t>(std::min(next, static_cast<double>(request.num_fingerprints)));
    option.share = cost_for(option.machines);
  }
}

// What is to be least.
double price_of(const PlanRequest& request, const PlanOption& option, bool any_fits) {
  if (request.memory_bytes == 0) return option.cost.bytes_per_fingerprint * option.cost.batch_ns;
  if (any_fits) return option.fits ? option.cost.batch_ns : std::numeric_limits<double>::infinity();
  return static_cast<double>(option.machines) * option.share.batch_ns;
}

// `is_least`: the choice is the cheapest, not only near it.
std::string reason_for(const PlanRequest& request, const PlanTable& table, bool any_fits, bool is_least) {
  const PlanOption& option = table.options[table.chosen];
  const std::string near = is_least ? "" : ", within a tenth, and the fewest bytes of those";
  if (request.memory_bytes == 0) {
    return fmt::format(
        "{} has the least product of space and time{}: without a memory limit, a query costs the memory "
        "that is held while it runs.",
        option.plan.name, near);
  }
  if (!any_fits) {
    return fmt::format("No plan fits on one machine; {} needs the least machine time for a query{}, on {} machines.",
                       option.plan.name, near, option.machines);
  }
  const auto num_fit =
      std::count_if(table.options.begin(), table.options.end(), [](const PlanOption& o) { return o.fits; });
  return fmt::format("{} answers batches fastest of the {} plans that fit in memory{}.", option.plan.name, num_fit,
                     near);
}

void choose(const PlanRequest& request, PlanTable& table) {
  const auto& options = table.options;
  const bool any_fits = std::any_of(options.begin(), options.end(), [](const PlanOption& o) { return o.fits; });
  double least = std::numeric_limits<double>::infinity();
  for (const PlanOption& option : options) least = std::min(least, price_of(request, option, any_fits));
  table.chosen = options.size();
  for (size_t i = 0; i < options.size(); ++i) {
    if (price_of(request, options[i], any_fits) > kNear * least) continue;
    if (table.chosen == options.size() || options[i].cost.bytes < options[table.chosen].cost.bytes) table.chosen = i;
  }
  const bool is_least = price_of(request, options[table.chosen], any_fits) <= least;
  table.reason = reason_for(request, table, any_fits, is_least);
}

Status check_also(const PlanRequest& request) {
  for (const hamming::Plan& plan : request.also) {
    if (plan.num_bits != request.num_bits || plan.max_distance != request.max_distance) {
      return fail(Code::kInvalidArgument, fmt::format("the plan {} is for another width or distance", plan.name));
    }
  }
  return {};
}

Status check_request(const PlanRequest& request) {
  if (request.num_bits != 64 && request.num_bits != 128) {
    return fail(Code::kInvalidArgument, fmt::format("fingerprints have 64 or 128 bits, found {}", request.num_bits));
  }
  if (request.max_distance < 0 || request.max_distance > request.num_bits / 4) {
    return fail(Code::kInvalidArgument, fmt::format("the distance is 0 to {} for fingerprints of {} bits, found {}",
                                                    request.num_bits / 4, request.num_bits, request.max_distance));
  }
  return check_also(request);
}

}  // namespace

Result<PlanTable> compare_plans(const PlanRequest& request) {
  NEARDUP_TRY(check_request(request));
  const Workload workload = workload_of(request);
  PlanTable table;
  for (hamming::Plan& plan : all_plans(request, workload)) {
    NEARDUP_TRY(hamming::check_plan(plan));
    PlanOption option{std::move(plan), workload.codec, {}, true, 1, {}};
    option.cost = plan_cost(option.plan, workload, request.machine, request.skew);
    share_out(request, option);
    if (request.memory_bytes != 0 && option.share.memory_bytes > static_cast<double>(request.memory_bytes)) continue;
    table.options.push_back(std::move(option));
  }
  if (table.options.empty()) {
    return fail(Code::kMemory,
                fmt::format("no plan fits in {} bytes, not even a machine for every fingerprint; give more "
                            "memory",
                            request.memory_bytes));
  }
  std::stable_sort(table.options.begin(), table.options.end(), [](const PlanOption& a, const PlanOption& b) {
    return a.plan.tables.size() < b.plan.tables.size();
  });
  choose(request, table);
  return table;
}

std::optional<TableShare> share_by_table(const PlanRequest& request, const PlanOption& option) {
  if (request.memory_bytes == 0 || option.fits) return std::nullopt;
  Workload workload = workload_of(request);
  workload.codec = option.codec;
  const double memory = static_cast<double>(request.memory_bytes);
  TableShare share;
  double bytes = 0, batch_ns = 0;
  uint64_t tables = 0;
  for (size_t t = 0; t < option.plan.tables.size(); ++t) {
    const Cost cost = table_cost(workload, request.machine, part_of(option.plan, t, workload, request.skew));
    if (cost.memory_bytes > memory) return std::nullopt;
    if (tables == 0 || bytes + cost.memory_bytes > memory) {
      ++share.machines;
      bytes = batch_ns = 0;
      tables = 0;
    }
    bytes += cost.memory_bytes;
    batch_ns += cost.batch_ns;
    share.tables_each = std::max(share.tables_each, ++tables);
    share.bytes = std::max(share.bytes, bytes);
    share.batch_ns = std::max(share.batch_ns, batch_ns);
  }
  return share;
}

hamming::Plan default_plan(uint64_t num_fingerprints, int num_bits, int max_distance, uint64_t memory_bytes) {
  PlanRequest request;
  request.num_fingerprints = num_fingerprints;
  request.num_bits = num_bits;
  request.max_distance = max_distance;
  request.memory_bytes = memory_bytes;
  auto table = compare_plans(request);
  // A limit that not even a machine for every fingerprint would keep is no reason to have no plan.
  if (!table && memory_bytes != 0) {
    request.memory_bytes = 0;
    table = compare_plans(request);
  }
  if (!table) std::abort();
  return std::move(table->options[table->chosen].plan);
}

}  // namespace neardup::planner
