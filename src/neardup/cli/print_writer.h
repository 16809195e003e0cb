// Where `neardup fingerprint` writes: text lines or a binary file, to standard output or to a file.
#pragma once

#include <memory>
#include <string>

#include "neardup/cli/io.h"
#include "neardup/fingerprint/file.h"
#include "neardup/recipe/spec.h"

namespace neardup::cli {

enum class PrintFormat { kTsv, kJsonl, kBin };

/// Takes documents in order. Threads: one at a time.
class PrintWriter {
 public:
  virtual ~PrintWriter() = default;
  [[nodiscard]] virtual Status add(const fingerprint::Record& document) = 0;
  /// Hands over what was added so far. Errors: kIo, kDiskFull.
  [[nodiscard]] virtual Status flush() = 0;
  /// Makes the file appear under its name.
  [[nodiscard]] virtual Status commit() = 0;
};

/// Returns a writer to the file `path`, or to io.out where `path` is empty.
[[nodiscard]] Result<std::unique_ptr<PrintWriter>> open_print_writer(PrintFormat format, const std::string& path,
                                                                     const recipe::Recipe& recipe, Io& io);

}  // namespace neardup::cli
