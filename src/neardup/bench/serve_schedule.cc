#include "neardup/bench/serve_schedule.h"

namespace neardup::bench {

LoadSchedule::Time LoadSchedule::due(uint64_t index) const {
  if (per_second_ <= 0) return Time::zero();
  const std::chrono::duration<double> seconds(static_cast<double>(index) / per_second_);
  return std::chrono::duration_cast<Time>(seconds);
}

std::optional<LoadSchedule::Time> LoadSchedule::next_due() const {
  if (next_ == count_) return {};
  return due(next_);
}

std::optional<LoadSchedule::Planned> LoadSchedule::take_due(Time now) {
  const auto from = next_due();
  if (!from || *from > now) return {};
  return Planned{next_++, per_second_ > 0 ? *from : now};
}

uint64_t LoadSchedule::give_up(Time now) {
  const uint64_t left = count_ - next_;
  for (; next_ < count_; ++next_) {
    if (per_second_ > 0 && due(next_) <= now) took(now - due(next_));
  }
  return left;
}

}  // namespace neardup::bench
