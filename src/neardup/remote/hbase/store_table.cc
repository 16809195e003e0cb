#include "neardup/remote/hbase/store_table.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/base/work_place.h"
#include "neardup/remote/hbase/log.h"
#include "neardup/remote/nonce.h"
#include "neardup/store/store_manifest.h"

namespace neardup::remote::hbase {
namespace {

using hbase_wire::TColumnFamilyDescriptor;
using hbase_wire::TGet;
using hbase_wire::TPut;
using hbase_wire::TResult;

constexpr std::string_view kSettings = "settings", kMaker = "maker", kShared = "shared", kCounter = "numbers";
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
  descriptor.tableName = table.wire_name();
  TColumnFamilyDescriptor documents = family(table.families.documents, options);
  documents.__set_blockSize(kBlockBytes);
  documents.__set_dataBlockEncoding(hbase_wire::TDataBlockEncoding::ROW_INDEX_V1);
  if (options.ttl_seconds > 0) documents.__set_timeToLive(static_cast<int32_t>(options.ttl_seconds));
  descriptor.__set_columns({documents, family(table.families.meta, options)});
  descriptor.__set_attributes(
      {{std::string(kIdAttribute), table.id}, {std::string(kLayoutAttribute), to_text(options)}});
  return descriptor;
}

std::vector<std::string> splits_of(const TableOptions& options) {
  std::vector<std::string> splits;
  for (uint64_t i = 1; i < options.regions; ++i) splits.emplace_back(1, static_cast<char>(256 * i / options.regions));
  return splits;
}

// Not table.call(): what is refused here says nothing of a store that went.
Status make(const Table& table, const TableOptions& options) {
  const auto descriptor = descriptor_of(table, options);
  const std::vector<std::string> splits = splits_of(options);
  const Status made =
      table.gateway->call("making the table", {[&](Client& client) { client.send_createTable(descriptor, splits); },
                                               [](Client& client) { client.recv_createTable(); }});
  if (made || made.error().code != Code::kNotFound) return made;
  const std::string& words = made.error().message;
  const bool names_it = words.find(options.compression) != words.npos || words.find("ompression") != words.npos;
  if (options.compression == "none" || !names_it) return table.failed(Code::kUnsupported, words);
  return table.failed(Code::kUnsupported,
                      fmt::format("the servers cannot compress with {}: install the library on the region servers, or "
                                  "take compression=gz or none ({})",
                                  options.compression, words));
}

// Parts of a file, each in a call: a commonness of many million runs is large.
Status put_file(const StoreTable& store, uint32_t file, const std::string& bytes) {
  const Table& table = store.table;
  for (size_t begin = 0; begin < bytes.size(); begin += kPartBytes) {
    TPut put;
    put.row = file_row(store.maker, file, static_cast<uint32_t>(begin / kPartBytes));
    put.columnValues.push_back(cell_of(table.families.meta, kFile, std::string_view(bytes).substr(begin, kPartBytes)));
    const std::vector<TPut> puts{put};
    NEARDUP_TRY(table.call("writing a file of the store", put_rows(table.name, puts)));
  }
  return {};
}

Result<std::string> get_file(const StoreTable& store, uint32_t file) {
  const Table& table = store.table;
  const store::OwnFile& of = store.settings.files[file];
  std::string bytes;
  for (uint32_t part = 0; bytes.size() < of.size_bytes; ++part) {
    TGet get;
    get.row = file_row(store.maker, file, part);
    NEARDUP_ASSIGN(const auto rows, table.get("reading a file of the store", {get}));
    if (rows[0].columnValues.empty() || rows[0].columnValues[0].value.empty()) break;
    bytes += rows[0].columnValues[0].value;
  }
  if (bytes.size() == of.size_bytes && hash64(bytes) == of.checksum) return bytes;
  return table.failed(
      Error{Code::kCorruption, fmt::format("the file '{}' is not the one that the store was made with", of.name)});
}

using Meta = std::map<std::string, std::string, std::less<>>;

Result<Meta> read_meta(const Table& table) {
  TGet get;
  get.row = meta_row();
  NEARDUP_ASSIGN(const auto rows, table.get("reading what the store is", {get}));
  Meta cells;
  for (const auto& cell : rows[0].columnValues) cells[cell.qualifier] = cell.value;
  return cells;
}

// How far what is there under the name of a store has come to be one.
enum class Stage : uint8_t { kNothing, kNoStore, kHalfDropped, kBegun, kMade };
struct Present {
  Stage stage = Stage::kNothing;
  std::string layout = {};
  Meta meta = {};
};

// The table gets the id of the store, if it is one.
Result<Present> look_at(Table& table) {
  NEARDUP_ASSIGN(auto there, table.state());
  if (!there) return Present{};
  Present present{.layout = std::move(there->layout)};
  if (there->id.empty() || there->is_disabled) {
    present.stage = there->id.empty() ? Stage::kNoStore : Stage::kHalfDropped;
    return present;
  }
  table.set_id(there->id);
  NEARDUP_ASSIGN(present.meta, read_meta(table));
  present.stage = present.meta.contains(kSettings) ? Stage::kMade : Stage::kBegun;
  return present;
}

Result<std::string> cluster_id(const Table& table) {
  std::string id;
  NEARDUP_TRY(table.call("asking for the cluster", {[](Client& client) { client.send_getClusterId(); },
                                                    [&](Client& client) { client.recv_getClusterId(id); }}));
  return id;
}

// Says whether a store may be made of a table that is there.
Status check_is_begun(const Table& table, const Present& present, const TableOptions& options) {
  const auto refuse = [&](std::string_view words) { return table.failed(Code::kInvalidArgument, words); };
  if (present.stage == Stage::kNoStore)
    return refuse("there is a table of this name already, which is no store of neardup; take another name");
  if (present.stage == Stage::kHalfDropped) return refuse(kHalfDropped);
  if (present.stage == Stage::kMade)
    return refuse("there is a store of this name already; open it, drop it, or take another name");
  if (present.layout == to_text(options)) return {};
  return refuse(
      fmt::format("somebody began to make a store of this name with {} and has not come to the end; drop it, or make "
                  "it with these options",
                  present.layout));
}

// The cell of settings decides who made the store, and is the last that is written.
Status write_settings(const StoreTable& store) {
  const Table& table = store.table;
  store::StoreManifest manifest;
  manifest.settings = store.settings;
  TPut put;
  put.row = meta_row();
  put.columnValues = {cell_of(table.families.meta, kSettings, store::to_bytes(manifest)),
                      cell_of(table.families.meta, kMaker, number_column(store.maker))};
  bool is_written = false;
  NEARDUP_TRY(table.call("writing what the store is", put_if_absent(table, kSettings, put, is_written)));
  if (is_written) return {};
  NEARDUP_ASSIGN(auto meta, read_meta(table));  // the answer to a put that was sent before may be lost
  if (meta[std::string(kMaker)] == number_column(store.maker)) return {};
  return table.failed(Code::kInvalidArgument, "another process made a store of this name just now; open that one");
}

std::string why_not_open(const Table& table, Stage stage) {
  if (stage == Stage::kHalfDropped) return std::string(kHalfDropped);
  if (stage == Stage::kNoStore) return "the table of this name is no store of neardup; take another name";
  if (stage == Stage::kBegun) return "the store was not made to its end; make it once more, or drop it";
  return fmt::format("there is no store of this name; make one: neardup index create {}", table.gateway->shown());
}

// Letters and digits, as it is part of names of column families.
std::string new_id() {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  constexpr size_t kLength = 12;
  std::string id;
  for (uint64_t left = new_nonce(); id.size() < kLength; left /= kDigits.size()) id += kDigits[left % kDigits.size()];
  return id;
}

}  // namespace

