// The fewest parts that fit: with m of them each side is read m times. Both sides are cut into equally many. What is
// counted is an upper bound of everything a pair of parts takes, so that a limit holds; what a skewed set may take
// beyond it comes from a budget that can say no (solver.cc).
#include "neardup/join/parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/join/partition.h"
#include "neardup/join/resolver.h"

namespace neardup::join {
namespace {

// Parts smaller than this are all overhead.
constexpr uint64_t kMinPart = 1024;
// Buffers of pairs and hits, masks, thread stacks.
constexpr uint64_t kThreadBytes = uint64_t{1} << 18;
constexpr uint64_t kBaseBytes = uint64_t{1} << 18;

// Key and share of the offsets in the sorted set and in the table; its further positions where it stands in the set
// more than once.
constexpr uint64_t kBytesPerFingerprint = (8 + 2) + (8 + 2) + 8;

uint64_t parts_of(uint64_t size, uint64_t parts) { return std::max<uint64_t>(1, (size + parts - 1) / parts); }

}  // namespace

uint64_t working_bytes(uint64_t left, uint64_t right, int num_threads) {
  const auto threads = static_cast<uint64_t>(num_threads);
  return kBaseBytes +
         threads * (kThreadBytes + resolve_bytes(kFewestHits) + partition_scratch_bytes(std::max(left, right))) +
         kBytesPerFingerprint * (left + right);
}

Result<PartSizes> choose_parts(uint64_t left, uint64_t right, bool self, int num_threads, uint64_t memory_bytes) {
  if (memory_bytes == 0) memory_bytes = UINT64_MAX;
  if (std::max(left, right) <= kMaxPartSize && working_bytes(left, self ? 0 : right, num_threads) <= memory_bytes)
    return PartSizes{left, right};
  for (uint64_t parts = 2;; ++parts) {
    const PartSizes sizes{parts_of(left, parts), parts_of(right, parts)};
    const uint64_t bytes = working_bytes(sizes.left, sizes.right, num_threads);
    if (std::max(sizes.left, sizes.right) > kMaxPartSize) continue;
    if (bytes <= memory_bytes) return sizes;
    if (std::max(sizes.left, sizes.right) > kMinPart) continue;
    return fail(Code::kMemory,
                fmt::format("joining {} fingerprints on {} threads takes at least {} bytes of memory, the "
                            "limit is {}; raise the limit or use fewer threads",
                            self ? left : left + right, num_threads, bytes, memory_bytes));
  }
}

}  // namespace neardup::join
