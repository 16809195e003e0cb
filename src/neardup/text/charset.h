// Which encoding bytes are in, and what they are in UTF-8.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace neardup::text {

/// Turns texts of any encoding of the web (the WHATWG Encoding Standard's) into UTF-8. It is found in this order:
///  1. a byte order mark; where all bytes are ASCII the escapes of ISO-2022-JP, -KR and -CN, the braces of HZ, or
///  UTF-7,
///     if all that they say has a meaning;
///  2. the bytes themselves, where they are valid UTF-8 with more than ASCII: other encodings hardly ever are;
///  3. the encoding that the caller declares, such as the charset of a Content-Type header;
///  4. in HTML and XML the encoding that a <meta> element or the XML declaration names in the first 4 KiB;
///  5. the content: UTF-16 and UTF-32 by their letters; UTF-8 where at most one byte in a hundred is not valid, else
///  what ICU's detector takes it for,
///     or one of the encodings of Cyrillic or of Mac and DOS that it does not know, else windows-1252.
/// A declaration of UTF-8 counts in step 5 alone. Labels mean what they mean in browsers: "latin1" and "ascii" are
/// windows-1252, "gb2312" is GB18030, "shift_jis" is windows-932.
/// Threads: one object per thread (it keeps the last converter).
class Decoder {
 public:
  Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;
  ~Decoder();

  /// Returns `bytes` as UTF-8 without a byte order mark: a part of `bytes` themselves where they are UTF-8 (invalid
  /// sequences stay), else `out`, which is replaced; what has no meaning in the encoding becomes U+FFFD.
  /// `declared` may be empty or unknown: then it is not heeded. Cost: UTF-8 about 4 GB/s, others about 200 MB/s; for
  /// undeclared other encodings a look at 64 KiB, some milliseconds.
  [[nodiscard]] std::string_view decode(std::string_view bytes, std::string_view declared, std::string& out);

  /// Returns whether the last text could not be converted, so that its bytes were returned as they are: ICU has no
  /// table for the encoding, or memory ended.
  [[nodiscard]] bool has_failed() const;

  /// Returns the encoding of the last text: "UTF-8", "GB18030", "windows-1252", "Shift_JIS", ...
  [[nodiscard]] std::string_view encoding() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the encoding that a label means, by the name that Decoder::encoding() uses; "" where it means none.
[[nodiscard]] std::string_view encoding_of_label(std::string_view label);

/// Returns the names that encoding_of_label() may return.
[[nodiscard]] std::string_view encoding_names();

}  // namespace neardup::text
