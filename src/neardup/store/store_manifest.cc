#include "neardup/store/store_manifest.h"

#include <algorithm>
#include <set>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/store/fingerprint_index.h"

namespace neardup::store {
namespace {

constexpr FileKind kStoreKind{kStoreMagic, 1, "store manifest", "restore the store from a copy"};
constexpr FileKind kWideStoreKind{kStoreMagic, 2, kStoreKind.noun, kStoreKind.cure};     // of 128 bits
constexpr FileKind kPassageStoreKind{kStoreMagic, 3, kStoreKind.noun, kStoreKind.cure};  // with passages
constexpr uint32_t kMostFingerprints = 64;
// Added to each of these where times and tags of some log have a file of another name: its row has a number more.
constexpr uint32_t kJoined = 3;

// The numbers of a row of each list, in order.
template <class Use>
void each_number(RecordFiles& row, const Use& use) {
  for (uint64_t* number :
       {&row.log, &row.file, &row.first, &row.count, &row.checksum, &row.facts_checksum, &row.oldest})
    use(*number);
}
// The same of a manifest with joined logs.
struct JoinedFiles : RecordFiles {};
template <class Use>
void each_number(JoinedFiles& row, const Use& use) {
  each_number(static_cast<RecordFiles&>(row), use);
  use(row.facts_file);
}
template <class Use>
void each_number(KeyFiles& row, const Use& use) {
  for (uint64_t* number : {&row.number, &row.identity.size_bytes, &row.identity.checksum}) use(*number);
}
template <class Use>
void each_number(SegmentFiles& row, const Use& use) {
  for (uint64_t* number :
       {&row.number, &row.num_entries, &row.index_bytes, &row.index_checksum, &row.num_erased, &row.erased_checksum})
    use(*number);
}
template <class Use>
void each_number(StoreManifest& manifest, const Use& use) {
  for (uint64_t* number :
       {&manifest.first_log, &manifest.last_sequence, &manifest.next_number, &manifest.first_free, &manifest.next_file,
        &manifest.erased_file, &manifest.erased_checksum, &manifest.tags_file, &manifest.tags_checksum})
    use(*number);
}

template <class Row>
void append_rows(std::string& out, const std::vector<Row>& rows) {
  append_varint(out, rows.size());
  for (Row row : rows) each_number(row, [&](uint64_t number) { append_little(out, number); });
}

template <class Row>
void take_rows(ByteReader& reader, std::vector<Row>& rows) {
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left)
    each_number(rows.emplace_back(), [&](uint64_t& number) { number = reader.number<uint64_t>(); });
}

bool is_joined(const StoreManifest& manifest) {
  return std::ranges::any_of(manifest.records, [](const RecordFiles& files) { return files.facts_file != 0; });
}

void append_records(std::string& out, const std::vector<RecordFiles>& records, bool is_joined) {
  if (!is_joined) return append_rows(out, records);
  std::vector<JoinedFiles> rows;
  for (const RecordFiles& files : records) rows.push_back({files});
  append_rows(out, rows);
}

void take_records(ByteReader& reader, std::vector<RecordFiles>& records, bool is_joined) {
  if (!is_joined) return take_rows(reader, records);
  std::vector<JoinedFiles> rows;
  take_rows(reader, rows);
  records.assign(rows.begin(), rows.end());
}

// Returns what is wrong with it; empty where nothing is.
std::string_view fault_of(const StoreManifest& manifest) {
  const StoreSettings& settings = manifest.settings;
  if (settings.max_distance < 0 || settings.max_distance > greatest_distance(settings.num_bits)) return "its distance";
  if (manifest.settings.num_fingerprints > kMostFingerprints) return "its number of fingerprints";
  for (const OwnFile& file : manifest.settings.files)
    if (file.name.empty() || file.name.find('/') != std::string::npos) return "the name of a file of its owner";
  std::set<uint64_t> numbers;
  const auto is_new = [&](uint64_t number) { return number < manifest.next_file && numbers.insert(number).second; };
  for (const KeyFiles& files : manifest.keys)
    if (!is_new(files.number)) return "the number of a file of keys";
  for (const SegmentFiles& files : manifest.segments)
    if (!is_new(files.number)) return "a segment's number";
  if (manifest.erased_file != 0 && !is_new(manifest.erased_file)) return "the number of the list of erased documents";
  if (manifest.tags_file != 0 && !is_new(manifest.tags_file)) return "the number of the list of open tags";
  uint64_t next = 0, log = 0;
  for (const RecordFiles& files : manifest.records) {
    if (files.first < next || files.first > manifest.next_number || files.count > manifest.next_number - files.first)
      return "records of two logs overlap";
    if (files.file != 0 && !is_new(files.file)) return "the number of a log that was written again";
    if (files.facts_file != 0 && files.facts_file != files.file && !is_new(files.facts_file))
      return "the number of a list of times and tags";
    if (files.log <= log || files.log >= manifest.first_log) return "the number of a log";
    next = files.first + files.count;
    log = files.log;
  }
  return manifest.next_number <= manifest.first_free ? "" : "its number of documents";
}

FileKind kind_of(const StoreSettings& settings) {
  if (settings.num_bits == 128) return kWideStoreKind;
  return settings.has_passages ? kPassageStoreKind : kStoreKind;
}

FileKind joined(FileKind kind) {
  kind.version += kJoined;
  return kind;
}

// Of a file of this version; of one that there is not the first.
FileKind kind_of(uint32_t version) {
  for (const FileKind& kind : {kWideStoreKind, kPassageStoreKind})
    if (version == kind.version) return kind;
  return kStoreKind;
}

}  // namespace