// Whether the table is there is asked again when it was made: where the answer to that was lost it is there, and where
// another one made it before, what it is like decides.
Result<StoreTable> create_table(Table table, store::StoreSettings settings, const TableOptions& options,
                                std::span<const store::GivenFile> files) {
  NEARDUP_ASSIGN(Present present, look_at(table));
  if (present.stage == Stage::kNothing) {
    table.set_id(new_id());
    const Status made = make(table, options);
    NEARDUP_ASSIGN(present, look_at(table));
    if (present.stage == Stage::kNothing) {
      NEARDUP_TRY(made);
      return table.failed(Code::kIo, "somebody dropped the table while it was made; try again");
    }
  }
  NEARDUP_TRY(check_is_begun(table, present, options));
  StoreTable store{.table = std::move(table),
                   .maker = new_nonce(),
                   .settings = std::move(settings),
                   .options = options,
                   .cluster_id = {}};
  NEARDUP_ASSIGN(store.cluster_id, cluster_id(store.table));
  store.settings.files.clear();
  for (const store::GivenFile& file : files) {
    NEARDUP_TRY(put_file(store, static_cast<uint32_t>(store.settings.files.size()), file.bytes));
    store.settings.files.push_back({file.name, file.bytes.size(), hash64(file.bytes)});
  }
  NEARDUP_TRY(Log(store.table).begin());
  NEARDUP_TRY(write_settings(store));
  return store;
}

