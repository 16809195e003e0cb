#include "neardup/store/open_records.h"

#include <algorithm>

#include "neardup/base/open_files.h"

namespace neardup::store {
namespace {

constexpr uint64_t kFewest = 16, kMost = 4096;

size_t most_open() { return static_cast<size_t>(std::clamp(raise_open_files(0) / 4, kFewest, kMost)); }

}  // namespace

OpenRecords& OpenRecords::of_process() {
  static OpenRecords all;
  return all;
}

// The hand passes each one twice at most: the first time it forgets that it was used.
void OpenRecords::add(const Closable& file) {
  const std::lock_guard lock(mutex_);
  const size_t most = most_open();
  for (size_t left = 2 * open_.size(); open_.size() >= most && left > 0; --left) {
    hand_ %= open_.size();
    if (open_[hand_]->close_if_idle())
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(hand_));
    else
      ++hand_;
  }
  open_.push_back(&file);
}

void OpenRecords::remove(const Closable& file) {
  const std::lock_guard lock(mutex_);
  std::erase(open_, &file);
}

size_t OpenRecords::size() const {
  const std::lock_guard lock(mutex_);
  return open_.size();
}

}  // namespace neardup::store
