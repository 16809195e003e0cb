// Which closed logs become one: many small ones would stay for ever, each with its files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace neardup::store {

/// How much of what may be written again is: what is due, so that checkpoints stay short, or all.
enum class Effort { kDue, kAll };

/// Returns ranges [first, last) of neighbours to be made one log of each, ascending and apart from each other. `sizes`
/// are bytes of records, oldest first. No joined log is longer than `most_bytes`. With Effort::kDue one range at most,
/// of four or more, none longer than all others together but the smallest, so that each byte is written again once for
/// each power of two at most; what is left stays few of each size. With Effort::kAll any two that fit.
[[nodiscard]] std::vector<std::pair<size_t, size_t>> pick_joins(std::span<const uint64_t> sizes, uint64_t most_bytes,
                                                                Effort effort);

}  // namespace neardup::store
