// Checkpoints of a store: what is in memory goes to files, and the manifest names them.
//
// A closed log stays as the place of its records. What finds them goes to segments. Files are written first, then the
// manifest is exchanged, then what it names no more is removed: at each moment there is a manifest of which all is
// there. Where a checkpoint ends half-way, the next one goes on.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "neardup/store/dead_weight.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/store_manifest.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

/// A log that nothing is appended to any more.
struct ClosedLog {
  uint64_t log = 0;
  uint64_t previous = 0;        // sequence number of the last record before it
  uint64_t first = 0, end = 0;  // documents
  uint64_t size_bytes = 0;
};

/// From where a restart reads.
struct LogStart {
  uint64_t log = 0;
  uint64_t previous = 0;     // sequence number of the last record before it
  uint64_t next_number = 0;  // of its first document
  NumberSet erased;          // by then
  OpenTags tags;             // at that moment
};

/// Threads: one at a time, but for add().
class Checkpointer {
 public:
  Checkpointer(std::string folder, const StoreOptions& options, StoreManifest manifest);

  /// Opens what the manifest names. The state must end before this does: it writes files. Errors: as open_state().
  [[nodiscard]] Result<std::unique_ptr<StoreState>> open();
  /// Adds a log whose records the next checkpoint takes over; oldest first. Threads: any.
  void add(const ClosedLog& log);
  /// Moves all of the logs that were added, of which `start` is the end, to files; `next_number` is that of the next
  /// document, which others raise meanwhile. With Effort::kDue nothing where none was added; else all is made as small
  /// as it can be. Errors: kIo, kDiskFull, kMemory, kCancelled.
  [[nodiscard]] Status run(StoreState& state, const LogStart& start, const std::atomic<uint64_t>& next_number,
                           Effort effort = Effort::kDue);
  [[nodiscard]] const StoreManifest& manifest() const { return manifest_; }
  /// Returns the bytes of closed logs that a restart would read again. Threads: any.
  [[nodiscard]] uint64_t waiting_bytes() const { return waiting_bytes_; }

 private:
  std::optional<ClosedLog> oldest_before(uint64_t log);
  Status move_logs(StoreState& state, uint64_t end);
  Result<RecordFiles> move_records(StoreState& state, const ClosedLog& closed);
  Status seal_keys(bands::KeyIndex& keys, uint64_t end, const bands::IsLive& is_live);
  Status join_due_keys(bands::KeyIndex& keys, const bands::IsLive& is_live);
  Status join_all_keys(bands::KeyIndex& keys, const bands::IsLive& is_live);
  Status join_keys(bands::KeyIndex& keys, size_t begin, size_t end, const bands::IsLive& is_live);
  Status store_keys(const bands::KeySegment& segment,
                    const std::function<void(std::shared_ptr<const bands::KeySegment>)>& publish);
  Status store_segments(std::span<const uint64_t> segments, const FingerprintIndex::WriteSegment& write);
  Status write_erased(const NumberSet& erased, StoreManifest& next);
  Status write_tags(const OpenTags& tags, StoreManifest& next);
  Status drop_dead_weight(StoreState& state, const LogStart& start, Effort effort, StoreManifest& next,
                          std::vector<RewrittenLog>& rewritten);
  Status remove_unnamed(const StoreState& state, const StoreManifest& old);
  void remove_rewritten(const StoreManifest& old, const std::vector<RewrittenLog>& rewritten);
  Status name(StoreState& state, StoreManifest next, const std::atomic<uint64_t>& next_number);
  Status remove_old_keys();
  Status remove_old_segments(const StoreState& state);

  const std::string folder_;
  const StoreOptions options_;
  StoreManifest manifest_;
  std::vector<RecordFiles> moved_;                   // that no manifest names yet
  uint64_t moved_bytes_ = 0;                         // of their logs
  std::map<uint64_t, bands::KeyFileIdentity> keys_;  // by number of the file
  NumberSet without_fingerprints_;                   // documents that the index holds nothing of any more
  std::atomic<uint64_t> next_file_;
  std::atomic<uint64_t> waiting_bytes_{0};

  std::mutex mutex_;                        // of all below
  std::deque<ClosedLog> closed_;            // oldest first
  std::map<uint64_t, SegmentFiles> files_;  // by segment of fingerprints
  std::set<uint64_t> newest_;               // segments of the last commit
};

}  // namespace neardup::store
