// LogSyncer: writes to the disk every so often what was acknowledged before it is there.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "neardup/store/store_writer.h"

namespace neardup::store {

/// A thread that calls StoreWriter::sync(), and once more at the end. Errors stay with the writer, who tells them.
class LogSyncer {
 public:
  /// `writer` must outlive it.
  LogSyncer(StoreWriter& writer, std::chrono::milliseconds every);
  ~LogSyncer();
  LogSyncer(const LogSyncer&) = delete;
  LogSyncer& operator=(const LogSyncer&) = delete;

 private:
  void run();

  StoreWriter& writer_;
  const std::chrono::milliseconds every_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace neardup::store
