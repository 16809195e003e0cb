// Compressed inputs as streams of bytes.
#pragma once

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
/// windows up to 128 MiB). Threads: one at a time.
class Decompressor {
 public:
  /// Requires: input.compression is not kNone. Errors: as check_failure(); other refusals become damage().
  [[nodiscard]] static Result<std::unique_ptr<Decompressor>> open(const Input& input);
  virtual ~Decompressor() = default;

  /// Writes up to `size` bytes to `out`; fewer only at the end or where the data is damaged. Errors: as open().
  [[nodiscard]] Result<size_t> read(char* out, size_t size);
  /// Why reading ended early, if it did. What read() gave is good as far as one can know.
  [[nodiscard]] const std::optional<Damage>& damage() const { return damage_; }
  /// Compressed bytes used so far.
  [[nodiscard]] uint64_t consumed() const { return consumed_; }

 protected:
  enum class Step { kMore, kEndOfPiece, kDamaged };
  /// Decompresses from the front of `in` to the front of `out` and moves both forwards. kEndOfPiece: a member or frame
  /// is complete; the next call begins another one.
  virtual Step step(std::string_view& in, char*& out, char* end) = 0;
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
  void skip_padding();
  void stop(Damage damage);

  std::unique_ptr<File, FileDelete> file_;
  std::string_view in_;  // read but not used
  bool inside_piece_ = false;
  bool done_ = false;
  uint64_t consumed_ = 0;
  std::optional<Damage> damage_;
};

}  // namespace neardup::corpus
