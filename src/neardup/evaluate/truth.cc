#include "neardup/evaluate/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "neardup/base/disjoint_sets.h"

namespace neardup::evaluate {
namespace {

uint64_t pairs_of(uint64_t count) { return count * (count - 1) / 2; }

uint64_t key_of(uint32_t a, uint32_t b) { return uint64_t{std::min(a, b)} << 32 | std::max(a, b); }

bool say_the_same(const LabelledPair& x, const LabelledPair& y) {
  return x.same == y.same && x.grade == y.grade && x.stratum == y.stratum && x.weight == y.weight;
}

// The pairs in order, each once. Errors: a pair that is both.
Status make_distinct(std::vector<LabelledPair>& pairs) {
  for (LabelledPair& pair : pairs)
    if (pair.a > pair.b) std::swap(pair.a, pair.b);
  const auto place = [](const LabelledPair& pair) { return std::pair(key_of(pair.a, pair.b), pair.line); };
  std::sort(pairs.begin(), pairs.end(), [&](const auto& x, const auto& y) { return place(x) < place(y); });
  for (size_t i = 1; i < pairs.size(); ++i) {
    const LabelledPair &before = pairs[i - 1], &pair = pairs[i];
    if (key_of(before.a, before.b) != key_of(pair.a, pair.b) || say_the_same(before, pair)) continue;
    return fail(Code::kInvalidArgument,
                fmt::format("lines {} and {} contradict each other: {}; take one of them out", before.line, pair.line,
                            before.same == pair.same
                                ? "they give the same two documents another label, stratum or weight"
                                : "one says that the two documents are duplicates, the other that they are not"));
  }
  const auto equal = [](const auto& x, const auto& y) { return key_of(x.a, x.b) == key_of(y.a, y.b); };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), equal), pairs.end());
  return {};
}

}  // namespace

void Truth::count_groups(std::span<const uint32_t> group_of, uint32_t num_groups) {
  first_.assign(num_groups + size_t{1}, 0);
  for (const uint32_t group : group_of) ++first_[group + size_t{1}];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  grouped_labels_.resize(group_of.size());
  for (size_t i = 0; i < group_of.size(); ++i) grouped_labels_[next[group_of[i]]++] = labels_[i];
  for (uint32_t g = 0; g < num_groups; ++g)
    std::sort(grouped_labels_.begin() + first_[g], grouped_labels_.begin() + first_[g + size_t{1}]);
}

std::span<const uint32_t> Truth::labels_of(uint32_t group) const {
  return std::span(grouped_labels_).subspan(first_[group], first_[group + size_t{1}] - first_[group]);
}

Truth Truth::from_clusters(std::vector<uint32_t> labels, std::span<const uint32_t> group_of, uint32_t num_groups) {
  Truth truth;
  truth.labels_ = std::move(labels);
  truth.count_groups(group_of, num_groups);
  std::vector<uint32_t> sorted = truth.labels_;
  std::erase(sorted, kNoLabel);
  truth.num_labelled_ = sorted.size();
  std::sort(sorted.begin(), sorted.end());
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::upper_bound(begin, sorted.end(), *begin);
    truth.num_same_ += pairs_of(static_cast<uint64_t>(end - begin));
    begin = end;
  }
  return truth;
}

// Documents that the pairs connect get one label.
void Truth::connect_labels(std::span<const LabelledPair> pairs, uint32_t num_documents) {
  labels_.assign(num_documents, kNoLabel);
  DisjointSets sets(num_documents);
  std::vector<bool> named(num_documents, false);
  for (const LabelledPair& pair : pairs) {
    named[pair.a] = named[pair.b] = true;
    if (pair.same) sets.unite(pair.a, pair.b);
  }
  for (uint32_t i = 0; i < num_documents; ++i) {
    num_labelled_ += named[i];
    if (named[i]) labels_[i] = sets.find(i);
  }
}

