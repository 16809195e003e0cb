// docs/design/contained.md.
#include "neardup/verify/held.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>
#include <vector>

namespace neardup::verify {
namespace {

/// The runs of a text, and which of them another one has.
class Runs {
 public:
  explicit Runs(std::span<const uint32_t> tokens) : marks_(tokens.size(), 0) {
    runs_.reserve(tokens.size());
    feature::for_each_passage(tokens, [this](uint64_t hash, size_t begin) {
      runs_.push_back({hash, static_cast<uint32_t>(begin)});
    });
    std::ranges::sort(runs_,
                      [](const Run& a, const Run& b) { return std::tie(a.hash, a.begin) < std::tie(b.hash, b.begin); });
    for (size_t i = 0; i < runs_.size(); ++i)
      if (is_first(i)) marks_[runs_[i].begin] = kFirst;
  }

  /// Marks those that `longer` has, once.
  void meet(const RunIndex& longer) {
    for (size_t i = 0; i < runs_.size(); ++i)
      if (is_first(i) && longer.has(runs_[i].hash)) mark_met(i);
  }
  void meet(std::span<const uint32_t> longer) {
    std::vector<uint64_t> filter(std::bit_ceil(runs_.size() * 16 + 64) / 64, 0);  // most runs of `longer` are not here
    // The bit is told by the lowest 6 bits of a hash, its word by those above.
    const auto word_of = [mask = filter.size() - 1](uint64_t hash) { return hash >> 6 & mask; };
    for (const Run& run : runs_) filter[word_of(run.hash)] |= uint64_t{1} << run.hash % 64;
    feature::for_each_passage(longer, [&](uint64_t hash, size_t) {
      if ((filter[word_of(hash)] >> hash % 64 & 1) == 0) return;
      const auto found = std::ranges::lower_bound(runs_, hash, {}, &Run::hash);
      if (found == runs_.end() || found->hash != hash || (marks_[found->begin] & kMet) != 0) return;
      mark_met(static_cast<size_t>(found - runs_.begin()));
    });
  }

  /// Whether a run begins at token `begin` that is met, or that stands nowhere before it.
  [[nodiscard]] bool is_met(size_t begin) const { return (marks_[begin] & kMet) != 0; }
  [[nodiscard]] bool is_first_of_its_kind(size_t begin) const { return (marks_[begin] & kFirst) != 0; }

 private:
  struct Run {
    uint64_t hash;
    uint32_t begin;
  };
  enum Mark : uint8_t { kFirst = 1, kMet = 2 };

  [[nodiscard]] bool is_first(size_t i) const { return i == 0 || runs_[i - 1].hash != runs_[i].hash; }
  // All that are equal to runs_[first].
  void mark_met(size_t first) {
    for (size_t i = first; i < runs_.size() && runs_[i].hash == runs_[first].hash; ++i) marks_[runs_[i].begin] |= kMet;
  }

  std::vector<Run> runs_;       // by hash, then in order of the text
  std::vector<uint8_t> marks_;  // of the run that begins at each token
};

// A token is held where a run that is met begins at it or at one of the kHeldRun - 1 before it; likewise those that are
// not only repeated.
HeldTokens count_held(const Runs& runs, size_t num_tokens, std::span<const uint8_t> is_common) {
  HeldTokens result;
  size_t held_end = 0, new_end = 0;
  for (size_t at = 0; at < num_tokens; ++at) {
    if (runs.is_met(at)) held_end = at + kHeldRun;
    if (runs.is_first_of_its_kind(at)) new_end = at + kHeldRun;
    const bool is_held = at < held_end, is_own = at < new_end && (is_common.empty() || is_common[at] == 0);
    ++result.tokens;
    result.held += is_held ? 1 : 0;
    result.own_tokens += is_own ? 1 : 0;
    result.own_held += is_own && is_held ? 1 : 0;
  }
  return result;
}

template <class Longer>
HeldTokens held_by(std::span<const uint32_t> shorter, const Longer& longer, std::span<const uint8_t> is_common) {
  Runs runs(shorter);
  runs.meet(longer);
  return count_held(runs, shorter.size(), is_common);
}

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
  return held_by(shorter, longer, is_common);
}

HeldTokens held_tokens(std::span<const uint32_t> shorter, const RunIndex& longer, std::span<const uint8_t> is_common) {
  return held_by(shorter, longer, is_common);
}

bool is_held_by_longer(std::span<const uint32_t> a, std::span<const uint32_t> b, double asked) {
  const auto [shorter, longer] = a.size() < b.size() ? std::pair(a, b) : std::pair(b, a);
  if (!is_longer(longer.size(), shorter.size(), asked)) return false;
  return held_tokens(shorter, longer).has_share(share_to_hold(longer.size(), shorter.size(), asked));
}

}  // namespace neardup::verify
