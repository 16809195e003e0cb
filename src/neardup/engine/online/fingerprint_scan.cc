#include "neardup/engine/online/fingerprint_scan.h"

#include "neardup/base/undo.h"
#include "neardup/match/kernels.h"

namespace neardup::engine {

FingerprintScan::FingerprintScan(size_t num_fingerprints, int max_distance)
    : columns_(num_fingerprints), max_distance_(max_distance) {
  for (Column& column : columns_) column.values.resize(match::kPadding);
}

Status FingerprintScan::find(const PairSide& side, std::vector<uint32_t>& found) {
  struct Sink {
    const Column& column;
    std::vector<uint32_t>& found;
  };
  for (size_t which = 0; which < columns_.size(); ++which) {
    const Column& column = columns_[which];
    Sink sink{column, found};
    match::HitBuffer hits(
        [](void* context, std::span<const match::Hit> some) {
          const auto& [of, out] = *static_cast<Sink*>(context);
          for (const match::Hit& hit : some) {
            const std::vector<uint32_t>& documents = of.documents.at(hit.b);
            out.insert(out.end(), documents.begin(), documents.end());
          }
        },
        &sink);
    match::match_lists({&side.fingerprints[which], 1}, {column.values.data(), column.values.size() - match::kPadding},
                       max_distance_, hits);
    hits.flush();
  }
  return {};
}

void FingerprintScan::Column::add(fingerprint::Fingerprint value, uint32_t number) {
  std::vector<uint32_t>& of_value = documents[value];
  if (of_value.empty()) values.push_back(0);
  Undo undo([&] {
    if (of_value.empty()) values.pop_back();
  });
  of_value.push_back(number);
  undo.keep();
  if (of_value.size() == 1) values[values.size() - 1 - match::kPadding] = value;
}

void FingerprintScan::Column::take_back(fingerprint::Fingerprint value) noexcept {
  std::vector<uint32_t>& of_value = documents.find(value)->second;
  of_value.pop_back();
  if (of_value.empty()) values.pop_back();
}

Status FingerprintScan::add(uint32_t number, const PairSide& side) {
  size_t num_added = 0;
  Undo undo([&] {
    while (num_added-- > 0) columns_[num_added].take_back(side.fingerprints[num_added]);
  });
  for (; num_added < columns_.size(); ++num_added) columns_[num_added].add(side.fingerprints[num_added], number);
  undo.keep();
  return {};
}

void FingerprintScan::take_back(uint32_t, const PairSide& side) noexcept {
  for (size_t which = 0; which < columns_.size(); ++which) columns_[which].take_back(side.fingerprints[which]);
}

uint64_t FingerprintScan::size_bytes() const {
  constexpr uint64_t kNodeBytes = 56;  // of a map, with a list of one
  uint64_t sum = 0;
  for (const Column& column : columns_)
    sum += column.values.capacity() * sizeof(column.values[0]) + column.documents.size() * kNodeBytes;
  return sum;
}

}  // namespace neardup::engine
