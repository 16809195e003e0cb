// docs/design/contained.md.
#include "neardup/verify/held.h"

#include <algorithm>
#include <bit>

namespace neardup::verify {
namespace {

/// Which runs of a text another one has.
class Runs {
 public:
  explicit Runs(std::span<const uint32_t> tokens) {
    hashes_.reserve(tokens.size());
    feature::for_each_passage(tokens, [this](uint64_t hash, size_t) { hashes_.push_back(hash); });
    std::ranges::sort(hashes_);
    hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
    is_met_.assign(hashes_.size(), 0);
    filter_.assign(std::bit_ceil(hashes_.size() * 16 + 64) / 64, 0);
    for (const uint64_t hash : hashes_) filter_[word_of(hash)] |= uint64_t{1} << hash % 64;
  }

  /// Marks those that `tokens` has.
  void meet(std::span<const uint32_t> tokens) {
    feature::for_each_passage(tokens, [this](uint64_t hash, size_t) {
      if ((filter_[word_of(hash)] >> hash % 64 & 1) == 0) return;
      const auto found = std::ranges::lower_bound(hashes_, hash);
      if (found != hashes_.end() && *found == hash) is_met_[static_cast<size_t>(found - hashes_.begin())] = 1;
    });
  }
  [[nodiscard]] bool is_met(uint64_t hash) const {
    return is_met_[static_cast<size_t>(std::ranges::lower_bound(hashes_, hash) - hashes_.begin())] != 0;
  }

 private:
  // The bit is told by the lowest 6 bits of a hash, its word by those above.
  [[nodiscard]] size_t word_of(uint64_t hash) const { return hash >> 6 & (filter_.size() - 1); }

  std::vector<uint64_t> hashes_;  // ascending, each once
  std::vector<uint8_t> is_met_;
  std::vector<uint64_t> filter_;  // most runs of the other text are in none of this one
};

}  // namespace

void mark_common(std::span<const feature::Passage> passages, const std::vector<bool>& common, size_t num_tokens,
                 std::vector<uint8_t>& is_common) {
  is_common.assign(num_tokens, 0);
  for (size_t i = 0; i < passages.size(); ++i) {
    if (!common[i]) continue;
    const size_t begin = i > 0 && common[i - 1] ? passages[i - 1].begin : passages[i].begin;
    std::fill(is_common.begin() + static_cast<std::ptrdiff_t>(begin),
              is_common.begin() + static_cast<std::ptrdiff_t>(passages[i].begin + feature::kPassageTokens), 1);
  }
}

HeldTokens held_tokens(std::span<const uint32_t> shorter, std::span<const uint32_t> longer,
                       std::span<const uint8_t> is_common) {
  Runs runs(shorter);
  runs.meet(longer);
  HeldTokens result;
  size_t next = 0;  // the first token that is not counted yet
  const auto count = [&](size_t end, bool is_held) {
    for (; next < end; ++next) {
      const bool is_own = is_common.empty() || is_common[next] == 0;
      ++result.tokens;
      result.held += is_held ? 1 : 0;
      result.own_tokens += is_own ? 1 : 0;
      result.own_held += is_own && is_held ? 1 : 0;
    }
  };
  feature::for_each_passage(shorter, [&](uint64_t hash, size_t begin) {
    if (!runs.is_met(hash)) return;
    count(begin, false);
    count(begin + kHeldRun, true);
  });
  count(shorter.size(), false);
  return result;
}

}  // namespace neardup::verify
