// The bits of a block may lie anywhere in a fingerprint, and nothing but grouping is needed: so it is a partition and
// no sort. Memory stays from table to table: fresh pages would have to be cleared by the system each time
// (bench/DEAD_ENDS.md).
#include "neardup/join/table.h"

#include <algorithm>

#include "neardup/join/partition.h"

namespace neardup::join {

Status Table::build(std::span<const fingerprint::Fingerprint> keys, const BitBlock& block, int num_threads,
                    const Context& context) {
  keys_.grow(keys.size() + match::kPadding);
  offsets_.grow(size_t{block.num_buckets()} + 1);
  const PartitionTarget target{keys_.data(), offsets_.data()};
  NEARDUP_TRY(partition(keys, block, target, {num_threads, context, {}}));
  std::fill_n(keys_.data() + keys.size(), match::kPadding, 0);
  return {};
}

}  // namespace neardup::join
