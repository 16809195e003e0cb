// Passages: runs of tokens by which a text that stands inside a longer one is found, chosen by what they say alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace neardup::feature {

/// Tokens of a passage, and passages in a window.
inline constexpr size_t kPassageTokens = 8;
inline constexpr size_t kPassageWindow = 12;

/// Two texts with a run of so many tokens in common have a selected passage in common.
inline constexpr size_t kMeetingRun = kPassageTokens + kPassageWindow - 1;

/// A selected passage: the kPassageTokens tokens from `begin` on.
struct Passage {
  uint64_t hash = 0;
  uint32_t begin = 0;
  bool operator==(const Passage&) const = default;
};

/// Hashes of all runs of kPassageTokens tokens, one after the other: a polynomial of the tokens modulo 2^64, mixed.
/// Equal runs have equal hashes; that two different ones have is expected once in 2^64 pairs.
class PassageHasher {
 public:
  /// Takes the next token, and returns the hash of the last kPassageTokens: of use from the kPassageTokens-th on.
  [[nodiscard]] uint64_t next(std::span<const uint32_t> tokens, size_t at);

 private:
  uint64_t sum_ = 0;
};

/// Calls `visit(hash, begin)` for every run of kPassageTokens tokens in order. Cost: about 2 ns a token.
template <class Visit>
void for_each_passage(std::span<const uint32_t> tokens, const Visit& visit) {
  PassageHasher hasher;
  for (size_t at = 0; at < tokens.size(); ++at) {
    const uint64_t hash = hasher.next(tokens, at);
    if (at + 1 >= kPassageTokens) visit(hash, at + 1 - kPassageTokens);
  }
}

/// Writes the selected passages to `selected`, in order of the text. Of each window of kPassageWindow passages that
/// follow one another (of all, where a text has fewer) the one with the least hash is selected; of equal ones that
/// which a window before has selected, else the last. So which hashes are selected in a run of tokens depends on these
/// alone, and not on the text around. Of a text without repetitions that is about one passage in (kPassageWindow + 1) /
/// 2 = 6.5 tokens. Texts of fewer than kPassageTokens tokens have none. Cost: about 5 ns a token. See: Schleimer,
/// Wilkerson, Aiken 2003, Winnowing, section 3 (robust winnowing). Requires: fewer than 2^32 tokens.
void select_passages(std::span<const uint32_t> tokens, std::vector<Passage>& selected);

/// Writes the hashes of `passages` to `hashes`, ascending, each once.
void take_hashes(std::span<const Passage> passages, std::vector<uint64_t>& hashes);

inline uint64_t PassageHasher::next(std::span<const uint32_t> tokens, size_t at) {
  // Odd, and without pattern: the digits of the golden ratio. The power is that of a token that leaves.
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15ULL;
  constexpr uint64_t kLeaving = [] {
    uint64_t power = 1;
    for (size_t i = 0; i < kPassageTokens; ++i) power *= kMultiplier;
    return power;
  }();
  sum_ = sum_ * kMultiplier + tokens[at] + 1;
  if (at >= kPassageTokens) sum_ -= (uint64_t{tokens[at - kPassageTokens]} + 1) * kLeaving;
  uint64_t hash = sum_ ^ (sum_ >> 32);
  hash *= 0xd6e8feb86659fd93ULL;
  hash ^= hash >> 32;
  hash *= 0xd6e8feb86659fd93ULL;
  return hash ^ (hash >> 32);
}

}  // namespace neardup::feature
