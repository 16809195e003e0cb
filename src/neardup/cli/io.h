// Where the program's output goes, and what the terminal can do.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::cli {

/// How many rejected records a command that does not list them tells one by one.
inline constexpr uint64_t kShownRejections = 10;

/// The two streams of the program and what is known about them. Threads: one at a time.
struct Io {
  int out = STDOUT_FILENO;  // a descriptor: the C library's streams lose what a signal cuts
  bool says_json = false;   // on `err`, all that is said is one JSON object a line: --progress json
  std::FILE* err = stderr;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool line_by_line = false;  // someone reads `out` as it comes: a terminal, of any kind
  bool color = false;         // on `out`
  int columns = 80;
  const std::atomic<bool>* cancel = nullptr;
  std::atomic<bool>* give_up = nullptr;  // is set once nobody reads `out` any more: most often what `cancel` is
  std::string cache_folder;              // for what is only kept to save time; empty = nowhere

  /// Returns the process's own streams. Reads the environment: NO_COLOR, TERM, COLUMNS,
  /// XDG_CACHE_HOME, HOME.
  [[nodiscard]] static Io of_process();

  /// Writes to `out` through a buffer. A failure is remembered for finish(), and nothing is written after it. Once
  /// `cancel` is set the other end has three seconds to take what was printed before; then the rest is dropped.
  void print(std::string_view text);
  /// Writes out what the buffer holds, for a reader who waits for it.
  void flush();
  /// Writes a message for people to `err`: what could move or hide the text of a terminal is written as [U+001B]. Where
  /// `says_json` it is a message_event().
  void say(std::string_view text);
  /// Writes a line for programs to `err` as it is.
  void say_raw(std::string_view line);
  /// Returns whether anything printed was lost so far.
  [[nodiscard]] bool failed() const { return !written_; }
  /// Returns whether the other end of `out` is closed: what is printed is for nobody.
  [[nodiscard]] bool reader_left() const { return reader_left_; }
  /// Flushes `out`. Errors: kIo, kDiskFull, kCancelled if anything printed was lost.
  [[nodiscard]] Status finish();

 private:
  Status write_out(std::string_view bytes);
  [[nodiscard]] Status lost(int error);
  std::string buffer_;
  Status written_;
  bool reader_left_ = false;
  int grace_polls_ = 30;                       // how often `out` may still be waited for once `cancel` is set
  uint64_t grace_bytes_ = uint64_t{64} << 20;  // and how much may still be written
};

}  // namespace neardup::cli
