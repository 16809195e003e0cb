// Where the program's output goes, and what the terminal can do.
#pragma once

#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::cli {

/// The two streams of the program and what is known about them. Threads: one at a time.
struct Io {
  std::FILE* out = stdout;
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

  /// Writes to `out`. A failure is remembered for finish().
  void print(std::string_view text);
  /// Writes to `err`.
  void say(std::string_view text);
  /// Returns whether anything printed was lost so far.
  [[nodiscard]] bool failed() const { return first_errno_ != 0; }
  /// Flushes `out`. Errors: kIo, kDiskFull if anything printed was lost.
  [[nodiscard]] Status finish();

 private:
  int first_errno_ = 0;
};

}  // namespace neardup::cli