Result<StoreTable> open_table(Table table) {
  NEARDUP_ASSIGN(Present present, look_at(table));
  if (present.stage != Stage::kMade) return table.failed(Code::kNotFound, why_not_open(table, present.stage));
  StoreTable opened;
  NEARDUP_ASSIGN(store::StoreManifest manifest, store::parse_store_manifest(present.meta[std::string(kSettings)],
                                                                            "settings of " + table.gateway->shown()));
  opened.settings = std::move(manifest.settings);
  NEARDUP_ASSIGN(opened.options, table.located(parse_table_options(present.layout)));
  if (opened.settings.num_fingerprints == 0)
    opened.options.num_tables = 0;  // that stores were once made with all the same
  else if (opened.options.num_tables == 0)
    return table.failed(Error{Code::kCorruption, "the table's layout does not say how many rows a fingerprint has"});
  NEARDUP_ASSIGN(opened.maker, table.located(parse_number_column(present.meta[std::string(kMaker)])));
  NEARDUP_ASSIGN(opened.cluster_id, cluster_id(table));
  opened.table = std::move(table);
  return opened;
}

Result<bool> is_store_table(Table table) {
  NEARDUP_ASSIGN(const Present present, look_at(table));
  return present.stage == Stage::kMade;
}

// What is refused may have been done by a try whose answer was lost, and somebody may have made another store since.
// Not table.call(): what it says of tables that went is what is wanted here, and half dropped it is by this very call.
Status drop_table(const Table& table) {
  NEARDUP_ASSIGN(auto there, table.state());
  if (!there || there->id.empty()) return table.failed(Code::kNotFound, "there is no store of this name to drop");
  const std::string id = there->id;
  const auto name = table.wire_name();
  Gateway& gateway = *table.gateway;
  if (!there->is_disabled) {
    const Status disabled = gateway.call(
        "disabling the table",
        {[&](Client& client) { client.send_disableTable(name); }, [](Client& client) { client.recv_disableTable(); }});
    NEARDUP_ASSIGN(there, table.state());
    if (!there || there->id != id) return {};
    if (!there->is_disabled) NEARDUP_TRY(refused(disabled));
  }
  const Status removed = gateway.call("removing the table", {[&](Client& client) { client.send_deleteTable(name); },
                                                             [](Client& client) { client.recv_deleteTable(); }});
  if (removed) return {};
  NEARDUP_ASSIGN(there, table.state());
  return there && there->id == id ? refused(removed) : Status();
}

Result<TemporaryFolder> fetch_files(const StoreTable& store) {
  NEARDUP_ASSIGN(TemporaryFolder folder, make_work_place());
  for (size_t i = 0; i < store.settings.files.size(); ++i) {
    NEARDUP_ASSIGN(const std::string bytes, get_file(store, static_cast<uint32_t>(i)));
    NEARDUP_TRY(write_file_atomically(store::own_file_path(folder.path(), store.settings.files[i].name), bytes));
  }
  return folder;
}

Result<std::string> read_shared(const Table& table) {
  NEARDUP_ASSIGN(auto meta, read_meta(table));
  return meta[std::string(kShared)];
}

hbase_wire::TPut put_of_shared(const Table& table, std::string_view shared, uint64_t stamp) {
  TPut put;
  put.row = meta_row();
  put.columnValues.push_back(cell_of(table.families.meta, kShared, shared));
  put.__set_timestamp(static_cast<int64_t>(stamp));
  return put;
}

Reservation::Reservation(const Table& table, uint64_t count) : table_(table), count_(count) {
  hbase_wire::TColumnIncrement column;
  column.family = table.families.meta;
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
  if (answer_.columnValues.size() != 1) return fail(Code::kCorruption, "the counter of document numbers is damaged");
  NEARDUP_ASSIGN(const uint64_t end, parse_number_column(answer_.columnValues[0].value));
  if (end < count_) return fail(Code::kCorruption, "the counter of document numbers went back");
  first_ = end - count_;
  return false;
}

}  // namespace neardup::remote::hbase
