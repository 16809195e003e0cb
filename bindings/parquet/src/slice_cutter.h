// Where the rows of a group are cut into slices.
#pragma once

#include <algorithm>
#include <vector>

#include "columns.h"

namespace neardup::parquet_module {

/// Puts pages of the text column together until they hold `most_bytes`. Pages are cut where they have more than
/// `most_rows` rows, or a few entries of a dictionary give many and long values: a small file can hold them. A slice is
/// as large as the dictionary, since each reads that anew.
class SliceCutter {
 public:
  SliceCutter(const Source& source, int group, int column, const PageMap& map, uint64_t most_bytes, uint64_t most_rows,
              std::vector<uint64_t>& rows)
      : source_(source),
        group_(group),
        column_(column),
        map_(map),
        most_bytes_(std::max(most_bytes, map.dictionary_bytes)),
        most_rows_(most_rows),
        rows_(rows) {}

  /// Appends the first row of each slice.
  void run();

 private:
  void add_page(const PagePlace& page);
  void add_values(const PagePlace& page);
  void cut_at(uint64_t row);

  const Source& source_;
  const int group_;
  const int column_;
  const PageMap& map_;
  const uint64_t most_bytes_;
  const uint64_t most_rows_;
  std::vector<uint64_t>& rows_;
  uint64_t bytes_ = 0;  // of the last slice
};

}  // namespace neardup::parquet_module