std::string to_bytes(const StoreManifest& manifest) {
  const bool with_joined = is_joined(manifest);
  const FileKind kind = kind_of(manifest.settings);
  std::string out = begin_frame(with_joined ? joined(kind) : kind);
  append_little(out, manifest.settings.num_fingerprints);
  append_little(out, static_cast<uint32_t>(manifest.settings.max_distance));
  for (const std::string_view text :
       {manifest.settings.recipe_id, manifest.settings.recipe_json, manifest.settings.matching_json})
    append_text(out, text);
  append_varint(out, manifest.settings.files.size());
  for (const OwnFile& file : manifest.settings.files) {
    append_text(out, file.name);
    append_little(out, file.size_bytes);
    append_little(out, file.checksum);
  }
  StoreManifest copy = manifest;
  each_number(copy, [&](uint64_t number) { append_little(out, number); });
  append_records(out, manifest.records, with_joined);
  append_rows(out, manifest.keys);
  append_rows(out, manifest.segments);
  end_frame(out);
  return out;
}

Result<StoreManifest> parse_store_manifest(std::string_view bytes, std::string_view path) {
  const uint32_t version = frame_version(bytes);
  const bool with_joined = version > kJoined && version <= 2 * kJoined;
  const FileKind kind = kind_of(with_joined ? version - kJoined : version);
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, with_joined ? joined(kind) : kind, path));
  ByteReader reader(payload);
  StoreManifest manifest;
  manifest.settings.num_bits = kind.version == kWideStoreKind.version ? 128 : 64;
  manifest.settings.has_passages = kind.version == kPassageStoreKind.version;
  manifest.settings.num_fingerprints = reader.number<uint32_t>();
  manifest.settings.max_distance = static_cast<int>(reader.number<uint32_t>());
  for (std::string* text :
       {&manifest.settings.recipe_id, &manifest.settings.recipe_json, &manifest.settings.matching_json})
    *text = reader.text();
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    OwnFile& file = manifest.settings.files.emplace_back();
    file.name = reader.text();
    file.size_bytes = reader.number<uint64_t>();
    file.checksum = reader.number<uint64_t>();
  }
  each_number(manifest, [&](uint64_t& number) { number = reader.number<uint64_t>(); });
  take_records(reader, manifest.records, with_joined);
  take_rows(reader, manifest.keys);
  take_rows(reader, manifest.segments);
  if (!reader.ok() || !reader.rest().empty()) return damaged_file(kStoreKind, path, "its lengths do not add up");
  if (with_joined != is_joined(manifest)) return damaged_file(kStoreKind, path, "its version");
  if (const auto fault = fault_of(manifest); !fault.empty()) return damaged_file(kStoreKind, path, fault);
  return manifest;
}

}  // namespace neardup::store
