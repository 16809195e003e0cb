#include "neardup/cluster/key_parts.h"

#include <hwy/contrib/sort/vqsort.h>

#include <cstring>

#include "neardup/base/bytes.h"

namespace neardup::cluster {
namespace {

constexpr uint64_t kSign = uint64_t{1} << 63;  // ranks may be below 0

static_assert(sizeof(hwy::uint128_t) == 16);

}  // namespace

void KeyParts::add(int64_t rank, std::span<const uint64_t> keys) {
  for (const uint64_t key : keys) {
    const hwy::uint128_t entry{.lo = static_cast<uint64_t>(rank) ^ kSign, .hi = key};
    pieces_[key >> (64 - part_bits_)] += bytes_of_one(entry);
  }
  num_waiting_ += keys.size();
}

std::vector<KeyParts::Piece> KeyParts::take() {
  std::vector<Piece> taken;
  for (uint32_t part = 0; part < pieces_.size(); ++part) {
    if (pieces_[part].empty()) continue;
    taken.push_back({part, std::move(pieces_[part])});
    pieces_[part].clear();
  }
  num_waiting_ = 0;
  return taken;
}

Status KeyPart::add(std::string_view piece) {
  if (piece.size() % sizeof(hwy::uint128_t) != 0)
    return fail(Code::kCorruption, "a piece of keys has " + std::to_string(piece.size()) + " bytes, not 16 a key");
  const size_t before = entries_.size(), count = piece.size() / sizeof(hwy::uint128_t);
  entries_.resize(before + count);
  if (count > 0) std::memcpy(entries_.data() + before, piece.data(), piece.size());
  return {};
}

void KeyPart::sort() {
  hwy::Sorter()(entries_.data(), entries_.size(), hwy::SortAscending());
  next_ = 0;
}

bool KeyPart::next(BucketMember& member) {
  for (; next_ < entries_.size(); ++next_) {
    const uint64_t key = entries_[next_].hi;
    if (!is_bucket_of(next_ + 1, key) && !(next_ > 0 && is_bucket_of(next_ - 1, key))) continue;
    member = {static_cast<int64_t>(key), static_cast<int64_t>(entries_[next_].lo ^ kSign), MemberState::kUndecided};
    ++next_;
    return true;
  }
  entries_.clear();
  next_ = 0;
  return false;
}

}  // namespace neardup::cluster
