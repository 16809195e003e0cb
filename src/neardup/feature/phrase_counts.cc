#include "neardup/feature/phrase_counts.h"

#include <bit>
#include <cmath>
#include <utility>

namespace neardup::feature {
namespace {

// Multiplying by an odd number spreads a pair of small numbers over the bits that tables look at, and can be undone.
constexpr uint64_t kSpread = 0x9e3779b97f4a7c15ULL;

constexpr uint64_t inverse_of(uint64_t odd) {
  uint64_t inverse = odd;  // right in the lowest three bits; each step doubles them (Newton)
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}
static_assert(kSpread * inverse_of(kSpread) == 1);

uint64_t key_of(uint32_t first, uint32_t second) { return (uint64_t{first} << 32 | second) * kSpread; }

std::pair<uint32_t, uint32_t> numbers_of(uint64_t key) {
  const uint64_t both = key * inverse_of(kSpread);
  return {static_cast<uint32_t>(both >> 32), static_cast<uint32_t>(both)};
}

}  // namespace

FrequentWords::FrequentWords(MappedFile file, IdfView view) : file_(std::move(file)), words_(std::move(view)) {
  const size_t num_slots = std::bit_ceil(words_.entries.size() * 2 + 2);
  slots_.assign(num_slots, kNone);
  shift_ = 64 - std::countr_zero(num_slots);
  for (uint32_t i = 0; i < words_.entries.size(); ++i) {
    size_t slot = words_.entries[i].hash() >> shift_;
    while (slots_[slot] != kNone) slot = (slot + 1) & (num_slots - 1);
    slots_[slot] = i;
  }
}

Result<FrequentWords> FrequentWords::open(const std::string& path) {
  NEARDUP_ASSIGN(MappedFile file, MappedFile::open(path));
  NEARDUP_ASSIGN(IdfView view, view_idf(file.bytes(), path));
  return FrequentWords(std::move(file), std::move(view));
}

uint32_t FrequentWords::number_of(uint64_t hash) const {
  for (size_t slot = hash >> shift_;; slot = (slot + 1) & (slots_.size() - 1)) {
    const uint32_t number = slots_[slot];
    if (number == kNone || words_.entries[number].hash() == hash) return number;
  }
}

void FrequentWords::pair_keys(std::span<const uint64_t> tokens, std::vector<uint64_t>& keys) const {
  uint32_t before = kNone;
  for (const uint64_t token : tokens) {
    const uint32_t number = number_of(token);
    if (before != kNone && number != kNone) keys.push_back(key_of(before, number));
    before = number;
  }
}

// Bouma 2009, "Normalized (pointwise) mutual information in collocation extraction", section 3.
double FrequentWords::score(const IdfEntry& first, const IdfEntry& second, uint32_t count) const {
  const auto total = static_cast<double>(words_.head.num_documents);
  const double together = count / total;
  if (together >= 1) return 1;
  const double apart = first.num_documents / total * (second.num_documents / total);
  return std::log(together / apart) / -std::log(together);
}

Result<std::shared_ptr<const Phrases>> FrequentWords::choose(const std::string& pairs_path,
                                                             const PhraseOptions& options) const {
  NEARDUP_ASSIGN(const MappedFile file, MappedFile::open(pairs_path));
  NEARDUP_ASSIGN(const IdfView pairs, view_idf(file.bytes(), pairs_path));
  std::vector<uint64_t> chosen;
  for (const IdfEntry& pair : pairs.entries) {
    const auto [first, second] = numbers_of(pair.hash());
    if (first >= words_.entries.size() || second >= words_.entries.size())
      return fail(Code::kCorruption, "'" + pairs_path + "' counts pairs of other words; learn the phrases again");
    const IdfEntry& a = words_.entries[first];
    const IdfEntry& b = words_.entries[second];
    if (pair.num_documents < options.min_count || score(a, b, pair.num_documents) * 1000 < options.least_score)
      continue;
    chosen.push_back(phrase_hash(a.hash(), b.hash()));
  }
  return std::make_shared<const Phrases>(
      PhraseHead{words_.head.num_documents, options.min_count, options.least_score, words_.head.tokens},
      std::move(chosen));
}

}  // namespace neardup::feature
