#include "neardup/evaluate/rand_index.h"

#include <numeric>
#include <utility>

namespace neardup::evaluate {
namespace {

double pairs_among(double count) { return count * (count - 1) / 2; }

}  // namespace

RandIndex::RandIndex(std::span<const uint32_t> labels)
    : labels_(labels), parents_(labels.size()), sizes_(labels.size(), 1), next_(labels.size()) {
  std::iota(parents_.begin(), parents_.end(), 0U);
  std::iota(next_.begin(), next_.end(), 0U);
  std::unordered_map<uint32_t, uint32_t> label_sizes;
  for (uint32_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == kNoLabel) continue;
    ++label_sizes[labels[i]];
    count_of(i, labels[i]) = 1;
  }
  for (const auto& [label, size] : label_sizes) together_in_labels_ += pairs_among(size);
}

uint32_t RandIndex::find(uint32_t document) {
  while (parents_[document] != document) document = parents_[document] = parents_[parents_[document]];
  return document;
}

void RandIndex::move_members(uint32_t from, uint32_t to) {
  uint32_t member = from;
  do {
    const uint32_t label = labels_[member];
    if (label != kNoLabel) {
      const auto found = counts_.find(uint64_t{to} << 32 | label);
      if (found != counts_.end()) together_in_both_ += found->second;
    }
    member = next_[member];
  } while (member != from);
  do {
    if (labels_[member] != kNoLabel) {
      counts_.erase(uint64_t{from} << 32 | labels_[member]);
      ++count_of(to, labels_[member]);
    }
    member = next_[member];
  } while (member != from);
}

void RandIndex::unite(uint32_t a, uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  if (sizes_[a] < sizes_[b]) std::swap(a, b);
  together_here_ += static_cast<double>(sizes_[a]) * sizes_[b];
  move_members(b, a);
  std::swap(next_[a], next_[b]);  // two rings become one
  parents_[b] = a;
  sizes_[a] += sizes_[b];
}

double RandIndex::value() const {
  const double all = pairs_among(static_cast<double>(labels_.size()));
  if (all == 0) return 1;
  const double by_chance = together_here_ * together_in_labels_ / all;
  const double most = (together_here_ + together_in_labels_) / 2;
  return most == by_chance ? 1 : (together_in_both_ - by_chance) / (most - by_chance);
}

}  // namespace neardup::evaluate
