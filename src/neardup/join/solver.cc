// The general join: any distance, any skew. One block of the plan after the other gets a table of each side, in the
// same memory; a plan without tables compares each with each.
// Invariants: all pairs of a problem differ in exactly `spent` bits outside free_bits, so the lemma of docs/hamming.md
// holds again for what is left of the distance on free_bits. `rules` holds the blocks of the levels above and those of
// this level that are done: a pair is given out by the first table that must meet it, at any depth.
// A bucket above eight times its share is not for the kernel. Against another such bucket it is a problem of its own;
// each level takes bits away, so there are at most 64 levels, and where no bits, memory or gain are left each is
// compared with each.
// Proof: docs/hamming.md, "Why it is complete" and "Hot buckets"; what did not help: bench/DEAD_ENDS.md.
#include "neardup/join/solver.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "neardup/base/threads.h"
#include "neardup/join/partition.h"
#include "neardup/join/sample.h"
#include "neardup/join/scan_units.h"
#include "neardup/join/table.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;

// A sub-problem of so many comparisons costs less than making a plan for it.
constexpr double kSmallProblem = 1 << 22;
// A bucket of so many keys gets all threads.
constexpr size_t kHugeBucket = size_t{1} << 17;
// Comparisons between two looks at the cancel flag: about ten milliseconds.
constexpr size_t kComparisons = size_t{1} << 25;
constexpr size_t kRightBlock = size_t{1} << 15;

// An upper bound of the memory that the tables of so many fingerprints take.
int64_t table_bytes(size_t size) { return static_cast<int64_t>(10 * size + partition_scratch_bytes(size)) + (1 << 12); }

// Calls body(index, emitter) for each index on the threads of the crew.
template <class Body>
Status for_each(const EmitterCrew& crew, size_t count, const Context& context, const Body& body) {
  const auto step = [&](size_t index, int thread) -> Status {
    NEARDUP_TRY(context.check_cancel());
    Emitter& emitter = *crew.emitters[static_cast<size_t>(thread)];
    NEARDUP_TRY(body(index, thread));
    return emitter.status();
  };
  if (crew.num_threads > 1) return parallel_for(crew.num_threads, count, step);
  for (size_t index = 0; index < count; ++index) NEARDUP_TRY(step(index, 0));
  return {};
}

class Solver {
 public:
  Solver(const Problem& problem, const EmitterCrew& crew, const Environment& environment)
      : problem_(problem),
        max_distance_(environment.max_distance),
        crew_(crew),
        environment_(environment),
        context_(environment.context) {}

  Status scan(const Rules& rules);
  Status run_table(const JoinBlock& block, const ReadyTables& ready, const Rules& rules, size_t num_tables);

 private:
  Status scan_chunk(size_t begin, size_t end, Emitter& emitter);
  Status build_tables(const BitBlock& block);
  Status match_all(const Rules& rules);
  Status match_hot_range(uint32_t begin, uint32_t end, int thread, const Rules& rules);
  Status match_hot(uint32_t x, const EmitterCrew& crew, const Rules& rules);
  Status match_hot_pair(uint32_t x, uint32_t y, const EmitterCrew& crew, const Rules& rules);

  const Problem& problem_;
  int max_distance_;
  const EmitterCrew& crew_;
  const Environment& environment_;
  const Context& context_;
  JoinBlock block_;
  int num_bits_ = 0;
  double num_tables_ = 1;
  Table left_table_, right_table_;
  match::Buckets left_, right_;  // of the tables at hand, ready or built; one and the same in a self join
  size_t max_bucket_ = 0;        // beyond it a bucket is hot
  std::vector<uint32_t> masks_;  // with at most the block's threshold of ones, 0 among them
  std::mutex mutex_;
  std::vector<uint32_t> huge_;  // buckets left for all threads together
};

Status Solver::scan(const Rules& rules) {
  const size_t chunk = std::clamp<size_t>(kComparisons / (problem_.right.size() + 1), 8, 1024);
  const size_t count = (problem_.left.size() + chunk - 1) / chunk;
  return for_each(crew_, count, context_, [&](size_t index, int thread) {
    Emitter& emitter = *crew_.emitters[static_cast<size_t>(thread)];
    emitter.set_rules(&rules);
    if (environment_.meter != nullptr) environment_.meter->add(1.0 / static_cast<double>(count));
    return scan_chunk(index * chunk, std::min((index + 1) * chunk, problem_.left.size()), emitter);
  });
}

Status Solver::scan_chunk(size_t begin, size_t end, Emitter& emitter) {
  const auto part = problem_.left.subspan(begin, end - begin);
  // Of one set: a chunk with itself and with what stands behind it.
  if (problem_.self) match::match_self(part, max_distance_, emitter.hits());
  for (size_t i = problem_.self ? end : 0; i < problem_.right.size(); i += kRightBlock) {
    NEARDUP_TRY(context_.check_cancel());
    const size_t size = std::min(kRightBlock, problem_.right.size() - i);
    match::match_lists(part, problem_.right.subspan(i, size), max_distance_, emitter.hits());
  }
  emitter.hits().flush();
  return emitter.status();
}

Status Solver::build_tables(const BitBlock& block) {
  NEARDUP_TRY(left_table_.build(problem_.left, block, crew_.num_threads, context_));
  left_ = right_ = left_table_.buckets();
  if (problem_.self) return {};
  NEARDUP_TRY(right_table_.build(problem_.right, block, crew_.num_threads, context_));
  right_ = right_table_.buckets();
  return {};
}

