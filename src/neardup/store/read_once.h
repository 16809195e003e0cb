// ReadOnce: a view of a state that reads each record once, for documents that come together and have the same
// candidates.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// A document that was read stays readable when it is erased, as one whose record is not gone yet. Memory: that of the
/// records, of which it keeps kMostBytes and one; others are read each time. Threads: one at a time.
class ReadOnce final : public StoredView {
 public:
  static constexpr size_t kMostBytes = size_t{16} << 20;

  /// `state` must outlive it.
  explicit ReadOnce(const StoreState& state) : state_(state) {}
  [[nodiscard]] Result<bool> read(uint64_t number, HeldRecord& held) const override;
  [[nodiscard]] Result<bool> read_candidate(uint64_t number, std::string_view, HeldRecord& held) const override {
    return read(number, held);
  }
  [[nodiscard]] Result<bool> sees(std::string_view tag, uint64_t number) const override {
    return state_.sees(tag, number);
  }
  [[nodiscard]] Result<std::vector<uint64_t>> kept_whole(const std::vector<uint64_t>& numbers) const override {
    return state_.kept_whole(numbers);
  }

 private:
  const StoreState& state_;
  mutable std::unordered_map<uint64_t, std::unique_ptr<const HeldRecord>> held_;
  mutable size_t size_bytes_ = 0;
};

}  // namespace neardup::store
