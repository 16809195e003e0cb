#include "writer.h"

#include <arrow/io/interfaces.h>
#include <parquet/column_writer.h>

#include "column_copy.h"
#include "note_columns.h"
#include "writer_properties.h"

namespace neardup::parquet_module {
namespace {

using corpus::parquet::HostOutput;
using corpus::parquet::RowNote;

}  // namespace

/// What libparquet writes goes to the host at once.
class RowWriter::Stream : public ::arrow::io::OutputStream {
 public:
  explicit Stream(HostOutput& output) : output_(output) {}

  ::arrow::Status Close() override { return {}; }
  [[nodiscard]] bool closed() const override { return false; }
  ::arrow::Result<int64_t> Tell() const override { return size_; }
  ::arrow::Status Write(const void* bytes, int64_t size) override {
    if (!failed_ && !output_.write({static_cast<const char*>(bytes), static_cast<size_t>(size)})) failed_ = true;
    if (failed_) return ::arrow::Status::IOError("the file cannot be written");
    size_ += size;
    return {};
  }
  using ::arrow::io::OutputStream::Write;
  [[nodiscard]] bool failed() const { return failed_; }
  void refuse_more() { failed_ = true; }

 private:
  HostOutput& output_;
  int64_t size_ = 0;
  bool failed_ = false;
};

RowWriter::RowWriter(const Source& source, bool takes_notes, HostOutput& output)
    : source_(source), takes_notes_(takes_notes), stream_(std::make_shared<Stream>(output)) {
  const NotedSchema noted = takes_notes ? noted_schema(*source.footer) : same_schema(*source.footer);
  for (int c = 0; c < source.footer->num_columns() - noted.num_dropped; ++c) columns_.push_back(c);
  writer_ = ::parquet::ParquetFileWriter::Open(stream_, noted.root, properties_like(*source.footer), noted.metadata);
}

RowWriter::~RowWriter() { stream_->refuse_more(); }

void RowWriter::add_group(int index, std::span<const uint32_t> rows, std::span<const RowNote> notes) {
  ::parquet::RowGroupWriter* group = writer_->AppendRowGroup();
  for (const int column : columns_) copy_column(source_, index, column, rows, *group->NextColumn());
  if (takes_notes_) write_notes(notes, *group);
  group->Close();
}

bool RowWriter::add(uint32_t index, std::span<const uint32_t> rows, std::span<const RowNote> notes, Problem& problem) {
  const bool done = guard(*source_.file, "row group " + std::to_string(index + 1) + ": ", problem,
                          [&] { add_group(static_cast<int>(index), rows, notes); });
  if (stream_->failed()) problem.fault = Fault::kHost;
  return done;
}

bool RowWriter::finish(Problem& problem) {
  const bool done = guard(*source_.file, "", problem, [&] { writer_->Close(); });
  if (stream_->failed()) problem.fault = Fault::kHost;
  return done;
}

}  // namespace neardup::parquet_module
