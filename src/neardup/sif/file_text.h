// What of a file is compared: its bytes, or what folding leaves of them.
#pragma once

#include <string>
#include <string_view>

#include "neardup/sif/options.h"

namespace neardup::sif {

/// Returns how large a file may be that is read at once under options.memory_bytes.
[[nodiscard]] uint64_t most_file_bytes(uint64_t memory_bytes);

/// Reads one file after the other. Threads: one at a time.
class TextReader {
 public:
  explicit TextReader(const SimilarOptions& options) : limit_bytes_(most_file_bytes(options.memory_bytes)) {}

  /// Reads the file; its bytes and its text stay until the next one. `language`: 0 or that of fold_code.h. Errors:
  /// those of load_bytes().
  [[nodiscard]] Status load(const std::string& path, uint32_t language);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::string_view text() const { return is_folded_ ? folded_ : bytes_; }

  /// Gives back what a large file took; its bytes are gone.
  void release();

 private:
  const uint64_t limit_bytes_;
  bool is_folded_ = false;
  std::string bytes_, folded_;
};

}  // namespace neardup::sif
