#include "neardup/corpus/formats/warc_window.h"

#include <algorithm>

#include "neardup/corpus/find/detect.h"
#include "neardup/corpus/formats/warc_header.h"

namespace neardup::corpus {
namespace {

constexpr size_t kWindowReadBytes = size_t{1} << 21;  // a member of no more is decompressed at once
constexpr size_t kWindowLeastBytes = size_t{1} << 22;
constexpr size_t kWindowKeptBytes = size_t{1} << 24;  // of memory, where little of it is used
constexpr uint64_t kMostOfDeflate = 1032;             // bytes out for a byte in
constexpr uint64_t kMostOfZstd = uint64_t{1} << 17;   // a block of 128 KiB takes 4 bytes at least

/// The first frame of a .warc.zst may be a dictionary for all others: no other frame is of that kind.
Result<bool> has_dictionary(const Input& input) {
  if (input.compression != Compression::kZstd) return false;
  SourceFile file;
  char magic[4] = {};
  size_t got = 0;
  int error = file.open(input.path);
  if (error == 0) error = file.read_at(0, magic, sizeof magic, got);
  if (error != 0) NEARDUP_TRY(check_failure(input.path, error));
  return std::string_view(magic, got) == "\x5D\x2A\x4D\x18";
}

/// A blank line may stand before the first record.
bool is_arc_file(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
  return !begins_warc(head) && (head.starts_with(kArcMark) || read_arc_line(head));
}

}  // namespace

Result<WarcWindow> WarcWindow::open(const Input& input, const ReadOptions& options) {
  WarcWindow window;
  window.size_bytes_ = input.size_bytes;
  if (input.pre.empty()) {
    NEARDUP_ASSIGN(const std::string head, peek(input, kMaxArcLineBytes));
    window.is_arc_ = is_arc_file(head);
  }
  if (input.compression == Compression::kNone || !input.pre.empty()) {
    NEARDUP_ASSIGN(window.plain_, InputBytes::open(input, options));
    window.most_per_byte_ = input.pre.empty() ? 1 : 0;
    return window;
  }
  NEARDUP_ASSIGN(window.packed_, Decompressor::open(input, options.window_bytes));
  NEARDUP_ASSIGN(window.at_end_, has_dictionary(input));
  if (window.at_end_)
    window.refusal_ = {"unsupported", "'" + input.path +
                                          "' begins with a dictionary for its zstd frames, which is not read: "
                                          "decompress it with the program that wrote it, or write it as .warc.gz"};
  window.most_per_byte_ = input.compression == Compression::kGzip ? kMostOfDeflate : kMostOfZstd;
  return window;
}

bool WarcWindow::begins_record(size_t at) const {
  const std::string_view bytes = view().substr(std::min(at, view().size()));
  return is_arc_ ? read_arc_line(bytes).has_value() : begins_warc(bytes);
}

bool WarcWindow::can_have(uint64_t size) const {
  if (most_per_byte_ == 0 || size <= view().size()) return true;
  // A decompressor holds some of its output back.
  const uint64_t slack = packed_ ? kWindowReadBytes + (uint64_t{1} << 18) : 0;
  const uint64_t left = size_bytes_ - std::min(size_bytes_, consumed());
  return (size - view().size()) / most_per_byte_ <= left + slack;
}

/// For another chunk behind what is held.
void WarcWindow::make_room() {
  const size_t held = bytes_.size() - begin_;
  const bool is_wasteful = bytes_.capacity() > kWindowKeptBytes && held + kWindowReadBytes <= kWindowKeptBytes / 2;
  if (!is_wasteful && bytes_.capacity() - bytes_.size() >= kWindowReadBytes) return;
  const size_t wanted = held + kWindowReadBytes;
  if (!is_wasteful && begin_ >= held && bytes_.capacity() >= wanted) {  // moves no more than was left behind
    std::memmove(bytes_.data(), bytes_.data() + begin_, held);
  } else {
    RawBuffer larger;
    larger.reserve(std::max(2 * wanted, kWindowLeastBytes));
    if (held != 0) std::memcpy(larger.data(), bytes_.data() + begin_, held);
    bytes_ = std::move(larger);
  }
  bytes_.set_size(held);
  begin_ = 0;
}

/// Up to the end of a piece.
Result<size_t> WarcWindow::read_packed(char* out, size_t size) {
  const uint64_t at = position_ + view().size();
  NEARDUP_ASSIGN(const size_t got, packed_->read_piece(out, size));
  if (got != 0 && std::exchange(begins_piece_, false)) {
    new_piece_ = {at, packed_->piece_begin()};
    last_piece_ = at;
  }
  if (packed_->ended_piece()) begins_piece_ = true;
  return got;
}

void WarcWindow::take(size_t size) {
  bytes_.set_size(bytes_.size() + size);
  if (!new_piece_) return;
  const uint64_t end = position_ + view().size();
  if (end - new_piece_->position < mark_size() && !begins_piece_) return;
  if (new_piece_->position >= position_ && begins_record(static_cast<size_t>(new_piece_->position - position_)))
    pieces_.push_back(*new_piece_);
  new_piece_.reset();
}

Result<bool> WarcWindow::require(size_t size) {
  while (view().size() < size && !at_end_) {
    make_room();
    char* const out = bytes_.data() + bytes_.size();
    NEARDUP_ASSIGN(const size_t got,
                   packed_ ? read_packed(out, kWindowReadBytes) : plain_->read(out, kWindowReadBytes));
    take(got);
    at_end_ = got == 0 && !(packed_ && packed_->ended_piece());
  }
  return view().size() >= size;
}

void WarcWindow::advance(size_t size) {
  begin_ += size;
  position_ += size;
  while (!pieces_.empty() && pieces_.front().position < position_) pieces_.pop_front();
}

WarcPlace WarcWindow::place() const {
  if (!packed_) return {position_, false};
  if (!pieces_.empty() && pieces_.front().position == position_) return {pieces_.front().byte, false};
  return {position_, true};
}

size_t WarcWindow::next_piece(size_t from) const {
  const auto piece = std::ranges::lower_bound(pieces_, position_ + from, {}, &Piece::position);
  return piece == pieces_.end() ? std::string_view::npos : static_cast<size_t>(piece->position - position_);
}

Result<bool> WarcWindow::skip_damage() {
  position_ += view().size();
  begin_ = 0;
  bytes_.set_size(0);
  pieces_.clear();
  new_piece_.reset();
  begins_piece_ = true;
  if (!packed_ || refusal_) return false;
  NEARDUP_ASSIGN(const bool goes_on, packed_->skip_damage());
  at_end_ = !goes_on;
  return goes_on;
}

}  // namespace neardup::corpus
