// Everything is done by places of 3-grams that both texts have: those that occur once in each are anchors, as nothing
// else says for certain which place of one text belongs to which of the other. A bridge lies between two anchors that
// follow each other in both texts, so each gap is looked at once, and the whole is linear but for sorting what is
// replaced.
// most_bridged() bounds the share by one text alone: gaps too long for a bridge stay open whatever the other text is.
// Mostly that ends the matter before the other text is read.
// Why bridges, and their constants: docs/design/content.md, "The second look".
#include "neardup/verify/bridges.h"

#include <algorithm>
#include <bit>

#include "neardup/token/numbers.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/shingles.h"

namespace neardup::verify {
namespace {

using Tokens = std::span<const uint32_t>;

// Finds hashes in an ascending list, by their upper bits first: a step or two each, whatever the hashes are log n.
class HashIndex {
 public:
  explicit HashIndex(std::span<const uint32_t> hashes)
      : hashes_(hashes), shift_(32 - std::max(1, static_cast<int>(std::bit_width(hashes.size())))) {
    begins_.resize((size_t{1} << (32 - shift_)) + 1);
    for (const uint32_t hash : hashes) ++begins_[(hash >> shift_) + 1];
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  }

  // Returns the index of `hash`, or `none`.
  [[nodiscard]] uint32_t find(uint32_t hash, uint32_t none) const {
    const uint32_t* const begin = hashes_.data() + begins_[hash >> shift_];
    const uint32_t* const end = hashes_.data() + begins_[(hash >> shift_) + 1];
    const uint32_t* const found = std::lower_bound(begin, end, hash);
    return found != end && *found == hash ? static_cast<uint32_t>(found - hashes_.data()) : none;
  }

 private:
  std::span<const uint32_t> hashes_;
  int shift_;
  std::vector<uint32_t> begins_;
};

Tokens between(Tokens tokens, size_t from, size_t to) {
  const size_t begin = from + kContentNgram;
  return begin < to ? tokens.subspan(begin, to - begin) : Tokens();
}

bool is_bridge(Tokens a, Tokens b) {
  const auto [less, more] = std::minmax({a.size(), b.size()});
  return more <= kBridgeTokens && more - less <= kBridgeSkew && std::ranges::none_of(a, token::is_marked_number) &&
         std::ranges::none_of(b, token::is_marked_number);
}

// Appends the tokens of `side` that the other one lacks, each as often as it does.
void add_missing(Tokens side, Tokens other, std::vector<uint32_t>& missing) {
  for (size_t i = 0; i < side.size(); ++i)
    if (std::ranges::count(side.first(i), side[i]) >= std::ranges::count(other, side[i])) missing.push_back(side[i]);
}

bool are_many(size_t part, double most, size_t whole) {
  return static_cast<double>(part) > most * static_cast<double>(whole);
}

// Whether too many of `replaced` are in `own` twice or more and never in `other`. Sorts `replaced`.
bool are_renamed(std::vector<uint32_t>& replaced, std::vector<uint32_t> own, std::vector<uint32_t> other) {
  std::ranges::sort(replaced);
  std::ranges::sort(own);
  std::ranges::sort(other);
  size_t renamed = 0;
  for (const uint32_t token : replaced) {
    const auto [begin, end] = std::equal_range(own.begin(), own.end(), token);
    renamed += end - begin > 1 && !std::ranges::binary_search(other, token);
  }
  return are_many(renamed, kMostRenamed, replaced.size());
}

}  // namespace

BridgedText::BridgedText(std::vector<uint32_t> tokens, std::span<const uint32_t> both) : tokens_(std::move(tokens)) {
  if (tokens_.size() < kContentNgram) return;
  hash_ngrams(tokens_, kContentNgram, hashes_);
  both_.resize(hashes_.size());
  const HashIndex index(both);
  for (size_t i = 0; i < hashes_.size(); ++i) both_[i] = index.find(hashes_[i], kNotBoth);
}

uint64_t BridgedText::weight_at(size_t place, const Commonness* common) const {
  return weight_of(hashes_[place], both_[place] == kNotBoth ? 1 : 2, common);
}

// What is too long for a bridge between two 3-grams of both texts, or lies at an end, has none.
double BridgedText::most_bridged(const Commonness* common) const {
  constexpr size_t kLongest = kBridgeTokens + kContentNgram - 1;
  uint64_t all = 0, open = 0, gap = 0;
  size_t begin = 0;  // of the places since the last one that both have
  for (size_t i = 0; i < hashes_.size(); ++i) {
    const uint64_t weight = weight_at(i, common);
    all += weight;
    gap += weight;
    if (both_[i] == kNotBoth) continue;
    if (begin == 0 || i - begin > kLongest) open += gap - weight;
    begin = i + 1;
    gap = 0;
  }
  open += gap;
  return all == 0 ? 0 : static_cast<double>(all - open) / static_cast<double>(all);
}

double BridgedText::bridged(const Commonness* common) const {
  uint64_t all = 0, covered = 0;
  for (size_t i = 0; i < hashes_.size(); ++i) {
    const uint64_t weight = weight_at(i, common);
    all += weight;
    covered += both_[i] != kNotBoth || is_bridged_[i] != 0 ? weight : 0;
  }
  return all == 0 ? 0 : static_cast<double>(covered) / static_cast<double>(all);
}

// Of each 3-gram in both: where it is, if it occurs once; otherwise kNotBoth.
std::vector<uint32_t> BridgedText::places_of_single(size_t num_both) const {
  std::vector<uint32_t> places(num_both, kNotBoth);
  std::vector<char> seen(num_both, 0);
  for (size_t i = 0; i < both_.size(); ++i) {
    if (both_[i] == kNotBoth) continue;
    places[both_[i]] = seen[both_[i]] == 0 ? static_cast<uint32_t>(i) : kNotBoth;
    seen[both_[i]] = 1;
  }
  return places;
}

class Bridges {
 public:
  Bridges(BridgedText& a, BridgedText& b, const Commonness* common) : a_(a), b_(b), common_(common) {
    for (BridgedText* text : {&a_, &b_}) text->is_bridged_.assign(text->hashes_.size(), 0);
  }

