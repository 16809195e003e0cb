#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <vector>

#include "neardup/feature/idf.h"
#include "neardup/feature/idf_impl.h"

namespace neardup::feature {
namespace {

constexpr int kShardBits = 6;
constexpr size_t kFirstSlots = 64;
constexpr size_t kPrefetchAhead = 12;

/// A part of the table that grows alone, so that growing needs little memory beside the table.
class Shard {
 public:
  void prefetch(uint64_t hash) const {
    if (keys_.empty()) return;
    const size_t slot = home(hash);
    __builtin_prefetch(keys_.data() + slot, 1);
    __builtin_prefetch(counts_.data() + slot, 1);
  }

  void add(uint64_t hash, uint32_t count) {
    if (hash == 0) return add_to(zero_count_, count);
    if ((size_ + 1) * 5 > keys_.size() * 4) grow();
    const size_t slot = find(hash);
    size_ += keys_[slot] == 0;
    keys_[slot] = hash;
    add_to(counts_[slot], count);
  }

  template <class Visit>
  void for_each(const Visit& visit) const {
    if (zero_count_ > 0) visit(uint64_t{0}, zero_count_);
    for (size_t slot = 0; slot < keys_.size(); ++slot) {
      if (keys_[slot] != 0) visit(keys_[slot], counts_[slot]);
    }
  }

  [[nodiscard]] size_t size() const { return size_ + (zero_count_ > 0); }
  [[nodiscard]] size_t memory_bytes() const { return keys_.size() * (sizeof(uint64_t) + sizeof(uint32_t)); }

 private:
  static void add_to(uint32_t& value, uint32_t count) {
    const uint32_t room = std::numeric_limits<uint32_t>::max() - value;
    value += std::min(room, count);
  }

  [[nodiscard]] size_t home(uint64_t hash) const {
    return scale_to_range(static_cast<uint32_t>((hash << kShardBits) >> 32), keys_.size());
  }

  [[nodiscard]] size_t find(uint64_t hash) const {
    size_t slot = home(hash);
    while ((keys_[slot] != 0) & (keys_[slot] != hash)) slot = slot + 1 == keys_.size() ? 0 : slot + 1;
    return slot;
  }

  void grow() {
    const std::vector<uint64_t> old_keys = std::move(keys_);
    const std::vector<uint32_t> old_counts = std::move(counts_);
    const size_t num_slots = std::max(kFirstSlots, old_keys.size() + old_keys.size() / 2);
    keys_.assign(num_slots, 0);
    counts_.assign(num_slots, 0);
    for (size_t i = 0; i < old_keys.size(); ++i) {
      if (old_keys[i] == 0) continue;
      const size_t slot = find(old_keys[i]);
      keys_[slot] = old_keys[i];
      counts_[slot] = old_counts[i];
    }
  }

  std::vector<uint64_t> keys_;  // 0 = empty
  std::vector<uint32_t> counts_;
  size_t size_ = 0;
  uint32_t zero_count_ = 0;  // of the hash 0, which marks an empty slot
};

uint32_t median_df(const std::vector<IdfEntry>& entries) {
  if (entries.empty()) return 0;
  std::vector<uint32_t> frequencies(entries.size());
  std::transform(entries.begin(), entries.end(), frequencies.begin(),
                 [](const IdfEntry& e) { return e.num_documents; });
  // Weights ascend as document frequencies descend.
  const auto middle = frequencies.begin() + static_cast<ptrdiff_t>(frequencies.size() / 2);
  std::nth_element(frequencies.begin(), middle, frequencies.end(), std::greater<>());
  return *middle;
}

}  // namespace

struct IdfBuilder::Impl {
  std::array<Shard, size_t{1} << kShardBits> shards;
  uint64_t num_documents = 0;

  Shard& shard(uint64_t hash) { return shards[hash >> (64 - kShardBits)]; }

  [[nodiscard]] std::vector<IdfEntry> sorted_entries() const {
    size_t size = 0;
    for (const Shard& shard : shards) size += shard.size();
    std::vector<IdfEntry> entries;
    entries.reserve(size);
    for (const Shard& shard : shards) {
      const auto begin = static_cast<ptrdiff_t>(entries.size());
      shard.for_each([&entries](uint64_t hash, uint32_t count) {
        entries.push_back({static_cast<uint32_t>(hash), static_cast<uint32_t>(hash >> 32), count});
      });
      std::sort(entries.begin() + begin, entries.end(),
                [](const IdfEntry& a, const IdfEntry& b) { return a.hash() < b.hash(); });
    }
    return entries;
  }
};

IdfBuilder::IdfBuilder() : impl_(std::make_unique<Impl>()) {}
IdfBuilder::IdfBuilder(IdfBuilder&&) noexcept = default;
IdfBuilder& IdfBuilder::operator=(IdfBuilder&&) noexcept = default;
IdfBuilder::~IdfBuilder() = default;

void IdfBuilder::add(std::span<const uint64_t> distinct_hashes) {
  ++impl_->num_documents;
  for (size_t i = 0; i < distinct_hashes.size(); ++i) {
    if (i + kPrefetchAhead < distinct_hashes.size()) {
      const uint64_t ahead = distinct_hashes[i + kPrefetchAhead];
      impl_->shard(ahead).prefetch(ahead);
    }
    impl_->shard(distinct_hashes[i]).add(distinct_hashes[i], 1);
  }
}

void IdfBuilder::merge(const IdfBuilder& other) {
  impl_->num_documents += other.impl_->num_documents;
  for (const Shard& shard : other.impl_->shards) {
    shard.for_each([this](uint64_t hash, uint32_t count) { impl_->shard(hash).add(hash, count); });
  }
}

Status IdfBuilder::merge(const Idf& other) {
  if (!other.impl_->has_counts) {
    return fail(Code::kUnsupported,
                "cannot merge an IDF dictionary whose counts were not kept; build it with keep_counts");
  }
  impl_->num_documents += other.num_documents();
  for (const IdfEntry& entry : other.impl_->counts.entries)
    impl_->shard(entry.hash()).add(entry.hash(), entry.num_documents);
  return {};
}

uint64_t IdfBuilder::num_documents() const { return impl_->num_documents; }

uint64_t IdfBuilder::num_tokens() const {
  uint64_t sum = 0;
  for (const Shard& shard : impl_->shards) sum += shard.size();
  return sum;
}

uint64_t IdfBuilder::memory_bytes() const {
  uint64_t sum = sizeof(Impl);
  for (const Shard& shard : impl_->shards) sum += shard.memory_bytes();
  return sum;
}

std::shared_ptr<const Idf> IdfBuilder::build(const IdfOptions& options) const {
  IdfCounts counts;
  counts.num_documents = impl_->num_documents;
  counts.entries = impl_->sorted_entries();
  counts.num_tokens = counts.entries.size();
  counts.median_df = median_df(counts.entries);
  std::erase_if(counts.entries, [&options](const IdfEntry& e) { return e.num_documents < options.min_documents; });
  return std::make_shared<const Idf>(make_idf(std::move(counts), options.keep_counts));
}

}  // namespace neardup::feature
