#include "neardup/engine/online/fingerprint_scan.h"

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

Status FingerprintScan::add(uint32_t number, const PairSide& side) {
  for (size_t which = 0; which < columns_.size(); ++which) {
    Column& column = columns_[which];
    const fingerprint::Fingerprint value = side.fingerprints[which];
    std::vector<uint32_t>& documents = column.documents[value];
    documents.push_back(number);
    if (documents.size() > 1) continue;
    column.values[column.values.size() - match::kPadding] = value;
    column.values.push_back(0);
  }
  return {};
}

uint64_t FingerprintScan::size_bytes() const {
  constexpr uint64_t kNodeBytes = 56;  // of a map, with a list of one
  uint64_t sum = 0;
  for (const Column& column : columns_)
    sum += column.values.capacity() * sizeof(column.values[0]) + column.documents.size() * kNodeBytes;
  return sum;
}

}  // namespace neardup::engine
