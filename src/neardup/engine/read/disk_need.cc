#include "neardup/engine/read/disk_need.h"

#include <fmt/format.h>

#include <optional>

#include "neardup/base/disk/file_system.h"
#include "neardup/base/sizes.h"

namespace neardup::engine {
namespace {

// Empty where `free` is enough, or not known.
std::string shortage(const std::string& folder, uint64_t need, const std::optional<DiskSpace>& disk,
                     std::string_view what, std::string_view cure) {
  if (!disk || disk->free_bytes >= need) return {};
  return fmt::format("{} in '{}' may need {} more, and {} are free there: {}", what, folder,
                     human_bytes(static_cast<double>(need)), human_bytes(static_cast<double>(disk->free_bytes)), cure);
}

}  // namespace

uint64_t work_to_come(uint64_t written, uint64_t done, uint64_t total) {
  if (done == 0 || done >= total) return 0;
  return static_cast<uint64_t>(static_cast<double>(written) / static_cast<double>(done) *
                               static_cast<double>(total - done));
}

std::string disk_warning(const WorkFolder& folder, const DiskNeed& need) {
  const auto output = file_system().space(folder.output().c_str()), work = file_system().space(folder.work().c_str());
  constexpr std::string_view kOtherDisk = "free some, or stop and give --temp DIR on another disk";
  if (output && work && output->device == work->device)
    return shortage(folder.output(), need.work + need.results, output, "work files and results", kOtherDisk);
  const std::string warning = shortage(folder.work(), need.work, work, "work files", kOtherDisk);
  return warning.empty()
             ? shortage(folder.output(), need.results, output, "results", "free some, or choose another folder")
             : warning;
}

}  // namespace neardup::engine
