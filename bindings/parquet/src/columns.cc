#include "columns.h"

#include <parquet/column_page.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "list_slice.h"

namespace neardup::parquet_module {
namespace {

constexpr size_t kMostNames = 8;
constexpr size_t kMostNameBytes = 40;

int find_path(const ::parquet::SchemaDescriptor& schema, const std::vector<std::string>& path) {
  for (int i = 0; i < schema.num_columns(); ++i) {
    const ::parquet::ColumnDescriptor* column = schema.Column(i);
    if (column->max_repetition_level() == 0 && column->path()->ToDotVector() == path) return i;
  }
  return kNoColumnFound;
}

using ::parquet::schema::GroupNode;
using ::parquet::schema::Node;

/// The field at the end of `path`, or the one before it whose fields have no names: a list or a map.
const Node* find_node(const GroupNode& root, std::span<const std::string> path) {
  const Node* node = &root;
  for (const std::string& name : path) {
    if (!node->is_group() || node->is_repeated() || !node->logical_type()->is_none()) return node;
    const auto& group = static_cast<const GroupNode&>(*node);
    const int index = group.FieldIndex(name);
    if (index < 0) return nullptr;
    node = group.field(index).get();
  }
  return node;
}

std::string column_place(const Source& source, int group, int column) {
  return "row group " + std::to_string(group + 1) + ", column '" + source.column(column)->path()->ToDotString() + "': ";
}

/// What old writers, by faults that are known, have left out of the footer.
struct Quirks {
  explicit Quirks(const ::parquet::ApplicationVersion& writer)
      : missing_bytes(writer.VersionLt(::parquet::ApplicationVersion::PARQUET_816_FIXED_VERSION()) ? 100 : 0),
        always_compressed(writer.VersionLt(::parquet::ApplicationVersion::PARQUET_CPP_10353_FIXED_VERSION())) {}
  uint64_t missing_bytes;
  bool always_compressed;
};

std::unique_ptr<::parquet::PageReader> open_pages(const Source& source, int group, int column,
                                                  std::shared_ptr<RangeStream> stream, int64_t num_values) {
  const auto chunk_owner = source.footer->RowGroup(group);
  const auto chunk = chunk_owner->ColumnChunk(column);
  return ::parquet::PageReader::Open(std::move(stream), num_values, chunk->compression(), source.properties(),
                                     *source.column(column), Quirks(source.footer->writer_version()).always_compressed);
}

/// All of them where the footer does not tell.
size_t count_coded_pages(const ::parquet::ColumnChunkMetaData& chunk) {
  if (chunk.encoding_stats().empty()) return SIZE_MAX;
  size_t count = 0;
  for (const ::parquet::PageEncodingStats& stats : chunk.encoding_stats()) {
    const bool is_coded = stats.encoding == ::parquet::Encoding::PLAIN_DICTIONARY ||
                          stats.encoding == ::parquet::Encoding::RLE_DICTIONARY;
    if (is_coded && stats.page_type != ::parquet::PageType::DICTIONARY_PAGE && stats.count > 0)
      count += static_cast<size_t>(stats.count);
  }
  return count;
}

/// Walks over headers; the reader unpacks the dictionary alone.
class PageMapper {
 public:
  PageMapper(const Source& source, int group, int column)
      : chunk_(chunk_range(source, group, column)),
        stream_(std::make_shared<RangeStream>(*source.file, source.pool, std::vector<Range>{chunk_})),
        is_list_(source.column(column)->max_repetition_level() > 0) {
    const auto owner = source.footer->RowGroup(group);
    const auto chunk = owner->ColumnChunk(column);
    num_values_ = is_list_ ? static_cast<uint64_t>(chunk->num_values()) : static_cast<uint64_t>(owner->num_rows());
    const uint64_t packed = chunk_.end - chunk_.begin;
    has_strings_ = source.column(column)->physical_type() == ::parquet::Type::BYTE_ARRAY;
    map_.num_coded_pages = count_coded_pages(*chunk);
    if (packed > 0)
      map_.unpacked_ratio =
          std::max(1.0, static_cast<double>(chunk->total_uncompressed_size()) / static_cast<double>(packed));
    pages_ = open_pages(source, group, column, stream_, static_cast<int64_t>(num_values_));
    pages_->set_data_page_filter([this](const ::parquet::DataPageStats& stats) { return note(stats.num_values); });
  }

  PageMap run() {
    while (next_ < num_values_) {
      const uint64_t before = next_;
      const std::shared_ptr<::parquet::Page> page = pages_->NextPage();
      end_last();
      const bool is_dictionary = page != nullptr && page->type() == ::parquet::PageType::DICTIONARY_PAGE;
      if (is_dictionary && map_.pages.empty() && map_.dictionary_bytes == 0) {
        note_dictionary(*page);
        continue;
      }
      if (page == nullptr && next_ > before) break;
      if (page == nullptr || next_ == before) throw Refusal(Fault::kCorrupt, count_message());
    }
    end_last();
    if (next_ != num_values_) throw Refusal(Fault::kCorrupt, count_message());
    return std::move(map_);
  }

