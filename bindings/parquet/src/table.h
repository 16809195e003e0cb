// An opened file, as the host sees it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "columns.h"
#include "limited_pool.h"

namespace neardup::parquet_module {

using corpus::parquet::ColumnKey;

class FileTable : public corpus::parquet::Table {
 public:
  /// Reads the footer and holds what it says against the size of the file. Throws what is wrong with it.
  FileTable(const HostFile& file, uint64_t most_bytes);

  [[nodiscard]] uint32_t num_groups() const override { return static_cast<uint32_t>(groups_.size()); }
  [[nodiscard]] corpus::parquet::Group group(uint32_t index) const override { return groups_[index]; }
  [[nodiscard]] std::string column_names() const override { return list_columns(*source_.footer->schema()); }
  [[nodiscard]] bool find_text(std::string_view key, Problem& problem) const override;
  [[nodiscard]] bool is_readable(std::string_view key, Problem& problem) const override;
  [[nodiscard]] bool cut(uint32_t index, std::string_view key, uint64_t most_bytes, uint64_t most_rows,
                         std::vector<uint64_t>& rows, Problem& problem) override;
  [[nodiscard]] bool check(uint32_t index, std::span<const ColumnKey> keys, Problem& problem) override;
  [[nodiscard]] bool read(uint32_t index, uint64_t first_row, uint64_t num_rows, std::span<const ColumnKey> keys,
                          corpus::parquet::HostRows& rows, Problem& problem) override;

  [[nodiscard]] const Source& source() const { return source_; }

 private:
  /// What was found out about a row group.
  struct GroupState {
    std::mutex mutex;
    std::map<int, std::shared_ptr<const PageMap>> maps;  // by column
    std::once_flag checked;
    Problem problem;
  };

  void read_footer(uint64_t most_bytes);
  void add_groups();
  void check_writable() const;
  /// Returns the column that read() reads for `key`; kNoColumnFound where it reads none.
  [[nodiscard]] int column_of(const ColumnKey& key) const;
  std::shared_ptr<const PageMap> map_of(uint32_t index, int column);

  LimitedPool pool_;
  Source source_;
  std::vector<corpus::parquet::Group> groups_;
  std::vector<std::unique_ptr<GroupState>> states_;
};

}  // namespace neardup::parquet_module
