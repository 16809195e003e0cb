// A piece holds the counters of its section that are not 0, ascending: for each the distance from the one before, times
// 16, plus its count, as a varint. Of a table that is as large as a corpus has tokens most are 0 in one part.
#include "neardup/verify/commonness_parts.h"

#include <fmt/format.h>
#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>

#include "neardup/base/bytes.h"

namespace neardup::verify {
namespace {

constexpr int kSectionBits = std::countr_zero(kCommonnessSections);
constexpr int kCountBits = 4;

}  // namespace

CommonnessPart::CommonnessPart(uint64_t num_counters)
    : shift_(32 - std::countr_zero(num_counters)), section_shift_(std::countr_zero(num_counters) - kSectionBits) {}

void CommonnessPart::add(std::span<const uint32_t> hashes) {
  for (const uint32_t hash : hashes) counters_.push_back(hash >> shift_);
}

std::vector<CommonnessPart::Piece> CommonnessPart::take() {
  hwy::Sorter()(counters_.data(), counters_.size(), hwy::SortAscending());
  std::vector<Piece> pieces;
  uint64_t next = 0;  // in its section, the counter behind the last one
  for (size_t begin = 0, end = 0; begin < counters_.size(); begin = end) {
    const uint32_t counter = counters_[begin], section = counter >> section_shift_;
    for (end = begin + 1; end < counters_.size() && counters_[end] == counter;) ++end;
    if (pieces.empty() || pieces.back().section != section) {
      pieces.push_back({section, {}});
      next = 0;
    }
    const uint64_t place = counter - (section << section_shift_);
    append_varint(pieces.back().bytes,
                  (place - next) << kCountBits | std::min<uint64_t>(end - begin, Commonness::kMost));
    next = place + 1;
  }
  counters_.clear();
  return pieces;
}

Status CommonnessSection::add(std::string_view piece) {
  ByteReader reader(piece);
  uint64_t next = 0;
  while (!reader.rest().empty()) {
    const uint64_t entry = reader.varint();
    const uint64_t place = next + (entry >> kCountBits);
    if (!reader.ok() || place >= 2 * counters_.size())
      return fail(Code::kCorruption,
                  fmt::format("counts of n-grams are damaged: counter {} of {}", place, 2 * counters_.size()));
    uint8_t& byte = counters_[place / 2];
    const int half = static_cast<int>(place % 2) * 4;
    const uint64_t sum =
        std::min<uint64_t>((byte >> half & Commonness::kMost) + (entry & Commonness::kMost), Commonness::kMost);
    byte = static_cast<uint8_t>((byte & ~(Commonness::kMost << half)) | sum << half);
    next = place + 1;
  }
  return {};
}

}  // namespace neardup::verify
