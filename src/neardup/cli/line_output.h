// Lines that a command makes, to standard output or to a file that is there whole or not at all.
#pragma once

#include <optional>
#include <string>

#include "neardup/base/disk/file.h"
#include "neardup/cli/io.h"

namespace neardup::cli {

class LineOutput {
 public:
  /// `path`: empty for standard output.
  LineOutput(std::string path, Io& io) : path_(std::move(path)), io_(io) {}
  /// To be called before the work. Errors: those of create_output().
  [[nodiscard]] Status begin();
  /// What is to be written next; the caller appends to it.
  [[nodiscard]] std::string& lines() { return lines_; }
  /// Hands on what was appended. Errors: kIo, kDiskFull.
  [[nodiscard]] Status flush();
  /// The same once much was appended.
  [[nodiscard]] Status flush_if_full();
  /// Ends it: a file is there from now on.
  [[nodiscard]] Status finish();

 private:
  std::string path_;
  Io& io_;
  std::string lines_;
  std::optional<AtomicFile> file_;
};

}  // namespace neardup::cli
