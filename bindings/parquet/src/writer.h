// A file with some rows of another one.
#pragma once

#include <parquet/file_writer.h>

#include <memory>
#include <span>

#include "table.h"

namespace neardup::parquet_module {

class RowWriter : public corpus::parquet::Writer {
 public:
  /// Throws what is wrong.
  RowWriter(const Source& source, bool takes_notes, corpus::parquet::HostOutput& output);
  /// Writes nothing more, where finish() was not called.
  ~RowWriter() override;

  [[nodiscard]] bool add(uint32_t index, std::span<const uint32_t> rows,
                         std::span<const corpus::parquet::RowNote> notes, Problem& problem) override;
  [[nodiscard]] bool finish(Problem& problem) override;

 private:
  class Stream;

  void add_group(int index, std::span<const uint32_t> rows, std::span<const corpus::parquet::RowNote> notes);

  const Source& source_;
  const bool takes_notes_;
  std::shared_ptr<Stream> stream_;
  std::vector<int> columns_;  // of the source, that are copied
  std::unique_ptr<::parquet::ParquetFileWriter> writer_;
};

}  // namespace neardup::parquet_module
