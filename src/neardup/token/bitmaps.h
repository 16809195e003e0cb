// Where tokens begin and end, as one bit for each byte of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neardup::token {

/// The k-th bit set in `starts` is the first byte of token k, the k-th bit set in `ends` the byte after its last one.
/// Tokens may overlap (bigrams) and touch; both sequences ascend. One bit more than the text has bytes.
struct Bitmaps {
  std::vector<uint64_t> starts;
  std::vector<uint64_t> ends;

  static size_t num_words(size_t size_bytes) { return size_bytes / 64 + 1; }

  /// All bits zero.
  void clear(size_t size_bytes) {
    starts.assign(num_words(size_bytes), 0);
    ends.assign(num_words(size_bytes), 0);
  }

  void mark_start(size_t at) { starts[at / 64] |= uint64_t{1} << at % 64; }
  void mark_end(size_t at) { ends[at / 64] |= uint64_t{1} << at % 64; }
};

}  // namespace neardup::token
