#include "neardup/verify/run_index_cache.h"

#include "neardup/base/undo.h"

namespace neardup::verify {

SharedRunIndex RunIndexCache::find(uint64_t text) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(text);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->second;
}

SharedRunIndex RunIndexCache::add(uint64_t text, SharedRunIndex index) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = places_.try_emplace(text);
  if (!is_new) return place->second->second;
  Undo undo([this, text] { places_.erase(text); });
  entries_.emplace_front(text, index);
  undo.keep();
  place->second = entries_.begin();
  size_bytes_ += index->size_bytes();
  while (size_bytes_ > budget_bytes_) {
    size_bytes_ -= entries_.back().second->size_bytes();
    places_.erase(entries_.back().first);
    entries_.pop_back();
  }
  return index;
}

uint64_t RunIndexCache::size_bytes() const {
  const std::lock_guard lock(mutex_);
  return size_bytes_;
}

}  // namespace neardup::verify
