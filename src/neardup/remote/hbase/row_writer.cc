#include "neardup/remote/hbase/row_writer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "neardup/remote/hbase/store_table.h"

namespace neardup::remote::hbase {
namespace {

using hbase_wire::TDelete;
using hbase_wire::TPut;

constexpr size_t kRowsOfPut = 1000;
constexpr size_t kBytesEach = size_t{4} << 20;

// Puts and deletes, in calls of so many.
class Rows {
 public:
  Rows(int64_t stamp, const Table& table) : stamp_(stamp), table_(table) {}

  void put(std::string row, std::string_view column, std::string_view value) {
    // Records share a row; nothing else does.
    if (value.empty() || puts_.empty() || bytes_ >= kBytesEach || puts_.back().back().row != row)
      begin_put(std::move(row));
    puts_.back().back().columnValues.push_back(cell_of(table_.families.documents, column, value));
    bytes_ += value.size();
  }
  void put(TPut row) { puts_.emplace_back().push_back(std::move(row)); }
  void remove(std::string row, std::string_view column) {
    if (deletes_.empty() || deletes_.back().size() >= kRowsOfPut) deletes_.emplace_back();
    TDelete& cell = deletes_.back().emplace_back();
    cell.row = std::move(row);
    cell.columns.push_back(column_of(table_.families.documents, column));
    cell.columns.back().__set_timestamp(stamp_);
    cell.__isset.columns = true;
  }
  [[nodiscard]] Status write() const {
    std::vector<Exchange> exchanges;
    for (const auto& puts : puts_) exchanges.push_back(put_rows(table_.name, puts));
    for (const auto& deletes : deletes_) exchanges.push_back(delete_cells(table_.name, deletes));
    return table_.call_all("writing rows", exchanges);
  }

 private:
  void begin_put(std::string row) {
    if (puts_.empty() || puts_.back().size() >= kRowsOfPut || bytes_ >= kBytesEach) {
      puts_.emplace_back().reserve(kRowsOfPut);
      bytes_ = 0;
    }
    TPut& put = puts_.back().emplace_back();
    put.row = std::move(row);
    put.__set_timestamp(stamp_);
  }

  int64_t stamp_;
  const Table& table_;
  size_t bytes_ = 0;  // of values in the last call
  std::vector<std::vector<TPut>> puts_;
  std::vector<std::vector<TDelete>> deletes_;
};

// Calls `what` with row and column of each cell that leads to a document.
template <class What>
void for_each_cell(const Layout& layout, const LogDocument& document, const What& what) {
  const std::string column = number_column(document.number);
  const size_t words = layout.words_each();
  const std::span<const uint64_t> fingerprints = document.fingerprints;
  for (size_t place = 0; (place + 1) * words <= fingerprints.size() && place < layout.num_places(); ++place)
    for (size_t of = 0; of < layout.num_tables(); ++of)
      what(layout.row_of(fingerprints.subspan(place * words, words), place, of), column);
  std::vector<uint64_t> keys = document.keys;
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const uint64_t key : keys) what(key_row(key), column);
}

// A cell that the same entry puts in again is not deleted: of two with one stamp the deletion would win.
void remove_gone(const Layout& layout, const LogEntry& entry, Rows& rows) {
  std::set<std::pair<std::string, std::string>> again;
  for (const LogDocument& document : entry.added) {
    if (entry.gone.empty()) break;
    for_each_cell(layout, document,
                  [&](std::string row, const std::string& column) { again.emplace(std::move(row), column); });
    again.emplace(record_row(document.number), record_column(document.number));
  }
  for (const Posting& posting : entry.postings) again.emplace(key_row(posting.key), number_column(posting.number));
  const auto remove = [&](std::string row, const std::string& column) {
    if (!again.contains({row, column})) rows.remove(std::move(row), column);
  };
  for (const LogDocument& document : entry.gone) {
    for_each_cell(layout, document, remove);
    remove(record_row(document.number), record_column(document.number));
  }
}

}  // namespace

Status write_rows(const Table& table, const Layout& layout, const LogEntry& entry) {
  Rows rows(static_cast<int64_t>(entry.stamp), table);
  // Ascending, they are neighbours in the server's memory, and a call goes to few regions.
  std::vector<std::pair<std::string, std::string>> cells;
  const auto add = [&](std::string row, std::string column) { cells.emplace_back(std::move(row), std::move(column)); };
  for (const LogDocument& document : entry.added) for_each_cell(layout, document, add);
  for (const Posting& posting : entry.postings) add(key_row(posting.key), number_column(posting.number));
  std::ranges::sort(cells);
  for (auto& [row, column] : cells) rows.put(std::move(row), column, {});
  for (const LogDocument& document : entry.added)
    rows.put(record_row(document.number), record_column(document.number), document.record);
  if (entry.shared) rows.put(put_of_shared(table, *entry.shared, entry.stamp));
  remove_gone(layout, entry, rows);
  return rows.write();
}

}  // namespace neardup::remote::hbase
