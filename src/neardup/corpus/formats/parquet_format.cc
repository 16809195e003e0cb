// Parquet: a table in columns, in row groups; a document a row. The bytes themselves are the module's work (parquet/).
#include <algorithm>

#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/formats/parquet_assembly.h"
#include "neardup/corpus/formats/parquet_file.h"
#include "neardup/corpus/formats/parquet_rows.h"
#include "neardup/corpus/read_plan.h"
#include "neardup/corpus/sink.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {
namespace {

/// Appends units that follow one another in the bytes of the file, none of them empty.
class UnitCutter {
 public:
  UnitCutter(uint32_t input, std::vector<Unit>& units) : input_(input), units_(units) {}

  void add_group(const parquet::Group& group, std::span<const uint64_t> rows) {
    const uint64_t begin = done_bytes_;
    done_bytes_ += group.packed_bytes;
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint64_t end = i + 1 < rows.size() ? rows[i + 1] : group.num_rows;
      add(begin + share(group, end), group.first_row + rows[i], end - rows[i]);
    }
    if (rows.empty()) add(done_bytes_, group.first_row, 0);
  }

  void end_at(uint64_t size_bytes) {
    if (end_ > 0) units_.back().end = std::max(units_.back().end, size_bytes);
  }

 private:
  static uint64_t share(const parquet::Group& group, uint64_t row) {
    return static_cast<uint64_t>(static_cast<double>(group.packed_bytes) * static_cast<double>(row) /
                                 static_cast<double>(group.num_rows));
  }
  void add(uint64_t end, uint64_t first_row, uint64_t num_rows) {
    const uint64_t begin = end_;
    end_ = std::max(end, begin + 1);
    units_.push_back({input_, 1, begin, end_, first_row, num_rows});
  }

  const uint32_t input_;
  std::vector<Unit>& units_;
  uint64_t done_bytes_ = 0;
  uint64_t end_ = 0;
};

/// Opens the file once for all of its batches; nothing else needs an order. A packed input, of which no row is read, is
/// one batch.
class ParquetStream : public BatchStream {
 public:
  ParquetStream(std::shared_ptr<ParquetFile> file, const Input& input)
      : file_(std::move(file)),
        packed_bytes_(input.is_packed() ? input.size_bytes : 0),
        is_packed_(input.is_packed()) {}

  Result<bool> fill(uint64_t, BatchBuffers& buffers) override {
    if (is_packed_ && !is_whole_) return false;
    buffers.parquet = file_;
    buffers.tail.reset();
    buffers.begin = buffers.end = 0;
    if (file_->refusal() && is_whole_) buffers.tail = file_->refusal();
    is_whole_ = false;
    return true;
  }
  Status skip_to(uint64_t) override {
    is_whole_ = false;
    return {};
  }
  [[nodiscard]] uint64_t consumed() const override { return is_whole_ ? 0 : packed_bytes_; }

 private:
  const std::shared_ptr<ParquetFile> file_;
  const uint64_t packed_bytes_;
  const bool is_packed_;
  bool is_whole_ = true;  // nothing of it was handed out
};

class ParquetSource : public Source {
 public:
  /// A file that cannot be opened, and a group whose pages cannot be found, are units without rows; load() tells why.
  void cut(const std::vector<Input>& inputs, uint32_t index, const ReadOptions& options,
           std::vector<Unit>& units) const override {
    const Input& input = inputs[index];
    const auto opened = ParquetFile::open(input, options);
    if (!opened || (*opened)->refusal()) {
      units.push_back({index, 1, 0, std::max<uint64_t>(input.size_bytes, 1)});
      return;
    }
    const parquet::Table& table = (*opened)->table();
    UnitCutter cutter(index, units);
    for (uint32_t g = 0; g < table.num_groups(); ++g) {
      if (table.group(g).num_rows == 0) continue;
      std::vector<uint64_t> rows;
      parquet::Problem problem;
      if (!(*opened)->cut(g, options.batch_bytes, kMostParquetRows, rows, problem)) rows.clear();
      cutter.add_group(table.group(g), rows);
    }
    cutter.end_at(input.size_bytes);
  }
  bool is_stream(const Input&) const override { return true; }
  Result<std::unique_ptr<BatchStream>> open_stream(const Input& input, const ReadOptions& options) const override {
    NEARDUP_ASSIGN(auto file, ParquetFile::open(input, options));
    return std::make_unique<ParquetStream>(std::move(file), input);
  }
  Status load(const ReadPlan& plan, Load what, Batch& batch) const override {
    BatchBuffers& buffers = *batch.buffers;
    if (buffers.tail) {
      batch.rejections.push_back(*buffers.tail);
      batch.rejections.back().input = batch.first_input;
    }
    if (buffers.parquet->refusal()) return {};
    return load_parquet_rows(plan, *buffers.parquet, what, batch);
  }
};

class ParquetSink : public Sink {
 public:
  void append(const Batch& batch, std::span<const Chosen> records, bool annotates, std::string& out) const override {
    append_parquet_rows(batch, records, annotates, out);
  }
  Result<std::unique_ptr<Assembly>> assemble(const Input& input, bool annotates) const override {
    return assemble_parquet(input, annotates);
  }
  bool takes_notes() const override { return true; }
  bool compresses() const override { return true; }
};

}  // namespace

const Source& parquet_source() {
  static const ParquetSource source;
  return source;
}

const Sink& parquet_sink() {
  static const ParquetSink sink;
  return sink;
}

}  // namespace neardup::corpus