Status Solver::run_table(const JoinBlock& block, const ReadyTables& ready, const Rules& rules, size_t num_tables) {
  block_ = block;
  num_tables_ = static_cast<double>(num_tables);
  num_bits_ = std::popcount(block.mask);
  // At the top level the sorted set is a table of its highest bits already.
  if (ready.mask == block.mask) {
    left_ = ready.left;
    right_ = ready.right;
  } else {
    NEARDUP_TRY(build_tables(BitBlock(block.mask)));
  }
  const size_t largest = std::max(problem_.left.size(), problem_.right.size());
  // Eight times an even share, by the larger side.
  max_bucket_ = std::max<size_t>(64, 8 * (largest >> num_bits_));
  masks_ = masks_within(num_bits_, block.threshold);
  huge_.clear();
  return match_all(rules);
}

Status Solver::match_all(const Rules& rules) {
  const ScanUnits units(left_, right_, problem_.self, num_bits_, block_.threshold, problem_.right.size(), max_bucket_);
  NEARDUP_TRY(for_each(crew_, units.count(), context_, [&](size_t index, int thread) -> Status {
    Emitter& emitter = *crew_.emitters[static_cast<size_t>(thread)];
    emitter.set_rules(&rules);
    const Status scanned = units.scan(index, max_distance_, emitter, context_);
    if (environment_.meter != nullptr)
      environment_.meter->add(1.0 / (num_tables_ * static_cast<double>(units.count())));
    const Status matched = scanned ? match_hot_range(units.begin(index), units.end(index), thread, rules) : scanned;
    emitter.hits().flush();
    return matched;
  }));
  for (const uint32_t x : huge_) NEARDUP_TRY(match_hot(x, crew_, rules));
  return {};
}

Status Solver::match_hot_range(uint32_t begin, uint32_t end, int thread, const Rules& rules) {
  for (uint32_t x = begin; x < end; ++x) {
    if (left_.size(x) <= max_bucket_) continue;
    if (left_.size(x) >= kHugeBucket && crew_.num_threads > 1) {
      const std::lock_guard lock(mutex_);
      huge_.push_back(x);
    } else {
      NEARDUP_TRY(match_hot(x, crew_.alone(thread), rules));
    }
  }
  return {};
}

// Bucket x holds far more than its share: against a small bucket compare directly, against another hot one start
// again on the bits that are left.
Status Solver::match_hot(uint32_t x, const EmitterCrew& crew, const Rules& rules) {
  Emitter& emitter = *crew.emitters[0];
  for (const uint32_t mask : masks_) {
    const uint32_t y = x ^ mask;
    if ((problem_.self && y < x) || right_.size(y) == 0) continue;
    if (right_.size(y) > max_bucket_) {
      NEARDUP_TRY(match_hot_pair(x, y, crew, rules));
    } else {
      NEARDUP_TRY(context_.check_cancel());
      emitter.set_rules(&rules);
      match::match_lists(left_[x], right_[y], max_distance_, emitter.hits());
      emitter.hits().flush();
    }
  }
  return emitter.status();
}

Status Solver::match_hot_pair(uint32_t x, uint32_t y, const EmitterCrew& crew, const Rules& rules) {
  const Problem part{left_[x], right_[y], problem_.self && x == y, problem_.free_bits & ~block_.mask,
                     problem_.spent + std::popcount(x ^ y)};
  return solve_hot(part, rules, crew, environment_);
}

}  // namespace

Status solve(const Problem& problem, const JoinPlan& plan, const ReadyTables& ready, const Rules& rules,
             const EmitterCrew& crew, const Environment& environment) {
  Solver solver(problem, crew, environment);
  if (plan.is_scan()) return solver.scan(rules);
  Rules all = rules;
  for (const JoinBlock& block : plan.blocks) {
    NEARDUP_TRY(solver.run_table(block, ready, all, plan.blocks.size()));
    // Emitters point to `all`: what they hold was met by this block, and is judged before the block is in it.
    for (const auto& emitter : crew.emitters) emitter->hits().flush();
    all.push_back(block);
  }
  return {};
}

Status solve_hot(const Problem& part, const Rules& rules, const EmitterCrew& crew, const Environment& outer) {
  Environment environment = outer;
  environment.meter = nullptr;  // progress is told by the top level
  const JoinPlan scan{{{0, environment.max_distance - part.spent}}, 0};
  const double comparisons = static_cast<double>(part.left.size()) * static_cast<double>(part.right.size());
  // Cheapest question first. A problem that gets no memory is still solved, only more slowly: so a limit changes no
  // result.
  if (comparisons <= kSmallProblem) return solve(part, scan, {}, rules, crew, environment);
  const MemoryShare share(*environment.budget, table_bytes(part.left.size() + (part.self ? 0 : part.right.size())));
  if (!share.taken()) return solve(part, scan, {}, rules, crew, environment);
  const PlanQuery query{part.left.size(), part.right.size(), part.self, part.free_bits,
                        environment.max_distance - part.spent};
  const JoinPlan plan = choose_plan(query);
  const int max_distance = environment.max_distance;
  // In a tight cluster every table meets every pair, and tables are work in vain; the model of choose_plan() cannot
  // know.
  const bool tables = sampled_cost(part, plan, max_distance) < sampled_cost(part, scan, max_distance);
  return solve(part, tables ? plan : scan, {}, rules, crew, environment);
}

}  // namespace neardup::join
