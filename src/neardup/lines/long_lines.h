// Lines that are too long for memory: their bytes on disk, and a short line in the place of each.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/hasher.h"
#include "neardup/lines/line_input.h"

namespace neardup::lines {

/// Texts in a work file, each different one once: bytes decide. A text has a number, and a mark that stands for it: a
/// secret of this object, which no input can hold, and the number. Threads: one at a time writes, by begin(), append()
/// and end(); all else may be called from many meanwhile.
class LongLines {
 public:
  /// What stands for a line begins as the line does, so that most are sorted without a look at the disk.
  static constexpr size_t kBeginBytes = 64;
  static constexpr size_t kSecretBytes = 32, kMarkBytes = kSecretBytes + 16;
  static constexpr size_t kStandInBytes = kBeginBytes + kMarkBytes;

  /// `make_work_file` is asked for a file called `name` when the first text comes.
  LongLines(MakeWorkFile make_work_file, std::string name);

  /// Begins a text. Errors: kDiskFull, kIo.
  [[nodiscard]] Status begin();
  /// Errors: as begin().
  [[nodiscard]] Status append(std::string_view bytes);
  /// Returns the number of the text that was appended; of equal ones it is the same. Errors: as begin().
  [[nodiscard]] Result<uint64_t> end();

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] uint64_t size_bytes(uint64_t number) const;
  /// Reads bytes of a text from `offset` on into `buffer`, as many as there are. Errors: kIo, kCorruption.
  [[nodiscard]] Result<std::string_view> read(uint64_t number, uint64_t offset, std::string& buffer,
                                              uint64_t most_bytes) const;

  [[nodiscard]] std::string mark(uint64_t number) const;
  /// Returns what stands for a text of kBeginBytes or more: kStandInBytes, none of which ends a line that has none.
  [[nodiscard]] Result<std::string> stand_in(uint64_t number) const;
  /// Returns the number of the text that `line`, without its end, stands for.
  [[nodiscard]] std::optional<uint64_t> number_of(std::string_view line) const;
  /// Returns where in `lines` the next stand-in begins, from `from` on; npos where there is none.
  [[nodiscard]] size_t find_stand_in(std::string_view lines, size_t from) const;

  /// Returns whether the bytes of line `a` come before those of `b`, either of which may be a stand-in. Throws
  /// std::system_error where they cannot be read, as whoever sorts by it cannot go on.
  [[nodiscard]] bool is_before(std::string_view a, std::string_view b) const;

  /// How much of a text is in memory at once.
  static constexpr size_t kPieceBytes = size_t{1} << 18;

 private:
  struct Text {
    uint64_t begin = 0;
    uint64_t size = 0;
  };
  [[nodiscard]] Text text(uint64_t number) const;
  [[nodiscard]] Result<bool> are_equal(const Text& a, const Text& b) const;
  Result<std::string_view> read(const Text& text, uint64_t offset, std::string& buffer, uint64_t most_bytes) const;
  Result<std::string_view> piece_of(std::string_view line, uint64_t offset, std::string& buffer) const;
  Status open(uint64_t keep_bytes);

  MakeWorkFile make_work_file_;
  std::string name_, path_, secret_;
  std::optional<AppendFile> file_;
  std::optional<ReadFile> reader_;
  std::optional<Hasher128> hash_;
  uint64_t begin_ = 0;
  std::atomic<uint64_t> count_ = 0;
  mutable std::mutex mutex_;  // of texts_
  std::vector<Text> texts_;
  std::unordered_multimap<uint64_t, uint64_t> numbers_;  // by a half of the hash
};

}  // namespace neardup::lines
