// The texts of pairs of files that share passages, as far as a page has room for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::report {

/// Bytes [begin, end) of a file.
struct ByteRange {
  uint64_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// A passage that two files share.
struct PassagePlace {
  ByteRange a, b;
};

/// Some lines of a file as they are shown: bad bytes are U+FFFD, hidden characters [U+202E], CR LF is LF.
struct TextPart {
  uint64_t first_line = 1;
  std::string text;
};

/// A file, whole or the parts of it that are shown, in their order.
struct FileText {
  uint64_t num_lines = 0;  // of the whole file
  std::vector<TextPart> parts;
};

/// A piece of a part, in the units of UTF-16 that scripts count in.
struct PartRange {
  size_t part = 0, begin = 0, end = 0;
  bool operator==(const PartRange&) const = default;
};

/// A passage where it is shown; long ones without their middles.
struct ShownPassage {
  std::vector<PartRange> a, b;
  uint64_t size_bytes = 0;  // of all of it, in a
};

/// A pair with its texts.
struct PairText {
  size_t pair = 0;      // its number in the report
  size_t a = 0, b = 0;  // index in PassageTexts::texts()
  std::vector<ShownPassage> passages;
  uint64_t num_left_out = 0;  // shorter passages for which there is no room
};

struct PassageLimits {
  size_t total_bytes = size_t{6} << 20;         // of all texts
  size_t whole_file_bytes = size_t{128} << 10;  // of larger files only what is around passages is shown
  size_t side_bytes = size_t{256} << 10;        // of one side of a pair, where it is not whole
  size_t passage_bytes = size_t{64} << 10;      // of one passage there; a longer one loses its middle
  size_t context_bytes = 400;                   // around a passage, at most
  size_t passages = 500;                        // of one pair
  size_t pairs = 1000;                          // that are looked at
  uint64_t read_bytes = uint64_t{256} << 20;    // of files that are looked at, each time they are
};

/// Collects the texts of pairs until there is no more room. Files that are whole are held once. Threads: one.
class PassageTexts {
 public:
  explicit PassageTexts(const PassageLimits& limits = {}) : limits_(limits) {}

  /// Returns whether another pair may have room, and is worth a look.
  [[nodiscard]] bool has_room() const;

  /// Adds the pair number `pair`, of files a and b with these bytes. `passages`: the longest first. Where the room that
  /// is left does not do, nothing is added; a pair with smaller files may still have room. `are_equal`: one text does
  /// for both files.
  void add(size_t pair, uint32_t a, std::string_view bytes_a, uint32_t b, std::string_view bytes_b,
           std::vector<PassagePlace> passages, bool are_equal = false);

  [[nodiscard]] const std::vector<FileText>& texts() const { return texts_; }
  [[nodiscard]] const std::vector<PairText>& pairs() const { return pairs_; }
  /// Hand them out; nothing is to be added afterwards.
  [[nodiscard]] std::vector<FileText> take_texts() { return std::move(texts_); }
  [[nodiscard]] std::vector<PairText> take_pairs() { return std::move(pairs_); }

 private:
  struct Side;
  [[nodiscard]] Side side_of(uint32_t file, std::string_view bytes, const std::vector<ByteRange>& wanted) const;
  size_t keep(uint32_t file, Side& side);

  PassageLimits limits_;
  std::vector<FileText> texts_;
  std::vector<PairText> pairs_;
  std::map<uint32_t, size_t> whole_;  // file -> index in texts_
  size_t size_bytes_ = 0, num_seen_ = 0;
  uint64_t read_bytes_ = 0;
};

/// Returns `bytes` as they are shown, and sets `offsets`, ascending byte offsets, to where those bytes come to stand in
/// units of UTF-16. An offset within a character is that of its beginning; one behind the end, that of the end.
[[nodiscard]] std::string shown_text(std::string_view bytes, std::vector<uint64_t>& offsets);

}  // namespace neardup::report
