// What a table of any codec can do: hold the sorted keys of one TableLayout and find candidates among them. Queries
// walk through a table by TableSearch (table_search.h), which probes a TableCodec bucket by bucket; packed tables find
// all buckets of a query by themselves and are no TableCodec.
//
// A table of n keys knows the leading known_bits() places of each (all of them, or fewer where the codec leaves out
// what the first table of the plan holds). Candidates are confirmed against the whole fingerprint afterwards, so a
// codec may offer too many, never too few.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/plan.h"

namespace neardup::hamming {

/// A key that may be within reach: its known leading places (the others are 0) and its rank in the table.
template <fingerprint::AnyFingerprint F>
struct TableCandidate {
  F key = 0;
  uint64_t rank = 0;
  bool operator==(const TableCandidate&) const = default;
};

/// One array of a table as it stands in a file: what it is called and its bytes (little-endian numbers).
struct TableSection {
  std::string_view name;
  std::span<const std::byte> bytes;
};

/// A codec. Keys are given sorted and distinct. Sections may be views of a mapped file that outlives the table, each
/// followed by at least 64 readable bytes: opening checks every number that an address is made of, so that no damaged
/// section reads outside of it. A codec that reads many keys in a row faster than one by one may also have
/// read_keys(first_rank, std::span<F> keys), which fills `keys` as key_at() would.
template <class T, class F>
concept TableCodec = requires(const T& table, F key, uint64_t hint, std::vector<TableCandidate<F>>& out,
                              std::span<const F> keys, const TableLayout& layout,
                              std::span<const TableSection> sections) {
  /// Builds the table; `keys` are sorted, distinct, in the layout's order.
  { T::build(keys, layout) } -> std::same_as<T>;
  { T::open(sections, layout, uint64_t{}) } -> std::same_as<Result<T>>;  // (sections, layout, number of keys)
  { table.sections() } -> std::same_as<std::vector<TableSection>>;
  { table.size() } -> std::same_as<uint64_t>;
  { table.known_bits() } -> std::same_as<int>;
  /// First step of a probe for the bucket of `key`: prefetches what locate() reads.
  {table.prefetch_directory(key)};
  /// Second step: returns where the bucket is to be read, and prefetches it.
  { table.locate(key) } -> std::same_as<uint64_t>;
  /// Third step: appends each key of the bucket of `key` (equal first prefix_bits places) whose known places differ
  /// from those of `key` in at most max_distance bits. `key` holds the flips of its prefix already.
  {table.collect(key, hint, int{}, out)};
  /// Returns the ranks [first, last) of the keys whose first `places` (<= known_bits()) equal those of `key`.
  { table.equal_range(key, int{}) } -> std::same_as<std::pair<uint64_t, uint64_t>>;
  /// Returns the known places of the key of that rank.
  { table.key_at(uint64_t{}) } -> std::same_as<F>;
  /// Writes the known places of the keys of ranks first, first + 1, ... to a list: (first, list).
  {table.read_keys(uint64_t{}, std::span<F>{})};
};

}  // namespace neardup::hamming
