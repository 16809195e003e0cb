// Compressed inputs as streams of bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/corpus/input.h"

namespace neardup::corpus {

/// Why a stream ended before its end; `reason` as in Rejection.
struct Damage {
  std::string reason;
  std::string message;
};

/// The decompressed bytes of one gzip file (several members, padded with zeros or not) or zstd file (several frames,
/// windows up to kMostWindowBytes). Threads: one at a time.
class Decompressor {
 public:
  static constexpr uint64_t kMostWindowBytes = uint64_t{128} << 20;
  /// The window that a file may ask for where a command may take `memory_bytes`; 0: nothing is said.
  [[nodiscard]] static constexpr uint64_t window_within(uint64_t memory_bytes) {
    constexpr uint64_t kLeast = uint64_t{1} << 20;
    if (memory_bytes == 0 || memory_bytes / 4 > kMostWindowBytes) return kMostWindowBytes;
    return memory_bytes / 4 < kLeast ? kLeast : memory_bytes / 4;
  }

  /// Zstandard files whose window is larger than `most_window_bytes`, of which memory is taken, are refused. Requires:
  /// input.compression is not kNone. Errors: as check_failure(); other refusals become damage().
  [[nodiscard]] static Result<std::unique_ptr<Decompressor>> open(const Input& input,
                                                                  uint64_t most_window_bytes = kMostWindowBytes);
  virtual ~Decompressor() = default;

  /// Writes up to `size` bytes to `out`; fewer only at the end or where the data is damaged. Errors: as open().
  [[nodiscard]] Result<size_t> read(char* out, size_t size);
  /// As read(), but no further than to the end of the member or frame that it begins in: ended_piece() tells that it
  /// came there. Errors: as open().
  [[nodiscard]] Result<size_t> read_piece(char* out, size_t size);
  [[nodiscard]] bool ended_piece() const { return ended_piece_; }
  /// Where on disk the member or frame begins that was read last.
  [[nodiscard]] uint64_t piece_begin() const { return piece_begin_; }
  /// Forgets damage() and goes on at the next bytes that look like the begin of a member or frame; false where there
  /// are none, or reading itself failed. These may stand inside the damaged one, which may have run over them; but no
  /// more is read again, over all calls, than was read before. Errors: as open().
  [[nodiscard]] Result<bool> skip_damage();
  /// Why reading ended early, if it did. What read() gave is good as far as one can know.
  [[nodiscard]] const std::optional<Damage>& damage() const { return damage_; }
  /// Compressed bytes used so far.
  [[nodiscard]] uint64_t consumed() const { return std::max(consumed_, furthest_); }

 protected:
  enum class Step { kMore, kEndOfPiece, kDamaged };
  /// Decompresses from the front of `in` to the front of `out` and moves both forwards. kEndOfPiece: a member or frame
  /// is complete; the next call begins another one.
  virtual Step step(std::string_view& in, char*& out, char* end) = 0;
  /// Decompresses the whole piece that `in` begins with to `out`, and takes it from `in`; returns its size, or 0 where
  /// it is not all there, is damaged, empty, or longer than `size`: step() tells. For pieces that are many and small.
  virtual size_t whole_piece(std::string_view&, char*, size_t) { return 0; }
  /// Forgets the piece that was begun.
  virtual void reset() = 0;
  /// What every piece begins with.
  [[nodiscard]] virtual std::string_view magic() const = 0;
  /// Whether the zeros that pad tapes may stand between and after pieces.
  [[nodiscard]] virtual bool allows_zero_padding() const = 0;
  /// What step() found wrong.
  [[nodiscard]] virtual Damage describe_damage() const = 0;

 private:
  struct File;
  struct FileDelete {
    void operator()(File* file) const noexcept;
  };

  Status fill();
  Result<size_t> fill(size_t begin, size_t want);
  Result<size_t> read_whole_piece(char* out, size_t size);
  Result<size_t> read(char* out, size_t size, bool stops_at_end);
  Result<bool> find_piece(uint64_t from);
  void skip_padding();
  void stop(Damage damage);

  std::unique_ptr<File, FileDelete> file_;
  std::string_view in_;  // read but not used
  bool inside_piece_ = false;
  bool done_ = false;
  bool ended_piece_ = false;
  uint64_t consumed_ = 0;
  uint64_t piece_begin_ = 0;
  uint64_t furthest_ = 0;  // consumed before damage was skipped
  uint64_t reread_ = 0;    // by skipping damage
  std::optional<Damage> damage_;
};

}  // namespace neardup::corpus
