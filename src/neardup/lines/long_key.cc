#include "neardup/lines/long_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/base/sizes.h"

namespace neardup::lines {
namespace {

/// Bytes [begin, end) of a line.
struct Part {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// A line piece by piece.
class LinePieces {
 public:
  LinePieces(const LongLines& lines, uint64_t number, Part part) : lines_(lines), number_(number), part_(part) {}
  /// Returns what follows, none at the end; `keeps` of the last bytes of what came before come again.
  Result<std::string_view> next(size_t keeps = 0) {
    part_.begin -= keeps;
    const uint64_t most = std::min<uint64_t>(part_.end - part_.begin, LongLines::kPieceBytes);
    NEARDUP_ASSIGN(const std::string_view piece, lines_.read(number_, part_.begin, buffer_, most));
    part_.begin += piece.size();
    return piece;
  }
  [[nodiscard]] bool is_last() const { return part_.begin == part_.end; }
  /// Of the first byte of the last piece.
  [[nodiscard]] uint64_t offset(std::string_view piece) const { return part_.begin - piece.size(); }

 private:
  const LongLines& lines_;
  uint64_t number_;
  Part part_;
  std::string buffer_;
};

Result<std::optional<Part>> field_between_blanks(LinePieces pieces, int field) {
  Part part;
  bool inside = false;
  while (true) {
    NEARDUP_ASSIGN(const std::string_view piece, pieces.next());
    if (piece.empty()) break;
    for (size_t i = 0; i < piece.size(); ++i) {
      const bool is_blank = piece[i] == ' ' || piece[i] == '\t';
      if (is_blank != inside) continue;
      inside = !is_blank;
      (inside ? part.begin : part.end) = pieces.offset(piece) + i;
      if (!inside && --field == 0) return part;
    }
    part.end = pieces.offset(piece) + piece.size();
  }
  if (inside && field == 1) return part;
  return std::nullopt;
}

Result<std::optional<Part>> field_between(LinePieces pieces, std::string_view delimiter, int field) {
  Part part;
  for (size_t keeps = 0;;) {
    NEARDUP_ASSIGN(const std::string_view piece, pieces.next(keeps));
    const uint64_t offset = pieces.offset(piece);
    size_t at = 0;
    for (size_t found; (found = piece.find(delimiter, at)) != std::string_view::npos;) {
      part.end = offset + found;
      if (--field == 0) return part;
      at = found + delimiter.size();
      part.begin = offset + at;
    }
    part.end = offset + piece.size();
    if (pieces.is_last()) break;
    keeps = std::min(delimiter.size() - 1, piece.size() - at);
  }
  if (field == 1) return part;
  return std::nullopt;
}

/// Where in `line` of so many bytes, without its folding.
Result<std::optional<Part>> part_of_pattern(const LongKeyMeans& means, const LongLines& lines, uint64_t number) {
  const uint64_t size = lines.size_bytes(number);
  if (size > means.pattern_bytes)
    return fail(Code::kMemory, fmt::format("a line has {} bytes, and --regex looks at lines of {} at most in this "
                                           "memory; raise --memory, or compare by --field",
                                           size, means.pattern_bytes));
  std::string line;
  NEARDUP_TRY(lines.read(number, 0, line, size));
  const auto found = means.maker->part_of(line);
  if (!found) return std::nullopt;
  const auto begin = static_cast<uint64_t>(found->data() - line.data());
  return Part{begin, begin + found->size()};
}

Result<std::optional<Part>> part_of(const LongKeyMeans& means, const LongLines& lines, uint64_t number) {
  const KeyOptions& options = means.maker->options();
  if (!options.pattern.empty()) return part_of_pattern(means, lines, number);
  const Part all{0, lines.size_bytes(number)};
  if (options.field == 0) return all;
  LinePieces pieces(lines, number, all);
  if (options.delimiter.empty()) return field_between_blanks(std::move(pieces), options.field);
  return field_between(std::move(pieces), options.delimiter, options.field);
}

/// Holds a key while it is short, and gives it to the others when it is not.
class KeyTaker {
 public:
  explicit KeyTaker(const LongKeyMeans& means) : means_(means) {}
  /// Takes what was appended to key().
  Status take() {
    if (key_.size() <= means_.key_bytes && !is_long_) return {};
    if (!is_long_) NEARDUP_TRY(means_.keys->begin());
    is_long_ = true;
    NEARDUP_TRY(means_.keys->append(key_));
    key_.clear();
    return {};
  }
  Result<std::optional<std::string>> end() {
    if (!is_long_) return std::move(key_);
    NEARDUP_ASSIGN(const uint64_t number, means_.keys->end());
    return means_.keys->mark(number);
  }
  [[nodiscard]] std::string& key() { return key_; }

 private:
  const LongKeyMeans& means_;
  std::string key_;
  bool is_long_ = false;
};

/// The last bytes of `piece` that may be the begin of a letter that it lacks the end of.
size_t torn_bytes(std::string_view piece) {
  constexpr size_t kLongestLetter = 4;
  const size_t last = std::min(piece.size(), 2 * kLongestLetter - 1);
  for (size_t torn = kLongestLetter; torn <= last; ++torn) {
    if ((piece[piece.size() - torn] & 0xC0) != 0x80) return torn;
  }
  return std::min(piece.size(), kLongestLetter);  // no letter has so many bytes that follow its first one
}

}  // namespace

Result<std::optional<std::string>> long_key(const LongKeyMeans& means, const LongLines& lines, uint64_t number) {
  if (means.maker->is_whole_line()) {
    NEARDUP_ASSIGN(std::string line, lines.stand_in(number));
    return std::optional<std::string>(std::move(line));
  }
  NEARDUP_ASSIGN(const std::optional<Part> part, part_of(means, lines, number));
  if (!part) return std::nullopt;
  LinePieces pieces(lines, number, *part);
  KeyTaker taker(means);
  for (size_t keeps = 0;;) {
    NEARDUP_ASSIGN(std::string_view piece, pieces.next(keeps));
    keeps = means.maker->is_piece() || pieces.is_last() ? 0 : torn_bytes(piece);
    piece.remove_suffix(keeps);
    if (means.maker->is_piece()) {
      taker.key() += piece;
    } else {
      append_folded(piece, means.maker->options(), taker.key());
    }
    NEARDUP_TRY(taker.take());
    if (pieces.is_last() && keeps == 0) return taker.end();
  }
}

}  // namespace neardup::lines
