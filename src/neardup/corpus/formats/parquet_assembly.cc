#include "neardup/corpus/formats/parquet_assembly.h"

#include <cstring>
#include <optional>

#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/formats/parquet_file.h"
#include "neardup/corpus/parquet/find_module.h"

namespace neardup::corpus {
namespace {

using parquet::Problem;
using parquet::RowNote;

template <class Number>
void put(Number number, std::string& out) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class Number>
Number take_number(std::string_view& bytes) {
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

void put_note(const Note& note, std::string& out) {
  put<uint8_t>(note.duplicate_of.has_value(), out);
  if (note.duplicate_of) put<uint64_t>(note.duplicate_of->size(), out);
  if (note.duplicate_of) out += *note.duplicate_of;
  put<uint8_t>(note.cluster.has_value(), out);
  if (note.cluster) put<uint32_t>(*note.cluster, out);
}

RowNote take_note(std::string_view& bytes) {
  RowNote note;
  note.has_duplicate_of = take_number<uint8_t>(bytes) != 0;
  if (note.has_duplicate_of) {
    const auto size = static_cast<size_t>(take_number<uint64_t>(bytes));
    note.duplicate_of = bytes.substr(0, size);
    bytes.remove_prefix(size);
  }
  note.has_cluster = take_number<uint8_t>(bytes) != 0;
  if (note.has_cluster) note.cluster = take_number<uint32_t>(bytes);
  return note;
}

/// Gathers which rows of a group stay, that come in slices, and writes them when it is over, column by column. Memory:
/// 4 bytes a row of the group that stays, and with notes about 80; pages, whatever else the group has.
class ParquetAssembly : public Assembly, private parquet::HostOutput {
 public:
  static Result<std::unique_ptr<Assembly>> open(const Input& input, bool annotates) {
    std::unique_ptr<ParquetAssembly> assembly(new ParquetAssembly(input, annotates));
    NEARDUP_TRY(assembly->open_file());
    return assembly;
  }

  Status add(std::string_view piece, const WriteBytes& write) override {
    while (!piece.empty()) {
      const auto row = take_number<uint64_t>(piece);
      const uint32_t group = file_->group_of(row);
      if (group != group_) NEARDUP_TRY(write_group(write));
      group_ = group;
      rows_.push_back(static_cast<uint32_t>(row - file_->table().group(group).first_row));
      if (annotates_) notes_.push_back(take_note(piece));
    }
    return {};
  }

  Status finish(const WriteBytes& write) override {
    NEARDUP_TRY(write_group(write));
    NEARDUP_TRY(open_writer(write));
    Problem problem;
    return writer_->finish(problem) ? Status() : failed(problem);
  }

 private:
  ParquetAssembly(const Input& input, bool annotates) : input_(input), annotates_(annotates) {}

  /// What was read was checked; no column of texts is looked for, and no page is too large.
  Status open_file() {
    ReadOptions options;
    options.max_record_bytes = kMostRecordBytes;
    NEARDUP_ASSIGN(file_, ParquetFile::open_any(input_, options));
    if (!file_->refusal()) return {};
    return failed({parquet::Fault::kCorrupt, file_->refusal()->message});
  }

  /// At the first bytes, since its header is written at once.
  Status open_writer(const WriteBytes& write) {
    write_ = &write;
    if (writer_ != nullptr) return {};
    NEARDUP_ASSIGN(const parquet::Module* module, parquet::find_module());
    Problem problem;
    writer_ = module->write(file_->table(), annotates_, *this, problem);
    return writer_ != nullptr ? Status() : failed(problem);
  }

  Status write_group(const WriteBytes& write) {
    if (rows_.empty()) return {};
    NEARDUP_TRY(open_writer(write));
    Problem problem;
    if (!writer_->add(group_, rows_, notes_, problem)) return failed(problem);
    rows_.clear();
    notes_.clear();
    return {};
  }

  bool write(std::string_view bytes) override {
    written_ = (*write_)(bytes);
    return written_.has_value();
  }

  Status failed(const Problem& problem) {
    if (!written_) return written_;
    const bool may_have_changed =
        problem.fault != parquet::Fault::kUnsupported && problem.fault != parquet::Fault::kTooLarge;
    const std::string cure = may_have_changed ? "; where it changed meanwhile, start again with --overwrite" : "";
    return fail(Code::kMismatch, "cannot write the rows of '" + input_.path + "' that stay: " + problem.message + cure);
  }

  const Input input_;
  const bool annotates_;
  std::shared_ptr<ParquetFile> file_;
  const WriteBytes* write_ = nullptr;  // of the call that is under way
  Status written_;
  std::unique_ptr<parquet::Writer> writer_;  // before file_ goes, whose table it reads
  uint32_t group_ = 0;
  std::vector<uint32_t> rows_;  // of group_, that stay
  std::vector<RowNote> notes_;  // of rows_
};

}  // namespace

void append_parquet_rows(const Batch& batch, std::span<const Chosen> records, bool annotates, std::string& out) {
  for (const Chosen& chosen : records) {
    put<uint64_t>(batch.buffers->unit.first_row + chosen.record->line, out);
    if (annotates) put_note(chosen.note.value_or(Note()), out);
  }
}

Result<std::unique_ptr<Assembly>> assemble_parquet(const Input& input, bool annotates) {
  return ParquetAssembly::open(input, annotates);
}

}  // namespace neardup::corpus
