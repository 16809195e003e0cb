#include "neardup/store/read_once.h"

#include <utility>

namespace neardup::store {

Result<bool> ReadOnce::read(uint64_t number, HeldRecord& held) const {
  const auto known = held_.find(number);
  if (known != held_.end()) {
    held.show(**known->second);
    return true;
  }
  if (size_bytes_ >= kMostBytes) return state_.read(number, held);
  auto read = std::make_unique<HeldRecord>();
  NEARDUP_ASSIGN(const bool is_there, state_.read(number, *read));
  if (!is_there) return false;
  held.show(**read);
  size_bytes_ += read->size_bytes();
  held_.emplace(number, std::move(read));
  return true;
}

}  // namespace neardup::store
