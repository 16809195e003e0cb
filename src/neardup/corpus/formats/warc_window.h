// The bytes of a WARC or ARC file as a window that moves over them, with the places where a member or frame begins with
// a record: there a reader that lost its way finds it again.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/corpus/decompress.h"
#include "neardup/corpus/formats/arc_line.h"
#include "neardup/corpus/input_bytes.h"
#include "neardup/corpus/raw_buffer.h"

namespace neardup::corpus {

/// What every record of WARC 1.0 and 1.1 begins with.
inline constexpr std::string_view kWarcMark = "WARC/1.";

/// Where a record stands in its file.
struct WarcPlace {
  uint64_t byte = 0;
  bool is_unpacked = false;  // counted in what comes out of the decompressor, as no member or frame begins there
};

/// Threads: one at a time. Memory: what is asked for, and some MiB.
class WarcWindow {
 public:
  /// Errors: as InputBytes::open().
  [[nodiscard]] static Result<WarcWindow> open(const Input& input, const ReadOptions& options);

  /// Reads until view() has `size` bytes, or there are no more, or there is damage. Returns whether it has them.
  /// Errors: as InputBytes::read().
  [[nodiscard]] Result<bool> require(size_t size);
  /// The bytes from position() on that are held.
  [[nodiscard]] std::string_view view() const { return bytes_.view().substr(begin_); }
  /// Requires: size <= view().size().
  void advance(size_t size);
  /// How many bytes, after decompression, were left behind.
  [[nodiscard]] uint64_t position() const { return position_; }
  [[nodiscard]] WarcPlace place() const;
  /// Returns how far behind position(), and at least `from` bytes, the next member or frame begins that begins with
  /// a record, among those that are held; npos where there is none.
  [[nodiscard]] size_t next_piece(size_t from) const;
  /// Returns whether the file is one of ARC, whose records begin with a line of their own.
  [[nodiscard]] bool is_arc() const { return is_arc_; }
  /// Returns whether a record begins `at` bytes behind position(), by what is held of it.
  [[nodiscard]] bool begins_record(size_t at) const;
  /// Returns how many bytes tell that.
  [[nodiscard]] size_t mark_size() const { return is_arc_ ? kMaxArcLineBytes : kWarcMark.size(); }
  /// Returns whether no more than `size` bytes can follow position(), as the file has not so many.
  [[nodiscard]] bool can_have(uint64_t size) const;

  [[nodiscard]] const std::optional<Damage>& damage() const {
    if (refusal_) return refusal_;
    return packed_ ? packed_->damage() : plain_->damage();
  }
  /// Returns whether the member or frame that is damaged begins in the first `size` bytes of view(), or before: so they
  /// are not to be trusted, though they are there.
  [[nodiscard]] bool is_doubtful(size_t size) const {
    return packed_ && packed_->damage() && !begins_piece_ && last_piece_ < position_ + size;
  }
  /// Gives up what is held, and goes on behind the damage; false where nothing follows it.
  [[nodiscard]] Result<bool> skip_damage();
  /// Bytes on disk used so far.
  [[nodiscard]] uint64_t consumed() const { return packed_ ? packed_->consumed() : plain_->consumed(); }

 private:
  struct Piece {
    uint64_t position;
    uint64_t byte;  // on disk
  };

  WarcWindow() = default;
  void make_room();
  Result<size_t> read_packed(char* out, size_t size);
  void take(size_t size);

  std::unique_ptr<Decompressor> packed_;  // of a compressed input; else
  std::optional<InputBytes> plain_;
  std::optional<Damage> refusal_;  // of the whole file
  uint64_t size_bytes_ = 0;        // on disk
  uint64_t most_per_byte_ = 0;     // that a byte on disk can become; 0: nobody knows
  RawBuffer bytes_;
  size_t begin_ = 0;
  uint64_t position_ = 0;
  bool at_end_ = false;
  bool is_arc_ = false;
  std::deque<Piece> pieces_;        // that begin with a record, from position() on
  std::optional<Piece> new_piece_;  // not known yet whether it does
  bool begins_piece_ = true;
  uint64_t last_piece_ = 0;  // where the last member or frame begins that gave a byte
};

}  // namespace neardup::corpus