 private:
  [[nodiscard]] std::string count_message() const {
    return "the pages hold " + std::to_string(next_) + (is_list_ ? " values" : " rows") + ", and the footer says " +
           std::to_string(num_values_);
  }
  /// An entry of strings stands behind its length.
  void note_dictionary(const ::parquet::Page& page) {
    map_.dictionary = {stream_->peeked_place(), stream_->place()};
    map_.dictionary_bytes = static_cast<uint64_t>(page.size());
    if (!has_strings_) return;
    const auto size = static_cast<uint64_t>(page.size());
    uint32_t length = 0;
    const int32_t count = static_cast<const ::parquet::DictionaryPage&>(page).num_values();  // junk may follow them
    uint64_t at = 0;
    for (int32_t i = 0; i < count && at + sizeof length <= size; ++i, at += sizeof length + length) {
      std::memcpy(&length, page.data() + at, sizeof length);
      if (length > size - at - sizeof length)
        throw Refusal(Fault::kCorrupt, "an entry of the dictionary ends behind it");
      map_.longest_entry = std::max<uint64_t>(map_.longest_entry, length);
    }
  }
  bool note(int32_t num_values) {
    end_last();
    if (num_values < 0 || static_cast<uint64_t>(num_values) > kMostRowsOfPage)
      throw Refusal(Fault::kCorrupt, "a page claims to have " + std::to_string(num_values) + " rows");
    const auto count = static_cast<uint64_t>(num_values);
    map_.pages.push_back({stream_->peeked_place(), 0, next_, count, count});
    next_ += count;
    stream_->pass_over_next();
    return true;
  }
  /// A page ends where the next header begins, or the last one is passed over.
  void end_last() {
    if (map_.pages.empty() || map_.pages.back().end != 0) return;
    const bool is_at_header = stream_->peeked_place() > map_.pages.back().begin;
    map_.pages.back().end = is_at_header ? stream_->peeked_place() : stream_->place();
  }

  const Range chunk_;
  std::shared_ptr<RangeStream> stream_;
  std::unique_ptr<::parquet::PageReader> pages_;
  PageMap map_;
  const bool is_list_;
  uint64_t num_values_ = 0;  // of single values: rows
  uint64_t next_ = 0;
  bool has_strings_ = false;
};

}  // namespace

::parquet::ReaderProperties Source::properties() const {
  ::parquet::ReaderProperties properties(pool);
  properties.set_page_checksum_verification(true);
  return properties;
}

std::vector<std::string> split_at_dots(std::string_view key) {
  std::vector<std::string> parts;
  while (true) {
    const size_t dot = key.find('.');
    parts.emplace_back(key.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    key.remove_prefix(dot + 1);
  }
}

int find_column(const ::parquet::SchemaDescriptor& schema, std::string_view key) {
  if (key.empty()) return kNoColumnFound;
  const int found = find_path(schema, {std::string(key)});
  return found != kNoColumnFound ? found : find_path(schema, split_at_dots(key));
}

std::string describe_nested(const ::parquet::SchemaDescriptor& schema, std::string_view key) {
  const std::string whole(key);
  const GroupNode& root = *schema.group_node();
  const Node* node = find_node(root, {&whole, 1});
  if (node == nullptr) node = find_node(root, split_at_dots(key));
  if (node == nullptr) return {};
  const std::string column = "column '" + node->name().substr(0, kMostNameBytes) + "' is a ";
  if (node->logical_type()->is_map()) return column + "map";
  if (!node->is_group() && !node->is_repeated()) return column + "single value";
  if (!node->is_group() || node->is_repeated() || !node->logical_type()->is_none()) return column + "list";
  const auto& fields = static_cast<const GroupNode&>(*node);
  const std::string field = fields.field_count() == 0 ? "" : fields.field(0)->name().substr(0, kMostNameBytes);
  return column + "struct; name a field of it, such as '" + whole.substr(0, kMostNameBytes) + "." + field + "'";
}

std::string list_columns(const ::parquet::SchemaDescriptor& schema) {
  const ::parquet::schema::GroupNode& root = *schema.group_node();
  std::string list;
  for (int i = 0; i < root.field_count() && i < static_cast<int>(kMostNames); ++i)
    list += (i == 0 ? "'" : ", '") + root.field(i)->name().substr(0, kMostNameBytes) + "'";
  if (root.field_count() > static_cast<int>(kMostNames)) list += ", ...";
  return list.empty() ? "no columns" : list;
}

Range chunk_range(const Source& source, int group, int column) {
  const auto owner = source.footer->RowGroup(group);
  const auto chunk = owner->ColumnChunk(column);
  int64_t begin = chunk->data_page_offset();
  if (chunk->has_dictionary_page() && chunk->dictionary_page_offset() > 0 && chunk->dictionary_page_offset() < begin)
    begin = chunk->dictionary_page_offset();
  const auto file_end = static_cast<int64_t>(source.file->size_bytes());
  const int64_t size = chunk->total_compressed_size();
  if (begin < 0 || size < 0 || begin > file_end || size > file_end - begin)
    throw Refusal(Fault::kCorrupt, column_place(source, group, column) + "it is said to lie outside the file");
  const uint64_t missing = Quirks(source.footer->writer_version()).missing_bytes;
  const uint64_t end = std::min(static_cast<uint64_t>(begin + size) + missing, source.file->size_bytes());
  return {static_cast<uint64_t>(begin), end};
}

PageMap map_pages(const Source& source, int group, int column) {
  PageMap map = PageMapper(source, group, column).run();
  if (source.column(column)->max_repetition_level() > 0) find_rows_of_lists(source, group, column, map);
  return map;
}

std::shared_ptr<::parquet::ColumnReader> open_column(const Source& source, int group, int column,
                                                     std::vector<Range> ranges, int64_t num_values) {
  auto stream = std::make_shared<RangeStream>(*source.file, source.pool, std::move(ranges));
  return ::parquet::ColumnReader::Make(source.column(column),
                                       open_pages(source, group, column, std::move(stream), num_values), source.pool);
}

std::shared_ptr<::parquet::ColumnReader> open_column(const Source& source, int group, int column) {
  const auto owner = source.footer->RowGroup(group);
  return open_column(source, group, column, {chunk_range(source, group, column)},
                     owner->ColumnChunk(column)->num_values());
}

}  // namespace neardup::parquet_module
