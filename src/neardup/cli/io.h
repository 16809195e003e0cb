// Where the program's output goes, and what the terminal can do.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::cli {

/// The two streams of the program and what is known about them. Threads: one at a time.
struct Io {
  int out = STDOUT_FILENO;  // a descriptor: the C library's streams lose what a signal cuts
  std::FILE* err = stderr;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool color = false;  // on `out`
  int columns = 80;
  const std::atomic<bool>* cancel = nullptr;
  std::string cache_folder;  // for what is only kept to save time; empty = nowhere

  /// Returns the process's own streams. Reads the environment: NO_COLOR, TERM, COLUMNS,
  /// XDG_CACHE_HOME, HOME.
  [[nodiscard]] static Io of_process();

  /// Writes to `out` through a buffer. A failure is remembered for finish(), and nothing is written after it.
  void print(std::string_view text);
  /// Writes out what the buffer holds, for a reader who waits for it.
  void flush();
  /// Writes to `err`.
  void say(std::string_view text);
  /// Returns whether anything printed was lost so far.
  [[nodiscard]] bool failed() const { return !written_; }
  /// Flushes `out`. Errors: kIo, kDiskFull if anything printed was lost.
  [[nodiscard]] Status finish();

 private:
  std::string buffer_;
  Status written_;
};

}  // namespace neardup::cli
