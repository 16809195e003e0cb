#include "slice_cutter.h"

#include "slice_reader.h"

namespace neardup::parquet_module {

void SliceCutter::run() {
  rows_.push_back(0);
  for (size_t i = 0; i < map_.pages.size(); ++i) {
    const PagePlace& page = map_.pages[i];
    const bool is_coded = i < map_.num_coded_pages && map_.dictionary_bytes > 0;
    if (is_coded && map_.longest_entry > most_bytes_ / std::max<uint64_t>(page.num_values, 1)) {
      add_values(page);
    } else {
      add_page(page);
    }
  }
  if (map_.pages.empty()) return;
  const uint64_t end = map_.pages.back().first_row + map_.pages.back().num_rows;
  if (rows_.size() > 1 && rows_.back() == end) rows_.pop_back();
}

void SliceCutter::cut_at(uint64_t row) {
  if (row > rows_.back()) rows_.push_back(row);
  bytes_ = 0;
}

void SliceCutter::add_page(const PagePlace& page) {
  bytes_ += static_cast<uint64_t>(static_cast<double>(page.end - page.begin) * map_.unpacked_ratio);
  const uint64_t end = page.first_row + page.num_rows;
  while (end - rows_.back() > most_rows_) cut_at(rows_.back() + most_rows_);
  if (bytes_ >= most_bytes_) cut_at(end);
}

void SliceCutter::add_values(const PagePlace& page) {
  const Range rows{page.first_row, page.first_row + page.num_rows};
  read_slice(source_, group_, column_, map_, rows, [&](uint64_t row, Kind, std::string_view bytes) {
    bytes_ += bytes.size();
    const uint64_t next = page.first_row + row + 1;
    if (bytes_ >= most_bytes_ || next - rows_.back() >= most_rows_) cut_at(next);
    return true;
  });
}

}  // namespace neardup::parquet_module
