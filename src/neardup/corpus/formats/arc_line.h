// The line before each record of an ARC file (Internet Archive, "Arc File Format", versions 1 and 2):
// URL IP-address Archive-date Content-type Archive-length, in version 2 with more between the last two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup::corpus {

/// A longer line is none.
inline constexpr size_t kMaxArcLineBytes = size_t{1} << 14;
/// What the first record of a file begins with; it tells of the file, and is no document.
inline constexpr std::string_view kArcMark = "filedesc://";

struct ArcLine {
  std::string_view uri;  // may hold blanks
  std::string_view ip;
  std::string_view date;  // 14 digits: YYYYMMDDhhmmss
  std::string_view type;  // of the page, without what follows the type
  uint64_t length = 0;    // of the block behind it
  size_t size = 0;        // of the line, its end included
};

/// Reads the line that `bytes` begin with; nothing where it is none, or has no end in the first kMaxArcLineBytes.
/// Views are of `bytes`.
[[nodiscard]] std::optional<ArcLine> read_arc_line(std::string_view bytes);

/// Returns "2014-02-16T05:02:21Z" of "20140216050221", as WARC writes it; anything else as it is.
[[nodiscard]] std::string warc_date_of(std::string_view arc_date);

}  // namespace neardup::corpus
