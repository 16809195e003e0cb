// Rows that agree in a band are found by sorting 8 bytes a row: half of the band's hash, and the row. Nothing else is
// held, so memory does not depend on the length of signatures, and the words of a bucket come out in ascending order of
// rows, whatever the order in which they were read.
// The half that is not stored chooses the part, so that each bucket lies whole in one part and parts are of one size.
// Equal halves are no proof: who takes a run compares the values (banding.cc).
#include "neardup/join/band_words.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>

#include "neardup/base/hash.h"
#include "neardup/join/block_hashes.h"

namespace neardup::join {
namespace {

// Keeps the words of runs of two and more.
void drop_single(std::vector<uint64_t>& words) {
  size_t kept = 0;
  static_cast<void>(for_each_run(words, [&](std::span<const uint64_t> run) -> Status {
    if (run.size() > 1) kept = static_cast<size_t>(std::ranges::copy(run, words.data() + kept).out - words.data());
    return {};
  }));
  words.resize(kept);
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
  BlockHashes block_hashes(signatures);
  words.clear();
  words.reserve(signatures.count / choice.num_parts + signatures.count / choice.num_parts / 16);
  for (uint32_t block = 0; block < BlockHashes::num_blocks(signatures); ++block) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_TRY(block_hashes.load(block));
    NEARDUP_ASSIGN(const std::span<const uint64_t> hashes, block_hashes.of(band));
    uint32_t row = block_hashes.first_row();
    for (const uint64_t hash : hashes) {
      const uint32_t own = row++;
      if (!choice.leaders.empty() && choice.leaders[own] != own) continue;
      if (uint64_t{static_cast<uint32_t>(hash)} * choice.num_parts >> 32 != choice.part) continue;
      // Where most rows are alike, one part holds most: room for all at once, not by doubling.
      if (words.size() == words.capacity()) words.reserve(signatures.count);
      words.push_back(hash >> 32 << 32 | own);
    }
  }
  hwy::Sorter()(words.data(), words.size(), hwy::SortAscending());
  drop_single(words);
  return {};
}

}  // namespace neardup::join
