// How much disk a run is going to take, told while it can still get a larger one.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/engine/work_folder.h"

namespace neardup::engine {

/// What a run still has to write, in bytes: work files, and results at most.
struct DiskNeed {
  uint64_t work = 0;
  uint64_t results = 0;
};

/// Returns how many bytes of work files are still to come if `written` came from `done` of `total` bytes of inputs.
[[nodiscard]] uint64_t work_to_come(uint64_t written, uint64_t done, uint64_t total);

/// Returns a warning where the disks of `folder` have less free than `need`; empty where there is enough, or the system
/// does not say.
[[nodiscard]] std::string disk_warning(const WorkFolder& folder, const DiskNeed& need);

}  // namespace neardup::engine