  // Looks between each two anchors, 3-grams that occur once in each text, that follow each other in both.
  void build(size_t num_both) {
    const std::vector<uint32_t> in_a = a_.places_of_single(num_both), in_b = b_.places_of_single(num_both);
    const auto next_anchor = [&](const BridgedText& text, size_t place) {
      while (place < text.both_.size() && !is_anchor(text.both_[place], in_a, in_b)) ++place;
      return place;
    };
    std::vector<uint32_t> next_in_b(num_both, BridgedText::kNotBoth);  // the anchor behind each
    for (size_t from = next_anchor(b_, 0), to; from < b_.both_.size(); from = to) {
      to = next_anchor(b_, from + 1);
      if (to < b_.both_.size()) next_in_b[b_.both_[from]] = b_.both_[to];
    }
    for (size_t from = next_anchor(a_, 0), to; from < a_.both_.size(); from = to) {
      to = next_anchor(a_, from + 1);
      if (to < a_.both_.size() && next_in_b[a_.both_[from]] == a_.both_[to])
        build({from, to}, {in_b[a_.both_[from]], in_b[a_.both_[to]]});
    }
  }

 private:
  struct Ends {
    size_t from, to;
    [[nodiscard]] bool is_run() const { return to == from + 1; }
  };

  static bool is_anchor(uint32_t both, const std::vector<uint32_t>& in_a, const std::vector<uint32_t>& in_b) {
    return both != BridgedText::kNotBoth && in_a[both] != BridgedText::kNotBoth && in_b[both] != BridgedText::kNotBoth;
  }

  void build(const Ends& at_a, const Ends& at_b) {
    if (at_a.is_run() && at_b.is_run()) return;
    const Tokens gap_a = between(a_.tokens_, at_a.from, at_a.to), gap_b = between(b_.tokens_, at_b.from, at_b.to);
    if (!is_bridge(gap_a, gap_b) || !is_rare(a_.hashes_[at_a.from]) || !is_rare(a_.hashes_[at_a.to])) return;
    add_missing(gap_a, gap_b, a_.replaced_);
    add_missing(gap_b, gap_a, b_.replaced_);
    for (size_t i = at_a.from; i < at_a.to; ++i) a_.is_bridged_[i] = 1;
    for (size_t i = at_b.from; i < at_b.to; ++i) b_.is_bridged_[i] = 1;
  }

  [[nodiscard]] bool is_rare(uint32_t hash) const { return 4 * weight_of(hash, 2, common_) >= kCommonWeights[0]; }

  BridgedText& a_;
  BridgedText& b_;
  const Commonness* common_;
};

double bridged_share(BridgedText& a, BridgedText& b, size_t num_both, const Commonness* common) {
  Bridges(a, b, common).build(num_both);
  for (const BridgedText* text : {&a, &b})
    if (are_many(text->replaced_.size(), kMostReplaced, text->tokens_.size())) return 0;
  const double share = std::min(a.bridged(common), b.bridged(common));
  if (share < kBridgedThreshold) return share;
  return are_renamed(a.replaced_, a.tokens_, b.tokens_) || are_renamed(b.replaced_, b.tokens_, a.tokens_) ? 0 : share;
}

double bridged_share(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, std::span<const uint32_t> both,
                     const Commonness* common) {
  BridgedText text_a(a, both), text_b(b, both);
  return bridged_share(text_a, text_b, both.size(), common);
}

}  // namespace neardup::verify
