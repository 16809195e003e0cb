// One writer, any number of readers, no lock: nothing is ever moved or taken back. An entry is written, then the heads
// of its chains, then the counter; a reader takes the counter once and passes over whatever is younger. So a reader's
// state is a number, and an entry that it counts is whole (release and acquire on the counter and on the heads).
// Chains are by bucket, not by fingerprint: with one chain for each fingerprint an insertion would search its chain,
// and a bucket of many different fingerprints make that quadratic. A long chain costs a query at most a scan of the
// table. docs/design/updates.md, "The table of the newest entries".
// What leads to an entry tells some bits of its fingerprint, and whether the chain goes on behind it: most entries that
// are met are too far off, and nothing need be read of them.
// Each match once: a chain passes over what an earlier table of the plan must meet, as in the static index.
#include "neardup/store/mem_table.h"

#include <algorithm>
#include <array>
#include <bit>

#include "neardup/base/hash.h"

namespace neardup::store {

namespace {

constexpr uint32_t kMinSlots = 1U << 6;
constexpr size_t kProbesAtOnce = 32;
constexpr uint32_t kGoesOn = uint32_t{1} << 31;  // in a link: the chain does, behind the entry
constexpr int kLinkBits = 31;                    // others, of the entry's number, plus 1, and its tag

// Bits of a 32-bit word, without a call where the processor is not known to count.
int count_few_ones(uint32_t word) {
  word -= word >> 1 & 0x55555555;
  word = (word & 0x33333333) + (word >> 2 & 0x33333333);
  return static_cast<int>(((word + (word >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24);
}

// Where `count` neighbouring bits begin of which the fewest are in `prefix`: the others are equal anyway, or nearly.
template <fingerprint::AnyFingerprint F>
int place_of_tag(F prefix, int count) {
  const F ones = (F{1} << count) - 1;
  int best = 0;
  for (int place = 1; place + count <= fingerprint::kBitsOf<F>; ++place)
    if (fingerprint::count_ones<F>(prefix >> place & ones) < fingerprint::count_ones<F>(prefix >> best & ones))
      best = place;
  return best;
}

// Multiplication moves every bit of the bucket's number into the upper ones.
template <fingerprint::AnyFingerprint F>
uint64_t slot_hash(F bucket) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15, kOther = 0xd6e8feb86659fd93;
  if constexpr (sizeof(F) == sizeof(uint64_t)) {
    return bucket * kOdd;
  } else {
    return static_cast<uint64_t>(bucket) * kOdd ^ static_cast<uint64_t>(bucket >> 64) * kOther;
  }
}

// Appends the XOR of `base` with every choice of exactly `count` of the first `end` of `bits`.
template <fingerprint::AnyFingerprint F>
void append_flips(const std::vector<F>& bits, size_t end, int count, F base, std::vector<F>& masks) {
  if (count == 0) {
    masks.push_back(base);
    return;
  }
  for (size_t i = end; i-- > 0;) append_flips(bits, i, count - 1, base ^ bits[i], masks);
}

}  // namespace

// Slot s of `heads` leads to the newest entry of the buckets that fall into it; next[i] to the one before entry i. A
// link is the entry plus 1, 0 for none; above it a tag, as many bits of its fingerprint as there is room for; and
// kGoesOn.
template <fingerprint::AnyFingerprint F>
struct MemTable<F>::Chains {
  F prefix = 0;  // the bits of the bucket, in the fingerprint
  int flips = 0;
  std::vector<F> masks;  // what the buckets of a query differ in from its own
  int entry_bits;        // of a link
  uint32_t tag_mask;     // its tag's
  int tag_place = 0;     // of the fingerprint
  std::unique_ptr<std::atomic<uint32_t>[]> heads;
  std::unique_ptr<uint32_t[]> next;

  Chains(const hamming::TableLayout& layout, uint32_t capacity, size_t num_slots)
      : flips(layout.flips),
        entry_bits(std::bit_width(capacity)),
        tag_mask(~kGoesOn & ~((uint32_t{1} << entry_bits) - 1)),
        heads(std::make_unique<std::atomic<uint32_t>[]>(num_slots)),
        next(std::make_unique_for_overwrite<uint32_t[]>(capacity)) {
    std::vector<F> bits;
    for (int place = 0; place < layout.prefix_bits; ++place) bits.push_back(F{1} << layout.order[place]);
    for (const F bit : bits) prefix |= bit;
    for (int count = 0; count <= flips; ++count) append_flips(bits, bits.size(), count, F{0}, masks);
    tag_place = place_of_tag<F>(prefix, kLinkBits - entry_bits);
  }
  [[nodiscard]] uint32_t tag_of(F fingerprint) const {
    return static_cast<uint32_t>(fingerprint >> tag_place) << entry_bits & tag_mask;
  }
  [[nodiscard]] uint32_t entry_of(uint32_t link) const { return (link & ((uint32_t{1} << entry_bits) - 1)) - 1; }
  [[nodiscard]] bool may_be_within(uint32_t link, F fingerprint, int max_distance) const {
    return count_few_ones((link ^ tag_of(fingerprint)) & tag_mask) <= max_distance;
  }
};

template <fingerprint::AnyFingerprint F>
struct MemTable<F>::Probe {
  F query;
  F bucket;  // a fingerprint of the bucket that is read
  int max_distance;
  MemVersion version;
};

template <fingerprint::AnyFingerprint F>
MemTable<F>::MemTable(const hamming::Plan& plan, uint32_t capacity)
    : capacity_(capacity),
      slot_bits_(std::bit_width(std::bit_ceil(std::max(capacity, kMinSlots)) - 1)),
      fingerprints_(std::make_unique_for_overwrite<F[]>(capacity)),
      documents_(std::make_unique_for_overwrite<uint64_t[]>(capacity)),
      erasures_(std::make_unique_for_overwrite<Erasure[]>(capacity)),
      erasure_heads_(std::make_unique<std::atomic<uint32_t>[]>(size_t{1} << slot_bits_)) {
  double num_probes = 0;
  for (const hamming::TableLayout& layout : plan.tables) num_probes += hamming::num_probes(layout);
  // Where a query would read as many chains as there can be entries, it scans and needs no chains.
  if (num_probes >= capacity_) return;
  num_probes_ = static_cast<size_t>(num_probes);
  for (const hamming::TableLayout& layout : plan.tables)
    chains_.emplace_back(layout, capacity_, size_t{1} << slot_bits_);
}

template <fingerprint::AnyFingerprint F>
MemTable<F>::~MemTable() = default;

template <fingerprint::AnyFingerprint F>
MemVersion MemTable<F>::version() const {
  const uint64_t both = version_.load(std::memory_order_acquire);
  return {static_cast<uint32_t>(both), static_cast<uint32_t>(both >> 32)};
}

template <fingerprint::AnyFingerprint F>
uint64_t MemTable<F>::bytes() const {
  const uint64_t slots = uint64_t{1} << slot_bits_;
  const uint64_t per_entry = sizeof(F) + sizeof(uint64_t) + chains_.size() * sizeof(uint32_t);
  return version().inserted * per_entry + version().erased * sizeof(Erasure) + (chains_.size() + 1) * slots * 4;
}

template <fingerprint::AnyFingerprint F>
void MemTable<F>::prefetch(F fingerprint) const {
  for (const Chains& chains : chains_)
    __builtin_prefetch(&chains.heads[slot_hash<F>(fingerprint & chains.prefix) >> (64 - slot_bits_)], 1);
}

// An entry is whole before a chain leads to it, and in all its chains before the version counts it.
template <fingerprint::AnyFingerprint F>
void MemTable<F>::write_entry(uint32_t entry, F fingerprint, uint64_t document) {
  fingerprints_[entry] = fingerprint;
  documents_[entry] = document;
  // Documents mostly come in ascending order; while they do, contains() can search by halves.
  if (ascending_.load(std::memory_order_relaxed) == entry && (entry == 0 || documents_[entry - 1] <= document))
    ascending_.store(entry + 1, std::memory_order_relaxed);
  for (Chains& chains : chains_) {
    std::atomic<uint32_t>& head = chains.heads[slot_hash<F>(fingerprint & chains.prefix) >> (64 - slot_bits_)];
    const uint32_t next = head.load(std::memory_order_relaxed);
    chains.next[entry] = next;
    head.store((entry + 1) | chains.tag_of(fingerprint) | (next != 0 ? kGoesOn : 0), std::memory_order_release);
  }
}

template <fingerprint::AnyFingerprint F>
void MemTable<F>::write_erasure(uint32_t number, uint64_t document, uint32_t before) {
  std::atomic<uint32_t>& head = erasure_heads_[mix64(document) >> (64 - slot_bits_)];
  erasures_[number] = {document, before, head.load(std::memory_order_relaxed)};
  head.store(number + 1, std::memory_order_release);
}

template <fingerprint::AnyFingerprint F>
void MemTable<F>::insert(F fingerprint, uint64_t document) {
  const uint64_t both = version_.load(std::memory_order_relaxed);  // only this thread writes it
  write_entry(static_cast<uint32_t>(both), fingerprint, document);
  version_.store(both + 1, std::memory_order_release);
}

template <fingerprint::AnyFingerprint F>
void MemTable<F>::erase(uint64_t document) {
  const uint64_t both = version_.load(std::memory_order_relaxed);
  write_erasure(static_cast<uint32_t>(both >> 32), document, static_cast<uint32_t>(both));
  version_.store(both + (uint64_t{1} << 32), std::memory_order_release);
}

template <fingerprint::AnyFingerprint F>
void MemTable<F>::replace(std::span<const uint64_t> erased, std::span<const F> fingerprints,
                          std::span<const uint64_t> documents) {
  const MemVersion now = version();
  for (uint32_t i = 0; i < erased.size(); ++i) write_erasure(now.erased + i, erased[i], now.inserted);
  for (uint32_t i = 0; i < fingerprints.size(); ++i) write_entry(now.inserted + i, fingerprints[i], documents[i]);
  const uint64_t added = (uint64_t{erased.size()} << 32) + fingerprints.size();
  version_.store(version_.load(std::memory_order_relaxed) + added, std::memory_order_release);
}

template <fingerprint::AnyFingerprint F>
bool MemTable<F>::erases(uint64_t document, MemVersion version) const {
  if (version.erased == 0) return false;
  uint32_t at = erasure_heads_[mix64(document) >> (64 - slot_bits_)].load(std::memory_order_acquire);
  for (; at != 0; at = erasures_[at - 1].next)
    if (at <= version.erased && erasures_[at - 1].document == document) return true;
  return false;
}

// The newest visible erasure of a document decides, for it takes away the most.
template <fingerprint::AnyFingerprint F>
bool MemTable<F>::alive(uint32_t entry, MemVersion version) const {
  if (version.erased == 0) return true;
  const uint64_t document = documents_[entry];
  uint32_t at = erasure_heads_[mix64(document) >> (64 - slot_bits_)].load(std::memory_order_acquire);
  for (; at != 0; at = erasures_[at - 1].next)
    if (at <= version.erased && erasures_[at - 1].document == document) return erasures_[at - 1].before <= entry;
  return true;
}

template <fingerprint::AnyFingerprint F>
void MemTable<F>::offer(uint32_t entry, const Probe& probe, std::vector<hamming::Match<F>>& matches) const {
  const int distance = fingerprint::distance_of<F>(fingerprints_[entry], probe.query);
  if (alive(entry, probe.version)) matches.push_back({documents_[entry], fingerprints_[entry], distance});
}

template <fingerprint::AnyFingerprint F>
bool MemTable<F>::met_before(const Chains& chains, F difference) const {
  for (const Chains* earlier = chains_.data(); earlier != &chains; ++earlier)
    if (fingerprint::count_ones<F>(difference & earlier->prefix) <= earlier->flips) return true;
  return false;
}

// A slot may hold entries of other buckets: those are met in their own, if at all.
template <fingerprint::AnyFingerprint F>
void MemTable<F>::walk(const Chains& chains, const Probe& probe, uint32_t first,
                       std::vector<hamming::Match<F>>& matches) const {
  for (uint32_t link = first;; link = chains.next[chains.entry_of(link)]) {
    if (chains.may_be_within(link, probe.query, probe.max_distance))
      meet(chains, probe, chains.entry_of(link), matches);
    if ((link & kGoesOn) == 0) return;
  }
}

template <fingerprint::AnyFingerprint F>
void MemTable<F>::meet(const Chains& chains, const Probe& probe, uint32_t entry,
                       std::vector<hamming::Match<F>>& matches) const {
  if (entry >= probe.version.inserted) return;
  const F difference = fingerprints_[entry] ^ probe.query;
  if (fingerprint::count_ones<F>(difference) > probe.max_distance) return;
  if (((fingerprints_[entry] ^ probe.bucket) & chains.prefix) != 0 || met_before(chains, difference)) return;
  offer(entry, probe, matches);
}

template <fingerprint::AnyFingerprint F>
void MemTable<F>::scan(const Probe& probe, std::vector<hamming::Match<F>>& matches) const {
  for (uint32_t entry = 0; entry < probe.version.inserted; ++entry)
    if (fingerprint::distance_of<F>(fingerprints_[entry], probe.query) <= probe.max_distance)
      offer(entry, probe, matches);
}

// In three steps, so that the waits of the probes for memory overlap: heads, first entries, the rest of the chains.
template <fingerprint::AnyFingerprint F>
void MemTable<F>::query(F query, int max_distance, MemVersion version, std::vector<hamming::Match<F>>& matches) const {
  Probe probe{query, query, max_distance, version};
  if (chains_.empty() || version.inserted <= num_probes_) return scan(probe, matches);
  for (const Chains& chains : chains_) {
    std::array<uint64_t, kProbesAtOnce> slots;
    std::array<uint32_t, kProbesAtOnce> first;
    for (size_t begin = 0; begin < chains.masks.size(); begin += kProbesAtOnce) {
      const size_t count = std::min(kProbesAtOnce, chains.masks.size() - begin);
      for (size_t i = 0; i < count; ++i) {
        slots[i] = slot_hash<F>((query ^ chains.masks[begin + i]) & chains.prefix) >> (64 - slot_bits_);
        __builtin_prefetch(&chains.heads[slots[i]]);
      }
      for (size_t i = 0; i < count; ++i) {
        first[i] = chains.heads[slots[i]].load(std::memory_order_acquire);
        if ((first[i] & kGoesOn) != 0) __builtin_prefetch(&chains.next[chains.entry_of(first[i])]);
      }
      for (size_t i = 0; i < count; ++i) {
        if (first[i] == 0) continue;
        probe.bucket = query ^ chains.masks[begin + i];
        walk(chains, probe, first[i], matches);
      }
    }
  }
}

template <fingerprint::AnyFingerprint F>
bool MemTable<F>::contains(F fingerprint, uint64_t document, MemVersion version) const {
  const auto is_it = [&](uint32_t entry) {
    return documents_[entry] == document && fingerprints_[entry] == fingerprint && alive(entry, version);
  };
  // It may be ahead of the version: entries up to both are sorted and whole.
  const uint32_t ascending = std::min(ascending_.load(std::memory_order_relaxed), version.inserted);
  const uint64_t* first = std::lower_bound(&documents_[0], &documents_[0] + ascending, document);
  auto entry = static_cast<uint32_t>(first - &documents_[0]);
  for (; entry < ascending && documents_[entry] == document; ++entry)
    if (is_it(entry)) return true;
  for (entry = ascending; entry < version.inserted; ++entry)
    if (is_it(entry)) return true;
  return false;
}

template <fingerprint::AnyFingerprint F>
void MemTable<F>::for_each(MemVersion version, const std::function<void(F, uint64_t)>& visit) const {
  for (uint32_t entry = 0; entry < version.inserted; ++entry)
    if (alive(entry, version)) visit(fingerprints_[entry], documents_[entry]);
}

template <fingerprint::AnyFingerprint F>
std::vector<uint64_t> MemTable<F>::erased_documents(MemVersion version) const {
  std::vector<uint64_t> documents;
  for (uint32_t i = 0; i < version.erased; ++i) documents.push_back(erasures_[i].document);
  return documents;
}

template class MemTable<fingerprint::Fingerprint>;
template class MemTable<fingerprint::Fingerprint128>;

}  // namespace neardup::store
