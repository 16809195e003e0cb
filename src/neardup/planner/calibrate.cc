// Other work on a machine can only make a measurement longer, never shorter, so the best of 31 is taken, in processor
// time of this thread. Reads that wait for each other and reads that overlap are measured apart, each in four working
// sets, for that is what the caches make of the same instruction. No file is written here: a plan depends on nothing
// but what it is told (docs/design/planner.md).
#include "neardup/planner/calibrate.h"

#include <time.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "neardup/hamming/stored_array.h"
#include "neardup/match/kernels.h"

namespace neardup::planner {
namespace {

constexpr int kRepeats = 31;
constexpr uint64_t kReads = 50'000;
constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;

// Makes the compiler believe that `value` is used.
inline void keep(uint64_t value) { asm volatile("" : : "r"(value)); }

inline uint64_t mixed(uint64_t value) { return (value ^ value >> 29) * kMultiplier; }

// Time that this thread has run: what other programs take of the processor does not count.
double thread_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Returns the least time of several calls of `body`, in nanoseconds for each of `count` steps.
template <class Body>
double best_of(uint64_t count, const Body& body) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepeats; ++i) {
    const double begin = thread_ns();
    body();
    best = std::min(best, (thread_ns() - begin) / static_cast<double>(count));
  }
  return best;
}

// Steps that wait for each other.
double measure_compute() {
  return best_of(kReads, [] {
    uint64_t value = 1;
    for (uint64_t i = 0; i < kReads; ++i) value = mixed(value);
    keep(value);
  });
}

// Random reads in the first 2^bits words, each at a place that the one before it tells.
double measure_read(const uint64_t* words, int bits) {
  uint64_t value = 1;
  return best_of(kReads, [&] {
    for (uint64_t i = 0; i < kReads; ++i) value = words[(value ^ i) * kMultiplier >> (64 - bits)];
    keep(value);
  });
}

// The same with places that are known long before.
double measure_overlapped(const uint64_t* words, int bits) {
  uint64_t seed = 1;
  return best_of(kReads, [&] {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < kReads; ++i) sum += words[++seed * kMultiplier >> (64 - bits)];
    keep(sum);
  });
}

// One of a list with all of another, by the distance kernel of this machine.
double measure_scan() {
  constexpr uint64_t kLeft = 8, kRight = 32'768;
  std::vector<fingerprint::Fingerprint> keys(kRight + match::kPadding);
  for (uint64_t i = 0; i < kRight; ++i) keys[i] = mixed(i + 1) * kMultiplier;
  const std::span<const fingerprint::Fingerprint> all(keys.data(), kRight);
  uint64_t found = 0;
  match::HitBuffer hits(
      [](void* count, std::span<const match::Hit> full) { *static_cast<uint64_t*>(count) += full.size(); }, &found);
  return best_of(kLeft * kRight, [&] {
    match::match_lists(all.first(kLeft), all, 3, hits);
    keep(found);
  });
}

double measure_sort() {
  constexpr uint64_t kKeys = 1 << 16;
  std::vector<uint64_t> keys(kKeys);
  return best_of(kKeys, [&] {
    for (uint64_t i = 0; i < kKeys; ++i) keys[i] = mixed(i + 1) * kMultiplier;
    std::sort(keys.begin(), keys.end());
    keep(keys[0]);
  });
}

// Working sets beyond what may be held: as far apart as the last two.
void extrapolate(std::array<double, 4>& values, size_t from) {
  for (size_t i = std::max<size_t>(from, 2); i < values.size(); ++i) {
    values[i] = std::max(values[i - 1], 2 * values[i - 1] - values[i - 2]);
  }
}

Status measure_memory(uint64_t most_bytes, const Context& context, Machine& machine) {
  const auto& sets = Machine::kWorkingSets;
  size_t measured = 0;
  while (measured < sets.size() && sets[measured] <= static_cast<double>(most_bytes)) ++measured;
  if (measured < 2) return fail(Code::kMemory, "a calibration needs 4 MiB of memory");
  const auto num_words = static_cast<uint64_t>(sets[measured - 1]) / sizeof(uint64_t);
  hamming::StoredArray<uint64_t> words(num_words);
  for (uint64_t i = 0; i < num_words; ++i) {
    if (i % (1 << 20) == 0) NEARDUP_TRY(context.check_cancel());
    words.data()[i] = mixed(i + 1);
  }
  for (size_t i = 0; i < measured; ++i) {
    NEARDUP_TRY(context.check_cancel());
    const int bits = std::countr_zero(static_cast<uint64_t>(sets[i]) / sizeof(uint64_t));
    machine.read_ns[i] = measure_read(std::as_const(words).data(), bits);
    machine.overlapped_ns[i] = measure_overlapped(std::as_const(words).data(), bits);
  }
  extrapolate(machine.read_ns, measured);
  extrapolate(machine.overlapped_ns, measured);
  return {};
}

}  // namespace

Result<Machine> calibrate(uint64_t most_bytes, const Context& context) {
  Machine machine;
  try {
    NEARDUP_TRY(measure_memory(most_bytes, context, machine));
    machine.compute_ns = measure_compute();
    machine.scan_ns = measure_scan();
    NEARDUP_TRY(context.check_cancel());
    machine.sort_ns = measure_sort();
  } catch (const std::bad_alloc&) {
    return fail(Code::kMemory, "the memory for a calibration is not there; give a smaller --memory");
  }
  return machine;
}

}  // namespace neardup::planner
