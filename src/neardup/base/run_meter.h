// How long a whole run will still take: what is left of its stage, and the stages that are still to come.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/stage_meter.h"

namespace neardup {

/// The time of a run by stages of which only the shares are known beforehand: what a share takes is learnt from the
/// stages that are done, and from the running one. Times are seconds of any steady clock.
class RunMeter {
 public:
  /// The stages from now on; what was learnt of earlier ones stays.
  void plan(std::span<const StageShare> stages);
  /// A stage begins that may be one of the plan, or the one before once more. Stages that the plan does not know take
  /// no share.
  void begin(std::string_view stage);
  void end(double seconds);

  /// Returns the seconds that are left of the run; empty where nothing is planned, or where too little is known to
  /// guess. `running`: the stage that was begun last, over or not.
  [[nodiscard]] std::optional<double> seconds_left(const StageMeter& running) const;

 private:
  struct Planned {
    std::string stage;
    double share = 0;
    double seconds = 0;  // of its parts that are done
  };
  [[nodiscard]] double share_to_come() const;

  std::vector<Planned> stages_;
  size_t at_ = 0;                              // the running stage, or the next one
  bool is_known_ = false;                      // stages_[at_] runs, or has run
  double done_seconds_ = 0, done_shares_ = 0;  // of stages before at_
};

}  // namespace neardup
