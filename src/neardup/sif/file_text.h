// What of a file is compared: its bytes, or what folding leaves of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/sif/fold_code.h"
#include "neardup/sif/options.h"

namespace neardup::sif {

/// Returns how large a file may be that is read at once under options.memory_bytes.
[[nodiscard]] uint64_t most_file_bytes(uint64_t memory_bytes);

/// Replaces `out` by what of the file with these bytes is compared, where that is not all of them, and returns whether
/// it did. `language`: 0 or that of fold_code.h. `origins`, if not null: of each byte of `out`.
[[nodiscard]] bool fold_text(std::string_view bytes, uint32_t language, Fold fold, std::string& out,
                             std::vector<Origin>* origins = nullptr);

/// Reads one file after the other. Threads: one at a time.
class TextReader {
 public:
  explicit TextReader(const SimilarOptions& options)
      : fold_(options.fold), limit_bytes_(most_file_bytes(options.memory_bytes)) {}

  /// Reads the file; its bytes and its text stay until the next one. Returns how many bytes it has on disk. `language`:
  /// 0 or that of fold_code.h. Errors: those of load_bytes(), kMemory also where it holds more than `most_bytes`.
  [[nodiscard]] Result<uint64_t> load(const std::string& path, uint32_t language, uint64_t most_bytes);
  /// Whether load() failed for what the system is short of, and not for the file.
  [[nodiscard]] bool was_short() const { return was_short_; }
  [[nodiscard]] uint64_t limit_bytes() const { return limit_bytes_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::string_view text() const { return is_folded_ ? folded_ : bytes_; }

  /// Gives back what a large file took; its bytes are gone.
  void release();

 private:
  const Fold fold_;
  const uint64_t limit_bytes_;
  bool is_folded_ = false, was_short_ = false;
  std::string bytes_, folded_;
};

}  // namespace neardup::sif
