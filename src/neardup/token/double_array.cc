#include "neardup/token/double_array.h"

#include <algorithm>
#include <array>
#include <bit>
#include <queue>

namespace neardup::token {
namespace {

constexpr uint32_t kNowhere = 0xFFFFFFFF;
constexpr size_t kLongSearch = 8192;  // bases

/// A node that waits for a place for its children: the keys from `begin` to `end` share `depth` labels.
struct Pending {
  uint64_t heat;
  size_t begin, end;
  size_t depth;
  uint32_t entry;  // of the node
  bool operator<(const Pending& other) const { return heat != other.heat ? heat < other.heat : begin > other.begin; }
};

struct Child {
  uint32_t label;
  size_t begin, end;
  uint64_t heat;
};

/// A set of numbers that is read 64 at a time from anywhere.
class Bits {
 public:
  void resize(size_t size) { words_.resize(size / 64 + 2, 0); }
  void set(size_t i) { words_[i / 64] |= uint64_t{1} << i % 64; }
  [[nodiscard]] uint64_t word(size_t i) const { return words_[i]; }
  /// Bit j says whether i + j is in the set.
  [[nodiscard]] uint64_t window(size_t i) const {
    const size_t shift = i % 64;
    return shift == 0 ? words_[i / 64] : words_[i / 64] >> shift | words_[i / 64 + 1] << (64 - shift);
  }

 private:
  std::vector<uint64_t> words_;
};

/// Places the children of the hottest node first.
class Builder {
 public:
  Builder(std::span<const TrieKey> keys, uint32_t num_labels) : keys_(keys), num_labels_(num_labels) {}

  Result<std::vector<TrieEntry>> build() {
    grow(2 * size_t{num_labels_} + 256);
    is_base_.set(kLeafBase);
    if (!keys_.empty()) place(Pending{0, 0, keys_.size(), 0, kNowhere});
    while (!pending_.empty()) {
      if (used_end_ + num_labels_ > TrieEntry::kMaxBase) {
        return fail(Code::kUnsupported, "a dictionary needs more than 2^24 trie entries; use a smaller one");
      }
      const Pending node = pending_.top();
      pending_.pop();
      place(node);
    }
    entries_.resize(std::max<size_t>(used_end_, last_base_ + 1) + num_labels_ + 1);
    return std::move(entries_);
  }

 private:
  void place(const Pending& node) {
    find_children(node);
    const uint32_t base = node.entry == kNowhere ? kRootBase : find_base();
    is_base_.set(base);
    last_base_ = std::max(last_base_, base);
    if (node.entry != kNowhere) {
      const TrieEntry old = entries_[node.entry];
      entries_[node.entry] = TrieEntry(base, old.label(), old.value());
    }
    for (const Child& child : children_) add(child, base + child.label, node.depth + 1);
  }

  void add(const Child& child, uint32_t entry, size_t depth) {
    const bool is_key = keys_[child.begin].labels.size() == depth;
    entries_[entry] = TrieEntry(kLeafBase, child.label, is_key ? keys_[child.begin].value : 0);
    used_.set(entry);
    used_end_ = std::max<size_t>(used_end_, entry + 1);
    const size_t begin = child.begin + (is_key ? 1 : 0);
    if (begin < child.end) pending_.push({child.heat, begin, child.end, depth, entry});
  }

  void find_children(const Pending& node) {
    children_.clear();
    for (size_t i = node.begin; i < node.end; ++i) {
      const uint32_t label = keys_[i].labels[node.depth];
      if (children_.empty() || children_.back().label != label) children_.push_back({label, i, i, 0});
      children_.back().end = i + 1;
      children_.back().heat += keys_[i].heat;
    }
  }

  /// The first base at which all children fall on free entries, 64 bases at a time.
  uint32_t find_base() {
    while (used_.word(first_free_word_) == ~uint64_t{0}) ++first_free_word_;
    const size_t first_free = first_free_word_ * 64, label = children_.front().label;
    size_t& hint = hints_[std::min(children_.size(), hints_.size() - 1)];
    const size_t start = std::max(first_free > label + kRootBase ? first_free - label : kRootBase + 1, hint);
    for (size_t base = start;; base += 64) {
      if (base + num_labels_ + 128 >= entries_.size()) grow(entries_.size() * 2);
      uint64_t taken = is_base_.window(base);
      for (size_t i = 0; i < children_.size() && ~taken != 0; ++i) taken |= used_.window(base + children_[i].label);
      if (~taken == 0) continue;
      if (base - start > kLongSearch) hint = base;
      return static_cast<uint32_t>(base + static_cast<size_t>(std::countr_one(taken)));
    }
  }

  void grow(size_t size) {
    entries_.resize(size);
    used_.resize(size);
    is_base_.resize(size);
  }

  std::span<const TrieKey> keys_;
  uint32_t num_labels_;
  std::vector<TrieEntry> entries_;
  Bits used_;
  Bits is_base_;
  std::priority_queue<Pending> pending_;
  std::vector<Child> children_;
  size_t first_free_word_ = 0;  // of used_
  // Where nodes of so many children may still find room: behind a long search that others need not repeat.
  std::array<size_t, 16> hints_{};
  size_t used_end_ = 0;
  uint32_t last_base_ = 0;
};

}  // namespace

Result<std::vector<TrieEntry>> build_trie(std::span<const TrieKey> keys, uint32_t num_labels) {
  return Builder(keys, num_labels).build();
}

bool is_sound_trie(std::span<const TrieEntry> entries, uint32_t num_labels, uint32_t max_depth) {
  // Depth of each used entry, found through its parent: the one entry whose base is this one's place less its label.
  constexpr uint32_t kUnknown = 0;
  if (entries.size() < size_t{num_labels} + kRootBase + 1) return false;
  std::vector<uint32_t> owner_of_base(entries.size(), kNowhere);
  for (uint32_t i = 0; i < entries.size(); ++i) {
    const TrieEntry entry = entries[i];
    if (size_t{entry.base()} + num_labels >= entries.size()) return false;
    if (entry.label() == TrieEntry::kNoLabel) continue;
    if (entry.label() == 0 || entry.label() > num_labels || entry.label() > i) return false;
    if (entry.base() == kLeafBase) continue;
    if (entry.base() == kRootBase || owner_of_base[entry.base()] != kNowhere) return false;
    owner_of_base[entry.base()] = i;
  }
  std::vector<uint32_t> depths(entries.size(), kUnknown);
  std::vector<uint32_t> path;
  for (uint32_t i = 0; i < entries.size(); ++i) {
    if (entries[i].label() == TrieEntry::kNoLabel) continue;
    uint32_t at = i;
    uint32_t depth = 0;
    for (path.clear(); depth == 0;) {
      if (depths[at] != kUnknown) {
        depth = depths[at];
        break;
      }
      path.push_back(at);
      if (path.size() > max_depth) return false;
      const uint32_t base = at - entries[at].label();
      if (base == kRootBase) break;
      at = owner_of_base[base];
      if (base == kLeafBase || at == kNowhere) return false;
    }
    while (!path.empty()) {
      depths[path.back()] = ++depth;
      path.pop_back();
    }
    if (depths[i] > max_depth) return false;
  }
  return true;
}

}  // namespace neardup::token
