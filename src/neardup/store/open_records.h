// Which record files have a descriptor: some at most, however many there are.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace neardup::store {

/// What may be closed, and opens itself again when it is asked.
class Closable {
 public:
  virtual ~Closable() = default;
  /// Closes it, unless it was used since the last call. Returns whether it is closed.
  virtual bool close_if_idle() const = 0;
};

/// Those of the process that are open: a quarter of what it may have (`ulimit -n`), 4,096 at most. Beyond, one that was
/// not used of late is closed for each that opens. Threads: any.
class OpenRecords {
 public:
  [[nodiscard]] static OpenRecords& of_process();
  /// `file` was opened. Requires: it is closed, or was removed.
  void add(const Closable& file);
  /// `file` ends, or is closed.
  void remove(const Closable& file);
  [[nodiscard]] size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::vector<const Closable*> open_;
  size_t hand_ = 0;  // goes round
};

}  // namespace neardup::store
