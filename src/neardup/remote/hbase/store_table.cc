#include "neardup/remote/hbase/store_table.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/base/work_place.h"
#include "neardup/store/store_manifest.h"

namespace neardup::remote::hbase {
namespace {

using hbase_wire::TColumnFamilyDescriptor;
using hbase_wire::TGet;
using hbase_wire::TPut;
using hbase_wire::TResult;

constexpr std::string_view kSettings = "settings", kLayout = "layout", kShared = "shared", kCounter = "numbers";
constexpr std::string_view kFile = "file";
constexpr size_t kPartBytes = size_t{1} << 20;
// A row that is written late must not come back to life after the marker of its deletion is gone.
constexpr std::string_view kKeepMarkersMs = "86400000";
// A look-up is a place in each of many blocks: small ones are read, kept and searched in less time.
constexpr int32_t kBlockBytes = 8 << 10;

const std::map<std::string_view, hbase_wire::TCompressionAlgorithm::type> kCompressions = {
    {"none", hbase_wire::TCompressionAlgorithm::NONE},     {"gz", hbase_wire::TCompressionAlgorithm::GZ},
    {"snappy", hbase_wire::TCompressionAlgorithm::SNAPPY}, {"lz4", hbase_wire::TCompressionAlgorithm::LZ4},
    {"zstd", hbase_wire::TCompressionAlgorithm::ZSTD},
};

hbase_wire::TTableName name_of(const Table& table) {
  hbase_wire::TTableName name;
  name.qualifier = table.name;
  return name;
}

TColumnFamilyDescriptor family(std::string_view name, const TableOptions& options) {
  TColumnFamilyDescriptor family;
  family.name = name;
  family.__set_maxVersions(1);
  family.__set_bloomnFilterType(hbase_wire::TBloomFilterType::ROWPREFIX_FIXED_LENGTH);
  family.__set_configuration({{"RowPrefixBloomFilter.prefix_length", std::to_string(kPrefixBytes)},
                              {"hbase.hstore.time.to.purge.deletes", std::string(kKeepMarkersMs)}});
  family.__set_attributes({{"IN_MEMORY_COMPACTION", "BASIC"}});
  family.__set_compressionType(kCompressions.at(options.compression));
  return family;
}

hbase_wire::TTableDescriptor descriptor_of(const Table& table, const TableOptions& options) {
  hbase_wire::TTableDescriptor descriptor;
  descriptor.tableName = name_of(table);
  TColumnFamilyDescriptor documents = family(kDocuments, options);
  documents.__set_blockSize(kBlockBytes);
  documents.__set_dataBlockEncoding(hbase_wire::TDataBlockEncoding::ROW_INDEX_V1);
  if (options.ttl_seconds > 0) documents.__set_timeToLive(static_cast<int32_t>(options.ttl_seconds));
  descriptor.__set_columns({documents, family(kMeta, options)});
  return descriptor;
}

std::vector<std::string> splits_of(const TableOptions& options) {
  std::vector<std::string> splits;
  for (uint64_t i = 1; i < options.regions; ++i) splits.emplace_back(1, static_cast<char>(256 * i / options.regions));
  return splits;
}

Result<bool> exists(const Table& table) {
  bool there = false;
  NEARDUP_TRY(
      table.gateway->call("asking for the table", {[&](Client& client) { client.send_tableExists(name_of(table)); },
                                                   [&](Client& client) { there = client.recv_tableExists(); }}));
  return there;
}

Status make(const Table& table, const TableOptions& options) {
  const auto descriptor = descriptor_of(table, options);
  const std::vector<std::string> splits = splits_of(options);
  return table.gateway->call("making the table", {[&](Client& client) { client.send_createTable(descriptor, splits); },
                                                  [](Client& client) { client.recv_createTable(); }});
}

// Parts of a file, each in a call: a commonness of many million runs is large.
Status put_file(const Table& table, uint64_t file, const std::string& bytes) {
  for (size_t begin = 0; begin < bytes.size(); begin += kPartBytes) {
    TPut put;
    put.row = file_row(file, begin / kPartBytes);
    put.columnValues.push_back(cell_of(kMeta, kFile, std::string_view(bytes).substr(begin, kPartBytes)));
    const std::vector<TPut> puts{put};
    NEARDUP_TRY(table.gateway->call("writing a file of the store", put_rows(table.name, puts)));
  }
  return {};
}

Result<std::string> get_file(const Table& table, uint64_t file, const store::OwnFile& of) {
  std::string bytes;
  for (uint64_t part = 0; bytes.size() < of.size_bytes; ++part) {
    std::vector<TGet> gets(1);
    gets[0].row = file_row(file, part);
    std::vector<TResult> rows;
    NEARDUP_TRY(table.gateway->call("reading a file of the store", get_rows(table.name, gets, rows)));
    if (rows.empty() || rows[0].columnValues.empty()) break;
    bytes += rows[0].columnValues[0].value;
  }
  if (bytes.size() != of.size_bytes || hash64(bytes) != of.checksum)
    return fail(Code::kCorruption, fmt::format("the file '{}' in the table '{}' is not the one that the store was made "
                                               "with; restore the table from a snapshot",
                                               of.name, table.name));
  return bytes;
}

Result<std::map<std::string, std::string>> read_meta(const Table& table) {
  std::vector<TGet> gets(1);
  gets[0].row = meta_row();
  std::vector<TResult> rows;
  NEARDUP_TRY(table.gateway->call("reading what the store is", get_rows(table.name, gets, rows)));
  std::map<std::string, std::string> cells;
  for (const TResult& row : rows)
    for (const auto& cell : row.columnValues) cells[cell.qualifier] = cell.value;
  return cells;
}

Result<std::string> cluster_id(const Table& table) {
  std::string id;
  NEARDUP_TRY(table.gateway->call("asking for the cluster", {[](Client& client) { client.send_getClusterId(); },
                                                             [&](Client& client) { client.recv_getClusterId(id); }}));
  return id;
}

}  // namespace

Result<StoreTable> create_table(const Table& table, store::StoreSettings settings, const TableOptions& options,
                                std::span<const store::GivenFile> files) {
  NEARDUP_ASSIGN(const bool there, exists(table));
  if (there)
    return fail(Code::kInvalidArgument,
                fmt::format("there is a table '{}' already; drop it, or take another name", table.name));
  NEARDUP_TRY(make(table, options));
  settings.files.clear();
  for (const store::GivenFile& file : files) {
    NEARDUP_TRY(put_file(table, settings.files.size(), file.bytes));
    settings.files.push_back({file.name, file.bytes.size(), hash64(file.bytes)});
  }
  store::StoreManifest manifest;
  manifest.settings = settings;
  TPut put;
  put.row = meta_row();
  put.columnValues = {cell_of(kMeta, kSettings, store::to_bytes(manifest)), cell_of(kMeta, kLayout, to_text(options))};
  const std::vector<TPut> puts{put};
  NEARDUP_TRY(table.gateway->call("writing what the store is", put_rows(table.name, puts)));
  NEARDUP_ASSIGN(std::string cluster, cluster_id(table));
  return StoreTable{std::move(settings), options, std::move(cluster)};
}

Result<StoreTable> open_table(const Table& table) {
  NEARDUP_ASSIGN(const bool there, exists(table));
  if (!there)
    return fail(Code::kNotFound,
                fmt::format("there is no table '{}' on this HBase; make it with 'neardup index create'", table.name));
  NEARDUP_ASSIGN(auto meta, read_meta(table));
  if (!meta.contains(std::string(kSettings)))
    return fail(Code::kNotFound, fmt::format("the table '{}' is no store of neardup; take another name", table.name));
  StoreTable opened;
  NEARDUP_ASSIGN(store::StoreManifest manifest,
                 store::parse_store_manifest(meta[std::string(kSettings)], "settings of the table " + table.name));
  opened.settings = std::move(manifest.settings);
  NEARDUP_ASSIGN(opened.options, parse_table_options(meta[std::string(kLayout)]));
  NEARDUP_ASSIGN(opened.cluster_id, cluster_id(table));
  return opened;
}

Result<bool> is_store_table(const Table& table) {
  NEARDUP_ASSIGN(const bool there, exists(table));
  if (!there) return false;
  NEARDUP_ASSIGN(const auto meta, read_meta(table));
  return meta.contains(std::string(kSettings));
}

Status drop_table(const Table& table) {
  NEARDUP_ASSIGN(const bool is_store, is_store_table(table));
  if (!is_store) return fail(Code::kNotFound, fmt::format("there is no store '{}' on this HBase to drop", table.name));
  const auto name = name_of(table);
  NEARDUP_TRY(table.gateway->call("disabling the table", {[&](Client& client) { client.send_disableTable(name); },
                                                          [](Client& client) { client.recv_disableTable(); }}));
  return table.gateway->call("removing the table", {[&](Client& client) { client.send_deleteTable(name); },
                                                    [](Client& client) { client.recv_deleteTable(); }});
}

Result<TemporaryFolder> fetch_files(const Table& table, const store::StoreSettings& settings) {
  NEARDUP_ASSIGN(TemporaryFolder folder, make_work_place());
  for (size_t i = 0; i < settings.files.size(); ++i) {
    NEARDUP_ASSIGN(const std::string bytes, get_file(table, i, settings.files[i]));
    NEARDUP_TRY(write_file_atomically(store::own_file_path(folder.path(), settings.files[i].name), bytes));
  }
  return folder;
}

Result<std::string> read_shared(const Table& table) {
  NEARDUP_ASSIGN(auto meta, read_meta(table));
  return meta[std::string(kShared)];
}

hbase_wire::TPut put_of_shared(std::string_view shared, uint64_t stamp) {
  TPut put;
  put.row = meta_row();
  put.columnValues.push_back(cell_of(kMeta, kShared, shared));
  put.__set_timestamp(static_cast<int64_t>(stamp));
  return put;
}

Reservation::Reservation(const Table& table, uint64_t count) : table_(table), count_(count) {
  hbase_wire::TColumnIncrement column;
  column.family = kMeta;
  column.qualifier = kCounter;
  column.__set_amount(static_cast<int64_t>(count));
  increment_.row = meta_row();
  increment_.columns.push_back(column);
}

void Reservation::ask(std::vector<Exchange>& exchanges) {
  exchanges.push_back({[this](Client& client) { client.send_increment(table_.name, increment_); },
                       [this](Client& client) {
                         answer_ = {};
                         client.recv_increment(answer_);
                       }});
}

Result<bool> Reservation::take() {
  if (answer_.columnValues.size() != 1)
    return fail(Code::kCorruption, "the counter of document numbers is damaged; restore the table from a snapshot");
  NEARDUP_ASSIGN(const uint64_t end, parse_number_column(answer_.columnValues[0].value));
  if (end < count_) return fail(Code::kCorruption, "the counter of document numbers went back");
  first_ = end - count_;
  return false;
}

}  // namespace neardup::remote::hbase
