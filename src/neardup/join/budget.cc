#include "neardup/join/budget.h"

#include <algorithm>

namespace neardup::join {

Meter::Meter(Progress* progress, uint64_t total_items)
    : progress_(progress), total_items_(static_cast<double>(total_items)) {
  if (progress_ != nullptr) progress_->begin_stage("join", "fingerprints", 0, total_items);
}

Meter::~Meter() {
  if (progress_ != nullptr) progress_->end_stage();
}

void Meter::add(double fraction) {
  if (progress_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  done_ = std::min(1.0, done_ + fraction * task_);
  if (done_ - shown_ < 0.001 && done_ < 1) return;
  shown_ = done_;
  progress_->advance(0, static_cast<uint64_t>(done_ * total_items_));
}

}  // namespace neardup::join
