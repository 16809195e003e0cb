#include "neardup/base/run_meter.h"

namespace neardup {

void RunMeter::plan(std::span<const StageShare> stages) {
  stages_.clear();
  for (const StageShare& stage : stages) stages_.push_back({std::string(stage.stage), stage.share});
  at_ = 0;
  is_known_ = false;
}

void RunMeter::begin(std::string_view stage) {
  for (size_t i = at_; i < stages_.size(); ++i) {
    if (stages_[i].stage != stage) continue;
    if (i > at_ && is_known_) done_seconds_ += stages_[at_].seconds, done_shares_ += stages_[at_].share;
    at_ = i;
    is_known_ = true;
    return;
  }
}

void RunMeter::end(double seconds) {
  if (is_known_) stages_[at_].seconds += seconds;
}

double RunMeter::share_to_come() const {
  double share = 0;
  for (size_t i = at_ + (is_known_ ? 1 : 0); i < stages_.size(); ++i) share += stages_[i].share;
  return share;
}

std::optional<double> RunMeter::seconds_left(const StageMeter& running) const {
  if (!is_known_ || running.stage() != stages_[at_].stage) return std::nullopt;
  const Planned& stage = stages_[at_];
  const double spent = stage.seconds + (running.is_over() ? 0 : running.seconds());
  const std::optional<double> left = running.is_over() ? 0 : running.exact_seconds_left();
  if (!left) return std::nullopt;  // shares alone are too far off to tell how long a stage takes
  const double known_shares = done_shares_ + stage.share;
  if (known_shares <= 0) return left;
  return *left + share_to_come() * (done_seconds_ + spent + *left) / known_shares;
}

}  // namespace neardup
