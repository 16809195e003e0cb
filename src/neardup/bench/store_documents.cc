#include "neardup/bench/store_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "neardup/base/hash.h"
#include "neardup/fingerprint/value.h"

namespace neardup::bench {
namespace {

constexpr size_t kMostIdBytes = 40;
constexpr uint64_t kOneInTwenty = 20;

void append_even(uint64_t chance, size_t words, std::vector<uint64_t>& out) {
  for (size_t i = 0; i < words; ++i) out.push_back(mix64(chance + i));
}

void append_fingerprint(uint64_t seed, uint64_t number, size_t words, std::vector<uint64_t>& out) {
  const uint64_t chance = mix64(seed ^ mix64(number));
  if (chance % kOneInTwenty != 0 || number == 0) return append_even(chance, words, out);
  const uint64_t near = chance / kOneInTwenty % number;
  append_even(mix64(seed ^ mix64(near)), words, out);  // of that one, unless it is near another one itself
  for (uint64_t flips = mix64(chance + 1) % 4; flips > 0; --flips) {
    const uint64_t bit = mix64(chance + flips) % (64 * words);
    out[out.size() - words + bit / 64] ^= uint64_t{1} << bit % 64;
  }
}

}  // namespace

StoreDocuments::StoreDocuments(uint64_t seed, uint64_t first, uint64_t count, uint32_t num_bits, uint64_t id_base) {
  const size_t words = num_bits / 64;
  ids_.reserve(count * kMostIdBytes);  // records view them
  words_.reserve(count * words);
  records_.reserve(count);
  for (uint64_t number = first; number < first + count; ++number) {
    const size_t begin = ids_.size();
    fmt::format_to(std::back_inserter(ids_), "https://example.org/{:010}", id_base + number);
    append_fingerprint(seed, number, words, words_);
    store::Record record;
    record.id = std::string_view(ids_).substr(begin);
    record.checksum = {mix64(seed + number), mix64(seed ^ ~number)};
    record.size_bytes = 2000 + number % 1000;
    record.time = 1'700'000'000 + static_cast<int64_t>(number);
    record.fingerprints = std::span(words_).last(words);
    records_.push_back(record);
  }
}

std::vector<std::string_view> StoreDocuments::ids() const {
  std::vector<std::string_view> ids;
  for (const store::Record& record : records_) ids.push_back(record.id);
  return ids;
}

Result<std::optional<store::Likeness>> ByDistance::compare(const store::Record& arriving,
                                                           const store::Record& stored) const {
  const std::span<const uint64_t> a = arriving.fingerprints, b = stored.fingerprints;
  for (size_t begin = 0; begin < std::min(a.size(), b.size()); begin += words_) {
    int distance = 0;
    for (size_t i = begin; i < begin + words_; ++i) distance += fingerprint::distance(a[i], b[i]);
    if (distance > max_distance_) continue;
    return store::Likeness{1 - static_cast<float>(distance) / static_cast<float>(64 * words_),
                           static_cast<uint32_t>(distance)};
  }
  return std::optional<store::Likeness>();
}

}  // namespace neardup::bench
