#include "table.h"

#include <parquet/file_reader.h>

#include <algorithm>
#include <cstring>

#include "column_check.h"
#include "list_columns.h"
#include "note_columns.h"
#include "slice_cutter.h"
#include "slice_reader.h"
#include "writer.h"

namespace neardup::parquet_module {
namespace {

using corpus::parquet::Group;

constexpr size_t kTailBytes = 8;  // the footer's length, and the magic
constexpr uint64_t kMostRowsOfGroup = uint64_t{1} << 31;

std::string group_place(uint32_t index) { return "row group " + std::to_string(index + 1) + ": "; }

/// Returns how long the footer is.
uint32_t check_tail(const HostFile& file) {
  char head[4] = {}, tail[kTailBytes] = {};
  const uint64_t size = file.size_bytes();
  size_t got = 0;
  if (!file.read_at(0, head, sizeof head, got)) throw Refusal(Fault::kHost, "the file cannot be read");
  if (std::memcmp(head, "PARE", got) == 0 && got == sizeof head)
    throw Refusal(Fault::kUnsupported, "it is encrypted; decrypt it first");
  if (got < sizeof head || std::memcmp(head, "PAR1", sizeof head) != 0)
    throw Refusal(Fault::kCorrupt, "it does not begin as Parquet does, with PAR1");
  if (size < 4 + kTailBytes)
    throw Refusal(Fault::kTruncated, "it ends after " + std::to_string(size) + " bytes, before any footer");
  if (!file.read_at(size - kTailBytes, tail, sizeof tail, got)) throw Refusal(Fault::kHost, "the file cannot be read");
  if (got < sizeof tail || std::memcmp(tail + 4, "PAR1", 4) != 0)
    throw Refusal(Fault::kTruncated,
                  "it does not end as Parquet does, with PAR1: the end, with the footer, is not there");
  uint32_t length = 0;
  std::memcpy(&length, tail, sizeof length);  // little-endian, as all machines that Arrow is built for
  if (length > size - 4 - kTailBytes) throw Refusal(Fault::kCorrupt, "its footer is said to be longer than the file");
  return length;
}

}  // namespace

FileTable::FileTable(const HostFile& file, uint64_t most_bytes) : pool_(static_cast<int64_t>(most_bytes)) {
  source_.file = &file;
  source_.pool = &pool_;
  source_.most_bytes = most_bytes;
  read_footer(most_bytes);
  add_groups();
  check_writable();
}

/// Documents of a file that cannot be written again would be lost when the rows that stay are.
void FileTable::check_writable() const {
  check_arrow_schema(*source_.footer);
  class Nowhere : public corpus::parquet::HostOutput {
    bool write(std::string_view) override { return true; }
  };
  Nowhere nowhere;
  Problem problem;
  if (!RowWriter(source_, false, nowhere).finish(problem))
    throw Refusal(Fault::kUnsupported, "its schema cannot be written again: " + problem.message);
}

/// Lists in the footer have an element a byte at most: so a short one claims no long ones.
void FileTable::read_footer(uint64_t most_bytes) {
  const uint32_t length = check_tail(*source_.file);
  if (length > most_bytes / 4)
    throw Refusal(Fault::kTooLarge,
                  "its footer has " + std::to_string(length) + " bytes, too many for the memory; give more --memory");
  ::parquet::ReaderProperties properties(&pool_);
  const auto most = static_cast<int32_t>(std::min<uint32_t>(length, INT32_MAX));
  properties.set_thrift_container_size_limit(std::max(most, 1));
  properties.set_thrift_string_size_limit(std::max(most, 1));
  const auto reader =
      ::parquet::ParquetFileReader::Open(std::make_shared<HostInput>(*source_.file, &pool_), properties);
  source_.footer = reader->metadata();
  if (source_.footer->is_encryption_algorithm_set())
    throw Refusal(Fault::kUnsupported, "columns of it are encrypted; decrypt it first");
}

void FileTable::add_groups() {
  uint64_t first_row = 0, all_bytes = 0;
  for (int g = 0; g < source_.footer->num_row_groups(); ++g) {
    const auto owner = source_.footer->RowGroup(g);
    if (owner->num_columns() != source_.footer->num_columns())
      throw Refusal(Fault::kCorrupt, group_place(static_cast<uint32_t>(g)) + "it has other columns than the file");
    const int64_t num_rows = owner->num_rows();
    if (num_rows < 0 || static_cast<uint64_t>(num_rows) > kMostRowsOfGroup)
      throw Refusal(Fault::kCorrupt,
                    group_place(static_cast<uint32_t>(g)) + "it claims to have " + std::to_string(num_rows) + " rows");
    Group group{first_row, static_cast<uint64_t>(num_rows), 0};
    for (int c = 0; c < owner->num_columns(); ++c) {
      if (!owner->ColumnChunk(c)->file_path().empty())
        throw Refusal(Fault::kUnsupported, "its columns are in other files");
      static_cast<void>(chunk_range(source_, g, c));
      group.packed_bytes += static_cast<uint64_t>(owner->ColumnChunk(c)->total_compressed_size());
    }
    all_bytes += group.packed_bytes;
    if (all_bytes > source_.file->size_bytes())
      throw Refusal(Fault::kCorrupt, "its columns are said to be longer than the file");
    first_row += group.num_rows;
    groups_.push_back(group);
    states_.push_back(std::make_unique<GroupState>());
  }
}

bool FileTable::find_text(std::string_view key, Problem& problem) const {
  const ::parquet::SchemaDescriptor& schema = *source_.footer->schema();
  const int column = find_text_column(schema, key);
  if (column == kNoColumnFound) {
    const std::string nested = describe_no_text(schema, key);
    if (nested.empty())
      problem = {Fault::kNoColumn, "no column '" + std::string(key) + "'; found " + list_columns(schema)};
    if (!nested.empty()) problem = {Fault::kNotText, nested};
    return false;
  }
  if (ValueText(*schema.Column(column)).is_text()) return true;
  problem = {Fault::kNotText, "column '" + std::string(key) + "' holds no strings"};
  return false;
}

bool FileTable::is_readable(std::string_view key, Problem& problem) const {
  if (key.empty()) return true;
  const ::parquet::SchemaDescriptor& schema = *source_.footer->schema();
  const int column = find_column(schema, key);
  if (column == kNoColumnFound) {
    problem = {Fault::kUnsupported, describe_nested(schema, key)};
    return problem.message.empty();
  }
  if (ValueText(*schema.Column(column)).is_known()) return true;
  problem = {Fault::kUnsupported, "column '" + std::string(key) + "' is of type " +
                                      schema.Column(column)->logical_type()->ToString() + ", which is not read"};
  return false;
}

std::shared_ptr<const PageMap> FileTable::map_of(uint32_t index, int column) {
  GroupState& state = *states_[index];
  const std::lock_guard lock(state.mutex);
  std::shared_ptr<const PageMap>& map = state.maps[column];
  if (map == nullptr) map = std::make_shared<PageMap>(map_pages(source_, static_cast<int>(index), column));
  return map;
}

bool FileTable::cut(uint32_t index, std::string_view key, uint64_t most_bytes, uint64_t most_rows,
                    std::vector<uint64_t>& rows, Problem& problem) {
  return guard(*source_.file, group_place(index), problem, [&] {
    const int column = find_text_column(*source_.footer->schema(), key);
    SliceCutter(source_, static_cast<int>(index), column, *map_of(index, column), most_bytes, most_rows, rows).run();
  });
}

int FileTable::column_of(const ColumnKey& key) const {
  const ::parquet::SchemaDescriptor& schema = *source_.footer->schema();
  const int column = key.is_text ? find_text_column(schema, key.name) : find_column(schema, key.name);
  return column != kNoColumnFound && ValueText(*source_.column(column)).is_known() ? column : kNoColumnFound;
}

/// The writer copies a list by more than the pages that read() reads: it is looked at, too.
bool FileTable::check(uint32_t index, std::span<const ColumnKey> keys, Problem& problem) {
  GroupState& state = *states_[index];
  std::call_once(state.checked, [&] {
    guard(*source_.file, group_place(index), state.problem, [&] {
      std::vector<bool> is_read(static_cast<size_t>(source_.footer->num_columns()));
      for (const ColumnKey& key : keys)
        if (const int c = column_of(key); c != kNoColumnFound && source_.column(c)->max_repetition_level() == 0)
          is_read[static_cast<size_t>(c)] = true;
      for (int c = 0; c < source_.footer->num_columns(); ++c)
        if (!is_read[static_cast<size_t>(c)]) check_column(source_, static_cast<int>(index), c);
    });
  });
  problem = state.problem;
  return problem.fault == Fault::kNone;
}

bool FileTable::read(uint32_t index, uint64_t first_row, uint64_t num_rows, std::span<const ColumnKey> keys,
                     corpus::parquet::HostRows& rows, Problem& problem) {
  return guard(*source_.file, group_place(index), problem, [&] {
    for (size_t key = 0; key < keys.size(); ++key) {
      const int column = column_of(keys[key]);
      if (column == kNoColumnFound) continue;
      read_slice(source_, static_cast<int>(index), column, *map_of(index, column), {first_row, first_row + num_rows},
                 [&](uint64_t row, Kind kind, std::string_view bytes) { return rows.take(key, row, kind, bytes); });
    }
  });
}

}  // namespace neardup::parquet_module
