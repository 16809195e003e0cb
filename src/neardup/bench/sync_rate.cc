#include "neardup/bench/sync_rate.h"

#include <fcntl.h>

#include <cerrno>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/disk/file_system.h"
#include "neardup/bench/measurement.h"

namespace neardup::bench {
namespace {

constexpr double kSyncSeconds = .7;
constexpr size_t kSyncBytes = 4096;

/// Where the file system makes no files without a name, one loses its name at once.
int open_nameless(const std::string& folder) {
  const int nameless = open_descriptor(folder, O_WRONLY | O_TMPFILE);
  if (nameless >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return nameless;
  const std::string path = folder + "/fdatasync.tmp";
  const int named = open_descriptor(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (named >= 0) file_system().unlink(path.c_str());
  return named;
}

Result<double> measure_syncs(int descriptor, const std::string& folder) {
  NEARDUP_TRY(write_all_at(descriptor, 0, std::string(size_t{1} << 20, '\0'), folder));
  NEARDUP_TRY(sync_descriptor(descriptor, folder));
  const std::string bytes(kSyncBytes, 'x');
  const Stopwatch watch;
  double count = 0;
  for (; watch.seconds() < kSyncSeconds; ++count) {
    const uint64_t place = static_cast<uint64_t>(count) % 256 * kSyncBytes;
    NEARDUP_TRY(write_all_at(descriptor, place, bytes, folder));
    NEARDUP_TRY(sync_bytes(descriptor, folder));
  }
  return count / watch.seconds();
}

}  // namespace

Result<double> fdatasync_rate(const std::string& folder) {
  int descriptor = open_nameless(folder);
  if (descriptor < 0) return fail_errno("cannot make a file in", folder, errno);
  const Result<double> rate = measure_syncs(descriptor, folder);
  const Status closed = close_descriptor(descriptor, folder);
  if (rate && !closed) return tl::unexpected(closed.error());
  return rate;
}

}  // namespace neardup::bench
