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

// The numbers of a row of each list, in order.
template <class Use>
void each_number(RecordFiles& row, const Use& use) {
  for (uint64_t* number :
       {&row.log, &row.file, &row.first, &row.count, &row.checksum, &row.facts_checksum, &row.oldest})
    use(*number);
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
    if (files.log <= log || files.log >= manifest.first_log) return "the number of a log";
    next = files.first + files.count;
    log = files.log;
  }
  return manifest.next_number <= manifest.first_free ? "" : "its number of documents";
}

const FileKind& kind_of(const StoreSettings& settings) {
  if (settings.num_bits == 128) return kWideStoreKind;
  return settings.has_passages ? kPassageStoreKind : kStoreKind;
}

// Of a file of this version; of one that there is not the first.
const FileKind& kind_of(uint32_t version) {
  if (version == kWideStoreKind.version) return kWideStoreKind;
  return version == kPassageStoreKind.version ? kPassageStoreKind : kStoreKind;
}

}  // namespace

std::string to_bytes(const StoreManifest& manifest) {
  std::string out = begin_frame(kind_of(manifest.settings));
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
  append_rows(out, manifest.records);
  append_rows(out, manifest.keys);
  append_rows(out, manifest.segments);
  end_frame(out);
  return out;
}

Result<StoreManifest> parse_store_manifest(std::string_view bytes, std::string_view path) {
  const FileKind& kind = kind_of(frame_version(bytes));
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kind, path));
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
  take_rows(reader, manifest.records);
  take_rows(reader, manifest.keys);
  take_rows(reader, manifest.segments);
  if (!reader.ok() || !reader.rest().empty()) return damaged_file(kStoreKind, path, "its lengths do not add up");
  if (const auto fault = fault_of(manifest); !fault.empty()) return damaged_file(kStoreKind, path, fault);
  return manifest;
}

}  // namespace neardup::store
