#include "neardup/bench/store_documents.h"

#include <fmt/format.h>

#include <iterator>

#include "neardup/base/hash.h"
#include "neardup/fingerprint/value.h"

namespace neardup::bench {
namespace {

constexpr size_t kIdBytes = 30;
constexpr uint64_t kOneInTwenty = 20;

uint64_t fingerprint_of(uint64_t seed, uint64_t number) {
  const uint64_t chance = mix64(seed ^ mix64(number));
  if (chance % kOneInTwenty != 0 || number == 0) return mix64(chance);
  const uint64_t near = chance / kOneInTwenty % number;
  uint64_t value = mix64(mix64(seed ^ mix64(near)));  // of that one, unless it is near another one itself
  for (uint64_t flips = mix64(chance + 1) % 4; flips > 0; --flips) value ^= uint64_t{1} << mix64(chance + flips) % 64;
  return value;
}

}  // namespace

StoreDocuments::StoreDocuments(uint64_t seed, uint64_t first, uint64_t count) {
  ids_.reserve(count * kIdBytes);
  fingerprints_.reserve(count);
  records_.reserve(count);
  for (uint64_t number = first; number < first + count; ++number) {
    fmt::format_to(std::back_inserter(ids_), "https://example.org/{:010}", number % 10'000'000'000);
    fingerprints_.push_back(fingerprint_of(seed, number));
    store::Record record;
    record.id = std::string_view(ids_).substr(ids_.size() - kIdBytes);
    record.checksum = {mix64(seed + number), mix64(seed ^ ~number)};
    record.size_bytes = 2000 + number % 1000;
    record.time = 1'700'000'000 + static_cast<int64_t>(number);
    record.fingerprints = {&fingerprints_.back(), 1};
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
  for (size_t i = 0; i < arriving.fingerprints.size() && i < stored.fingerprints.size(); ++i) {
    const int distance = fingerprint::distance(arriving.fingerprints[i], stored.fingerprints[i]);
    if (distance <= max_distance_)
      return store::Likeness{1 - static_cast<float>(distance) / 64, static_cast<uint32_t>(distance)};
  }
  return std::optional<store::Likeness>();
}

}  // namespace neardup::bench
