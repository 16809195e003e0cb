#include "neardup/bench/sync_rate.h"

#include <fcntl.h>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/file.h"
#include "neardup/bench/measurement.h"

namespace neardup::bench {
namespace {

constexpr double kSyncSeconds = .7;
constexpr size_t kSyncBytes = 4096;

}  // namespace

Result<double> fdatasync_rate(const std::string& folder) {
  const std::string path = folder + "/fdatasync.tmp";
  int descriptor = open_descriptor(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (descriptor < 0) return fail(Code::kIo, "cannot make '" + path + "'");
  NEARDUP_TRY(write_all_at(descriptor, 0, std::string(size_t{1} << 20, '\0'), path));
  NEARDUP_TRY(sync_descriptor(descriptor, path));
  const std::string bytes(kSyncBytes, 'x');
  const Stopwatch watch;
  double count = 0;
  for (; watch.seconds() < kSyncSeconds; ++count) {
    const uint64_t place = static_cast<uint64_t>(count) % 256 * kSyncBytes;
    NEARDUP_TRY(write_all_at(descriptor, place, bytes, path));
    NEARDUP_TRY(sync_bytes(descriptor, path));
  }
  const double rate = count / watch.seconds();
  NEARDUP_TRY(close_descriptor(descriptor, path));
  NEARDUP_TRY(remove_all(path));
  return rate;
}

}  // namespace neardup::bench
