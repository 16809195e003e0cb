#include "neardup/join/table.h"

#include <algorithm>

#include "neardup/join/partition.h"

namespace neardup::join {

Result<Table> Table::build(std::span<const fingerprint::Fingerprint> keys, const BitBlock& block, int num_threads,
                           const Context& context) {
  Table table;
  table.block_ = block;
  table.keys_ = Buffer<uint64_t>(keys.size() + hamming::kPadding);
  table.offsets_ = Buffer<uint32_t>(size_t{block.num_buckets()} + 1);
  const PartitionTarget target{table.keys_.data(), nullptr, table.offsets_.data()};
  NEARDUP_TRY(partition(keys, block, target, {num_threads, context, {}}));
  std::fill_n(table.keys_.data() + keys.size(), hamming::kPadding, 0);
  return table;
}

}  // namespace neardup::join
