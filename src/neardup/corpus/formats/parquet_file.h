// A Parquet file that is open, by the module that reads such files.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "neardup/corpus/batch.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/parquet/module.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/source_file.h"
#include "neardup/corpus/text_path.h"

namespace neardup::corpus {

/// Threads: any.
class ParquetFile : public parquet::HostFile {
 public:
  /// Opens `input`. What is wrong with the file is told by refusal(). Errors: those of check_failure().
  [[nodiscard]] static Result<std::shared_ptr<ParquetFile>> open(const Input& input, const ReadOptions& options);
  /// The same, also where it has no column of texts.
  [[nodiscard]] static Result<std::shared_ptr<ParquetFile>> open_any(const Input& input, const ReadOptions& options);

  [[nodiscard]] uint64_t size_bytes() const override { return size_bytes_; }
  [[nodiscard]] bool read_at(uint64_t offset, char* out, size_t size, size_t& got) const override;
  [[nodiscard]] bool failed() const override { return error_ != 0; }

  /// Why no row of the file is a document: it cannot be opened, or has no column of texts. Nothing: some may be.
  [[nodiscard]] const std::optional<Rejection>& refusal() const { return refusal_; }
  /// A column of the text; `found` of all its rows but that some may be null: kText, kMissing or kOther.
  struct TextColumn {
    std::string name;  // its own, where it was typed in quotes
    PathText::Found found = PathText::Found::kText;
  };
  /// Those that ReadOptions::text_key names: one, or each path of the key. Requires: !refusal().
  [[nodiscard]] const std::vector<TextColumn>& text_columns() const { return text_columns_; }
  /// As Table::cut(), of all columns of texts: a slice holds about `most_bytes` of each. Requires: !refusal().
  [[nodiscard]] bool cut(uint32_t group, uint64_t most_bytes, uint64_t most_rows, std::vector<uint64_t>& rows,
                         parquet::Problem& problem) const;
  /// Requires: !refusal().
  [[nodiscard]] parquet::Table& table() const { return *table_; }
  /// Returns the group whose first row, of those with rows, is `row` or the last before it.
  [[nodiscard]] uint32_t group_of(uint64_t row) const;

  /// Returns `problem` as a rejection of what follows from a batch's first line on, of which `unread` is lost.
  /// Errors: those of check_failure(), where reading has failed.
  [[nodiscard]] Result<Rejection> reject(const parquet::Problem& problem, Unread unread) const;

 private:
  explicit ParquetFile(const Input& input) : path_(input.path), size_bytes_(input.size_bytes) {}

  Status open_table(const ReadOptions& options);
  /// Returns whether the columns that `options` names can be read: a rule must not be passed over unsaid.
  bool find_columns(const ReadOptions& options, parquet::Problem& problem);
  bool find_text(const ReadOptions& options, parquet::Problem& problem);
  bool find_texts(const TextKey& key, parquet::Problem& problem);
  /// Sets refusal().
  Status refuse(const parquet::Problem& problem);

  std::string path_;
  uint64_t size_bytes_;
  SourceFile file_;
  mutable std::atomic<int> error_ = 0;  // of a read that failed
  std::unique_ptr<parquet::Table> table_;
  std::vector<TextColumn> text_columns_;
  std::optional<Rejection> refusal_;
};

}  // namespace neardup::corpus
