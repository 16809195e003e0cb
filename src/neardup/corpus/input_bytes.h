// The bytes of an input from its start on, decompressed, or as a program makes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "neardup/base/result.h"
#include "neardup/corpus/batch.h"
#include "neardup/corpus/command_output.h"
#include "neardup/corpus/decompress.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/source_file.h"

namespace neardup::corpus {

/// Threads: one at a time.
class InputBytes {
 public:
  /// Of `options` window_bytes and the context are looked at. Errors: as check_failure(), and of CommandOutput; what
  /// concerns this file alone becomes damage().
  [[nodiscard]] static Result<InputBytes> open(const Input& input, const ReadOptions& options);

  /// Writes up to `size` bytes to `out`; fewer only at the end or where there is damage. Errors: as open().
  [[nodiscard]] Result<size_t> read(char* out, size_t size);
  /// Why reading ended early, if it did.
  [[nodiscard]] const std::optional<Damage>& damage() const {
    if (command_) return command_->damage();
    return stream_ ? stream_->damage() : damage_;
  }
  /// What is lost where reading ended behind `half_bytes` of a record.
  [[nodiscard]] Unread unread_behind(size_t half_bytes) const;
  /// Bytes on disk used so far; of a program's output none, as nobody knows.
  [[nodiscard]] uint64_t consumed() const { return stream_ ? stream_->consumed() : offset_; }

 private:
  InputBytes() = default;
  void stop_unreadable(int error);

  std::unique_ptr<CommandOutput> command_;  // of an input with a program; else
  std::unique_ptr<Decompressor> stream_;    // of a compressed input; else the members below
  SourceFile file_;
  std::string path_;
  uint64_t size_bytes_ = 0;  // of the file, at discovery: what was appended later is not ours
  uint64_t offset_ = 0;
  std::optional<Damage> damage_;
};

}  // namespace neardup::corpus
