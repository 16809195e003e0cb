// Rows that agree in a band are found by sorting 8 bytes a row: half of the band's hash, and the row. Nothing else is
// held, so memory does not depend on the length of signatures, and the words of a bucket come out in ascending order of
// rows, whatever the order in which they were read.
// The half that is not stored chooses the part, so that each bucket lies whole in one part and parts are of one size.
// Equal halves are no proof: who takes a run compares the values (banding.cc).
#include "neardup/join/band_words.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <numeric>

#include "neardup/base/hash.h"

namespace neardup::join {
namespace {

constexpr uint32_t kRowsAtOnce = 1024;

// Keeps the words of runs of two and more.
void drop_single(std::vector<uint64_t>& words) {
  size_t kept = 0;
  static_cast<void>(for_each_run(words, [&](std::span<const uint64_t> run) -> Status {
    if (run.size() > 1) kept = static_cast<size_t>(std::ranges::copy(run, words.data() + kept).out - words.data());
    return {};
  }));
  words.resize(kept);
}

// Returns rows [first, first + count): where they lie, or copied to `buffer`.
Result<const uint16_t*> rows_from(const SignatureSource& signatures, uint32_t first, uint32_t count,
                                  std::vector<uint16_t>& buffer) {
  const auto width = static_cast<size_t>(signatures.num_values);
  if (signatures.values != nullptr) return signatures.values + first * width;
  std::vector<uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), first);
  buffer.resize(count * width);
  NEARDUP_TRY(signatures.read(rows, buffer.data()));
  return buffer.data();
}

}  // namespace

SignatureSource signatures_in_memory(std::span<const uint16_t> values, int num_values) {
  const auto width = static_cast<size_t>(num_values);
  return {.count = static_cast<uint32_t>(values.size() / width),
          .num_values = num_values,
          .values = values.data(),
          .read = [values, width](std::span<const uint32_t> rows, uint16_t* out) -> Status {
            for (size_t i = 0; i < rows.size(); ++i)
              std::copy_n(values.data() + rows[i] * width, width, out + i * width);
            return {};
          }};
}

uint64_t band_hash(const uint16_t* row, std::span<const uint16_t> band) {
  uint64_t hash = band.size();
  for (size_t i = 0; i < band.size(); i += 4) {
    uint64_t four = 0;
    for (size_t j = i; j < std::min(i + 4, band.size()); ++j) four = four << 16 | row[band[j]];
    hash = mix64((hash + 0x9e3779b97f4a7c15ULL) ^ four);
  }
  return hash;
}

Status find_bucket_words(const SignatureSource& signatures, std::span<const uint16_t> band, const RowChoice& choice,
                         const Context& context, std::vector<uint64_t>& words) {
  const auto width = static_cast<size_t>(signatures.num_values);
  std::vector<uint16_t> buffer;
  words.clear();
  words.reserve(signatures.count / choice.num_parts + signatures.count / choice.num_parts / 16);
  for (uint64_t first = 0; first < signatures.count; first += kRowsAtOnce) {
    NEARDUP_TRY(context.check_cancel());
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(kRowsAtOnce, signatures.count - first));
    NEARDUP_ASSIGN(const uint16_t* values, rows_from(signatures, static_cast<uint32_t>(first), count, buffer));
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t row = static_cast<uint32_t>(first) + i;
      if (!choice.leaders.empty() && choice.leaders[row] != row) continue;
      const uint64_t hash = band_hash(values + i * width, band);
      if (uint64_t{static_cast<uint32_t>(hash)} * choice.num_parts >> 32 != choice.part) continue;
      // Where most rows are alike, one part holds most: room for all at once, not by doubling.
      if (words.size() == words.capacity()) words.reserve(signatures.count);
      words.push_back(hash >> 32 << 32 | row);
    }
  }
  hwy::Sorter()(words.data(), words.size(), hwy::SortAscending());
  drop_single(words);
  return {};
}

}  // namespace neardup::join