Result<Truth> Truth::from_pairs(std::vector<LabelledPair> pairs, bool is_judged, std::span<const uint32_t> group_of,
                                uint32_t num_groups) {
  NEARDUP_TRY(make_distinct(pairs));
  Truth truth;
  truth.is_listed_ = true;
  truth.is_judged_ = is_judged;
  truth.connect_labels(pairs, static_cast<uint32_t>(group_of.size()));
  truth.count_groups(group_of, num_groups);
  truth.listed_.reserve(pairs.size());
  for (const LabelledPair& pair : pairs) {
    (pair.same ? truth.num_same_ : truth.num_different_) += 1;
    truth.listed_.push_back({key_of(group_of[pair.a], group_of[pair.b]), {pair.same ? 1U : 0U, pair.same ? 0U : 1U}});
  }
  auto& listed = truth.listed_;
  std::sort(listed.begin(), listed.end(), [](const auto& x, const auto& y) { return x.groups < y.groups; });
  size_t kept = 0;
  for (size_t i = 0; i < listed.size(); ++i) {
    if (kept > 0 && listed[kept - 1].groups == listed[i].groups) {
      listed[kept - 1].count.same += listed[i].count.same;
      listed[kept - 1].count.different += listed[i].count.different;
    } else {
      listed[kept++] = listed[i];
    }
  }
  listed.resize(kept);
  if (is_judged) truth.judge(pairs, group_of);
  return truth;
}

void Truth::judge(std::span<const LabelledPair> pairs, std::span<const uint32_t> group_of) {
  judged_.reserve(pairs.size());
  for (const LabelledPair& pair : pairs)
    judged_.push_back({.place = place(group_of[pair.a], group_of[pair.b]),
                       .stratum = pair.stratum,
                       .grade = pair.grade,
                       .same = pair.same,
                       .weight = pair.weight});
}

std::vector<uint32_t> Truth::clusters() const {
  uint32_t num_clusters = 0;
  std::vector<uint32_t> of_label, clusters;
  clusters.reserve(labels_.size());
  for (const uint32_t label : labels_) {
    if (label != kNoLabel && label >= of_label.size()) of_label.resize(label + size_t{1}, kNoLabel);
    const bool is_known = label != kNoLabel && of_label[label] != kNoLabel;
    clusters.push_back(is_known ? of_label[label] : num_clusters++);
    if (label != kNoLabel) of_label[label] = clusters.back();
  }
  return clusters;
}

std::vector<uint64_t> Truth::same_of_clusters(std::span<const uint32_t> clusters) const {
  std::vector<uint64_t> same(clusters.size(), 0), members(clusters.size(), 0);
  for (const Counted& counted : listed_)  // the label of a listed document is a document, see connect_labels()
    same[clusters[labels_of(static_cast<uint32_t>(counted.groups >> 32)).front()]] += counted.count.same;
  for (size_t i = 0; i < clusters.size() && !is_listed_; ++i)
    if (labels_[i] != kNoLabel) same[clusters[i]] += members[clusters[i]]++;
  return same;
}

uint64_t Truth::same_labels(uint32_t g, uint32_t h) const {
  const std::span<const uint32_t> left = labels_of(g), right = labels_of(h);
  uint64_t same = 0;
  for (auto a = left.begin(), b = right.begin(); a != left.end() && b != right.end() && *a != kNoLabel;) {
    if (*a != *b) {
      (*a < *b ? a : b) += 1;
      continue;
    }
    const auto a_end = std::upper_bound(a, left.end(), *a), b_end = std::upper_bound(b, right.end(), *b);
    const auto a_count = static_cast<uint64_t>(a_end - a), b_count = static_cast<uint64_t>(b_end - b);
    same += g == h ? pairs_of(a_count) : a_count * b_count;
    a = a_end;
    b = b_end;
  }
  return same;
}

uint32_t Truth::place(uint32_t g, uint32_t h) const {
  const uint64_t key = key_of(g, h);
  const auto found = std::lower_bound(listed_.begin(), listed_.end(), key,
                                      [](const Counted& counted, uint64_t wanted) { return counted.groups < wanted; });
  return found != listed_.end() && found->groups == key ? static_cast<uint32_t>(found - listed_.begin()) : kNoPlace;
}

PairCount Truth::listed(uint32_t g, uint32_t h) const {
  const uint32_t at = place(g, h);
  return at == kNoPlace ? PairCount{} : listed_[at].count;
}

PairCount Truth::between(uint32_t g, uint32_t h) const {
  PairCount count = is_listed_ ? listed(g, h) : PairCount{same_labels(g, h), 0};
  if (is_judged_) return count;
  const uint64_t g_size = labels_of(g).size(), h_size = labels_of(h).size();
  count.different = (g == h ? pairs_of(g_size) : g_size * h_size) - count.same;
  return count;
}

}  // namespace neardup::evaluate
