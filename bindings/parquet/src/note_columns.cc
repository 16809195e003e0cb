#include "note_columns.h"

#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/dictionary.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <arrow/type.h>
#include <arrow/util/base64.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/column_writer.h>
#include <parquet/exception.h>

#include <algorithm>
#include <vector>

#include "guard.h"

namespace neardup::parquet_module {
namespace {

using ::parquet::LogicalType;
using ::parquet::Repetition;
using ::parquet::Type;
using ::parquet::schema::GroupNode;
using ::parquet::schema::NodePtr;
using ::parquet::schema::PrimitiveNode;

constexpr const char* kDuplicateOf = "neardup_duplicate_of";
constexpr const char* kCluster = "neardup_cluster";
constexpr size_t kPieceNotes = 1024;
constexpr const char* kArrowSchema = "ARROW:schema";

std::vector<NodePtr> note_nodes() {
  return {PrimitiveNode::Make(kDuplicateOf, Repetition::OPTIONAL, LogicalType::String(), Type::BYTE_ARRAY),
          PrimitiveNode::Make(kCluster, Repetition::OPTIONAL, LogicalType::None(), Type::INT64)};
}

bool is_leaf(const GroupNode& root, int index, const char* name, Type::type type) {
  const NodePtr& node = root.field(index);
  return node->is_primitive() && node->name() == name &&
         static_cast<const PrimitiveNode&>(*node).physical_type() == type;
}

bool ends_with_notes(const GroupNode& root) {
  const int count = root.field_count();
  return count >= 2 && is_leaf(root, count - 2, kDuplicateOf, Type::BYTE_ARRAY) &&
         is_leaf(root, count - 1, kCluster, Type::INT64);
}

::arrow::Result<std::shared_ptr<::arrow::Schema>> decoded_schema(const std::string& encoded) {
  ARROW_ASSIGN_OR_RAISE(std::string bytes, ::arrow::util::base64_decode(encoded));
  ::arrow::io::BufferReader reader(::arrow::Buffer::FromString(std::move(bytes)));
  ::arrow::ipc::DictionaryMemo memo;
  return ::arrow::ipc::ReadSchema(&reader, &memo);
}

/// The Arrow schema that is kept beside Parquet's, with the two fields; nothing where it cannot be read, or tells of
/// other columns than are there.
std::string noted_arrow_schema(const std::string& encoded, int num_kept, int num_columns) {
  const auto schema = decoded_schema(encoded);
  if (!schema.ok() || (*schema)->num_fields() != num_columns) return {};
  ::arrow::FieldVector fields((*schema)->fields().begin(), (*schema)->fields().begin() + num_kept);
  fields.push_back(::arrow::field(kDuplicateOf, ::arrow::utf8()));
  fields.push_back(::arrow::field(kCluster, ::arrow::int64()));
  const auto noted = ::arrow::schema(std::move(fields), (*schema)->metadata());
  const auto buffer = ::arrow::ipc::SerializeSchema(*noted);
  return buffer.ok() ? ::arrow::util::base64_encode((*buffer)->ToString()) : std::string();
}

std::shared_ptr<const ::arrow::KeyValueMetadata> noted_metadata(const ::parquet::FileMetaData& footer, int num_kept,
                                                                int num_columns) {
  const auto& metadata = footer.key_value_metadata();
  const int found = metadata == nullptr ? -1 : metadata->FindKey(kArrowSchema);
  if (found < 0) return metadata;
  auto noted = metadata->Copy();
  const std::string schema = noted_arrow_schema(metadata->value(found), num_kept, num_columns);
  PARQUET_THROW_NOT_OK(schema.empty() ? noted->Delete(found) : noted->Set(kArrowSchema, schema));
  return noted;
}

template <class Use>
void in_pieces(std::span<const corpus::parquet::RowNote> notes, Use&& use) {
  for (size_t at = 0; at < notes.size(); at += kPieceNotes)
    use(notes.subspan(at, std::min(kPieceNotes, notes.size() - at)));
}

}  // namespace

void check_arrow_schema(const ::parquet::FileMetaData& footer) {
  const auto& metadata = footer.key_value_metadata();
  const int found = metadata == nullptr ? -1 : metadata->FindKey(kArrowSchema);
  if (found < 0) return;
  const ::arrow::Status status = decoded_schema(metadata->value(found)).status();
  if (status.ok() || status.IsNotImplemented()) return;  // a type of a later Arrow
  throw Refusal(Fault::kCorrupt, "its Arrow schema is damaged: " + first_line(status.message().c_str()));
}

NotedSchema same_schema(const ::parquet::FileMetaData& footer) {
  return {std::static_pointer_cast<GroupNode>(footer.schema()->schema_root()), footer.key_value_metadata(), 0};
}

NotedSchema noted_schema(const ::parquet::FileMetaData& footer) {
  // Nodes know the one that they are in: those of the file itself must not change.
  const auto copy = footer.Subset({});
  const GroupNode& root = *copy->schema()->group_node();
  const int num_dropped = ends_with_notes(root) ? 2 : 0;
  ::parquet::schema::NodeVector nodes;
  for (int i = 0; i < root.field_count() - num_dropped; ++i) nodes.push_back(root.field(i));
  for (NodePtr& node : note_nodes()) nodes.push_back(std::move(node));
  const NodePtr noted = GroupNode::Make(root.name(), root.repetition(), nodes);
  return {std::static_pointer_cast<GroupNode>(noted),
          noted_metadata(footer, root.field_count() - num_dropped, root.field_count()), num_dropped};
}

void write_notes(std::span<const corpus::parquet::RowNote> notes, ::parquet::RowGroupWriter& group) {
  auto& id_writer = static_cast<::parquet::ByteArrayWriter&>(*group.NextColumn());
  in_pieces(notes, [&](std::span<const corpus::parquet::RowNote> piece) {
    std::vector<int16_t> has_id;
    std::vector<::parquet::ByteArray> ids;
    for (const corpus::parquet::RowNote& note : piece) {
      has_id.push_back(note.has_duplicate_of);
      if (note.has_duplicate_of) ids.emplace_back(std::string_view(note.duplicate_of));
    }
    id_writer.WriteBatch(static_cast<int64_t>(piece.size()), has_id.data(), nullptr, ids.data());
  });
  id_writer.Close();
  auto& cluster_writer = static_cast<::parquet::Int64Writer&>(*group.NextColumn());
  in_pieces(notes, [&](std::span<const corpus::parquet::RowNote> piece) {
    std::vector<int16_t> has_cluster;
    std::vector<int64_t> clusters;
    for (const corpus::parquet::RowNote& note : piece) {
      has_cluster.push_back(note.has_cluster);
      if (note.has_cluster) clusters.push_back(note.cluster);
    }
    cluster_writer.WriteBatch(static_cast<int64_t>(piece.size()), has_cluster.data(), nullptr, clusters.data());
  });
  cluster_writer.Close();
}

}  // namespace neardup::parquet_module
