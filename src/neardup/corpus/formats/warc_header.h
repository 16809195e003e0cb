// The header of a WARC record (ISO 28500, section 4: version line, named fields, an empty line), and that of an HTTP
// response, which is made alike. Lines end with \r\n or \n, some with \r\r\n.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "neardup/corpus/formats/arc_line.h"

namespace neardup::corpus {

/// A longer header is none: so no file can make a reader hold more.
inline constexpr size_t kMaxWarcHeaderBytes = size_t{1} << 18;

/// Takes the first line of `lines` off its front, without its end: \n, and each \r right before it.
[[nodiscard]] std::string_view take_header_line(std::string_view& lines);
/// Returns whether `c` has no place in a header: a control character that is no tab. Some readers end a line at a \r
/// alone, or a text at a zero byte, so whoever writes a header writes none of them.
[[nodiscard]] constexpr bool is_header_control(char c) {
  return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
}
/// Returns the name of the field that `line` begins, without white space behind it; empty where it begins none: it goes
/// on with the value of the line before, has no colon, or its name has a control character or a tab.
[[nodiscard]] std::string_view header_name(std::string_view line);

/// Lines "NAME: VALUE" up to an empty one, as take_header_line() and header_name() see them. Lines of another kind,
/// such as those that go on with the value of the line before, are passed over.
class HeaderFields {
 public:
  HeaderFields() = default;
  explicit HeaderFields(std::string_view lines) : lines_(lines) {}
  /// The fields of a record of ARC under the names that WARC has for them: WARC-Target-URI, WARC-IP-Address, WARC-Date
  /// (as ARC writes it: 14 digits), Content-Type (of the page).
  explicit HeaderFields(const ArcLine& line) : arc_(line) {}
  /// Returns the value of the first field of that name, in large or small letters, without white space around it; empty
  /// where there is none. Cost: one pass over the lines.
  [[nodiscard]] std::string_view find(std::string_view name) const;
  /// Calls visit(name, value) for each field.
  template <class Visit>
  void for_each(Visit&& visit) const;

 private:
  static bool next(std::string_view& lines, std::string_view& name, std::string_view& value);
  [[nodiscard]] std::array<std::pair<std::string_view, std::string_view>, 4> arc_fields() const;
  std::string_view lines_;
  std::optional<ArcLine> arc_;
};

template <class Visit>
void HeaderFields::for_each(Visit&& visit) const {
  std::string_view lines = lines_, name, value;
  while (next(lines, name, value)) visit(name, value);
  if (!arc_) return;
  for (const auto& [arc_name, arc_value] : arc_fields()) visit(arc_name, arc_value);
}

/// Returns how many bytes a header takes that `bytes` begin with, its empty line included; npos where it does not end
/// in the first kMaxWarcHeaderBytes of them, or before a line that begins as a record does. Cost: up to there.
[[nodiscard]] size_t header_size(std::string_view bytes);

/// Returns whether a record of WARC 1.0, 1.1, 0.18 or a draft near it may begin with `bytes`.
[[nodiscard]] bool begins_warc(std::string_view bytes);
/// Returns whether a file of WARC or ARC begins with `bytes`.
[[nodiscard]] bool begins_crawl(std::string_view bytes);

/// Of WARC, or of ARC: then the types are those that a record of WARC with this content would have.
struct WarcHeader {
  size_t size = 0;  // of its bytes
  HeaderFields fields;
  std::string_view type;        // "response"; small letters are not made
  uint64_t content_length = 0;  // of the block behind it
  bool is_arc = false;
};

/// Reads the header that `bytes` begin with; `problem` tells what is wrong where nothing is returned. A header that
/// does not end in `bytes` is wrong. What does not begin as a record of WARC is read as one of ARC, if it is one. Views
/// are of `bytes`.
[[nodiscard]] std::optional<WarcHeader> read_warc_header(std::string_view bytes, std::string_view& problem);

struct HttpHeader {
  size_t size = 0;
  int status = 0;
  HeaderFields fields;
  bool is_too_long = false;  // it does not end within kMaxWarcHeaderBytes
};

/// Reads the header of the HTTP response that `block` begins with, and those before it that only say that one will come
/// (100 Continue, 103 Early Hints); nothing where it is none. A header without an end
/// takes all of the block.
[[nodiscard]] std::optional<HttpHeader> read_http_header(std::string_view block);

/// Returns "text/html" of " Text/HTML; charset=x" as it stands there, without what follows the type.
[[nodiscard]] std::string_view media_type(std::string_view content_type);
/// Returns the value of `charset=` in a Content-Type, without quotes; empty where there is none.
[[nodiscard]] std::string_view charset_of(std::string_view content_type);
/// Returns whether `a` and `b` are equal but for large and small letters of ASCII.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);
/// Returns `value` without "<" and ">" around it, in which WARC puts identifiers.
[[nodiscard]] std::string_view without_brackets(std::string_view value);

}  // namespace neardup::corpus
