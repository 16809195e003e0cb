// Stored fingerprints, in memory.
#pragma once

#include <unordered_map>
#include <vector>

#include "neardup/engine/online/candidate_index.h"
#include "neardup/fingerprint/value.h"

namespace neardup::engine {

/// Finds whoever is within max_distance bits in one of the fingerprints: by looking at all, some at a time, since the
/// distances that find edited texts (13 of 64) leave tables nothing to leave out. Cost: about 0.2 ns for each stored
/// fingerprint. Memory: 8 bytes for each, and 40 to 60 for each different one.
class FingerprintScan : public CandidateIndex {
 public:
  FingerprintScan(size_t num_fingerprints, int max_distance);

  [[nodiscard]] Status find(const PairSide& side, std::vector<uint32_t>& found) override;
  [[nodiscard]] Status add(uint32_t number, const PairSide& side) override;
  void take_back(uint32_t number, const PairSide& side) noexcept override;
  [[nodiscard]] uint64_t size_bytes() const override;

 private:
  // The fingerprints of one kind, each once, and behind them what kernels read but do not use. A fingerprint without
  // documents is not among the values.
  struct Column {
    void add(fingerprint::Fingerprint value, uint32_t number);
    void take_back(fingerprint::Fingerprint value) noexcept;

    std::vector<fingerprint::Fingerprint> values;
    std::unordered_map<fingerprint::Fingerprint, std::vector<uint32_t>> documents;
  };

  std::vector<Column> columns_;
  int max_distance_;
};

}  // namespace neardup::engine
