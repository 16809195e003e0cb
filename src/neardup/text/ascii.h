// The ASCII part of normalisation, many bytes at a time.
#pragma once

#include <cstddef>

namespace neardup::text {

/// Whether `c` is one of A to Z.
[[nodiscard]] constexpr bool is_ascii_capital(char c) { return c >= 'A' && c <= 'Z'; }

struct AsciiOptions {
  bool lower_case = true;
  bool collapse_space = true;
};

/// How far ascii_run() came.
struct AsciiRun {
  size_t consumed = 0;  // bytes of the input, all ASCII
  size_t written = 0;   // bytes of the output
};

/// Bytes beyond the result that ascii_run() may overwrite.
inline constexpr size_t kAsciiSlack = 64;

/// Writes the normalised form of the ASCII characters at the beginning of `from` to `to`, up to the first other byte.
/// `after_space`: nothing or a space has been written before, so that white space at the beginning is dropped (only
/// with collapse_space). Requires: `to` has room for `size` + kAsciiSlack bytes.
/// Cost: SIMD of the machine (Highway), the same result for each.
AsciiRun ascii_run(const char* from, size_t size, char* to, bool after_space, AsciiOptions options);

}  // namespace neardup::text
