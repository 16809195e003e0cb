#include "neardup/sif/index_format.h"

#include <algorithm>

#include "neardup/base/bytes.h"

namespace neardup::sif {
namespace {

constexpr uint64_t kMostNumber = uint64_t{1} << 62;  // of a file of fingerprints
constexpr uint64_t kValueBytes = 5;                  // the lower 24 bits of a value are 0

void append_value(std::string& out, uint64_t value) {
  for (size_t i = 0; i < kValueBytes; ++i) out += static_cast<char>(value >> (24 + 8 * i) & 0xff);
}

uint64_t take_value(ByteReader& reader) {
  uint64_t value = 0;
  int shift = 24;
  for (const char byte : reader.piece(kValueBytes)) {
    value |= uint64_t{static_cast<uint8_t>(byte)} << shift;
    shift += 8;
  }
  return value;
}

void append_content(std::string& out, const ContentKey& content) {
  append_little(out, content.checksum.high);
  append_little(out, content.checksum.low);
  append_varint(out, content.size_bytes);
  append_varint(out, content.language);
}

ContentKey take_content(ByteReader& reader) {
  ContentKey content;
  content.checksum.high = reader.number<uint64_t>();
  content.checksum.low = reader.number<uint64_t>();
  content.size_bytes = reader.varint();
  content.language = static_cast<uint32_t>(std::min<uint64_t>(reader.varint(), UINT32_MAX));
  return content;
}

RecordPlace take_place(ByteReader& reader) {
  RecordPlace place;
  place.content = take_content(reader);
  place.file = reader.varint();
  place.offset = reader.varint();
  place.size_bytes = reader.varint();
  place.checksum = reader.number<uint64_t>();
  return place;
}

KnownFile take_file(ByteReader& reader) {
  KnownFile file;
  file.path = reader.text();
  file.content = take_content(reader);
  file.stamp.size_bytes = reader.varint();
  file.stamp.modified_ns = static_cast<int64_t>(reader.number<uint64_t>());
  file.stamp.changed_ns = static_cast<int64_t>(reader.number<uint64_t>());
  file.stamp.number = reader.number<uint64_t>();
  file.is_binary = reader.number<uint8_t>() != 0;
  return file;
}

// Takes `count` of something off the reader, as long as they are there.
template <class T, class Take>
std::vector<T> take_many(ByteReader& reader, const Take& take) {
  const uint64_t count = reader.varint();
  std::vector<T> taken;
  for (uint64_t i = 0; i < count && reader.ok(); ++i) taken.push_back(take(reader));
  return taken;
}

bool lies_in_a_file(const RecordPlace& place, const std::vector<FingerprintsFile>& files) {
  const auto file = std::ranges::find(files, place.file, &FingerprintsFile::number);
  return file != files.end() && place.offset >= kFrameHeaderBytes && place.offset <= file->size_bytes &&
         place.size_bytes <= file->size_bytes - place.offset;
}

// Returns more than the bytes of any record of a content of so many bytes. A kept one takes 5 bytes and up to 5 of
// weight, a fine one 5; a substring is one of them, or none.
uint64_t most_record_bytes(uint64_t content_bytes) {
  constexpr uint64_t kFrame = 32, kMostForEach = 12;
  return content_bytes > (UINT64_MAX - kFrame) / kMostForEach ? UINT64_MAX : kFrame + kMostForEach * content_bytes;
}

template <class T, class Key>
bool ascends(const std::vector<T>& items, Key T::*key) {
  return std::ranges::adjacent_find(items, std::ranges::greater_equal{}, key) == items.end();
}

}  // namespace

std::string catalogue_bytes(const Catalogue& catalogue) {
  std::string out = begin_frame(kCatalogueKind);
  append_text(out, catalogue.settings);
  append_varint(out, catalogue.data.size());
  for (const FingerprintsFile& file : catalogue.data) {
    append_varint(out, file.number);
    append_varint(out, file.size_bytes);
  }
  append_varint(out, catalogue.records.size());
  for (const RecordPlace& place : catalogue.records) {
    append_content(out, place.content);
    append_varint(out, place.file);
    append_varint(out, place.offset);
    append_varint(out, place.size_bytes);
    append_little(out, place.checksum);
  }
  append_varint(out, catalogue.files.size());
  for (const KnownFile& file : catalogue.files) {
    append_text(out, file.path);
    append_content(out, file.content);
    append_varint(out, file.stamp.size_bytes);
    append_little(out, static_cast<uint64_t>(file.stamp.modified_ns));
    append_little(out, static_cast<uint64_t>(file.stamp.changed_ns));
    append_little(out, file.stamp.number);
    append_little(out, static_cast<uint8_t>(file.is_binary ? 1 : 0));
  }
  end_frame(out);
  return out;
}

Result<Catalogue> parse_catalogue(std::string_view bytes, std::string_view path) {
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kCatalogueKind, path));
  ByteReader reader(payload);
  Catalogue catalogue;
  catalogue.settings = reader.text();
  catalogue.data = take_many<FingerprintsFile>(reader, [](ByteReader& from) {
    const uint64_t number = from.varint();
    return FingerprintsFile{number, from.varint()};
  });
  catalogue.records = take_many<RecordPlace>(reader, take_place);
  catalogue.files = take_many<KnownFile>(reader, take_file);
  if (!reader.ok() || !reader.rest().empty())
    return damaged_file(kCatalogueKind, path, "its length is not that of its lists");
  if (!ascends(catalogue.data, &FingerprintsFile::number) || !ascends(catalogue.records, &RecordPlace::content) ||
      !ascends(catalogue.files, &KnownFile::path))
    return damaged_file(kCatalogueKind, path, "its lists do not ascend");
  const auto is_number = [](const FingerprintsFile& file) { return file.number > 0 && file.number <= kMostNumber; };
  if (!std::ranges::all_of(catalogue.data, is_number))
    return damaged_file(kCatalogueKind, path, "a file of fingerprints has a number that none has");
  const auto lies = [&](const RecordPlace& place) { return lies_in_a_file(place, catalogue.data); };
  if (!std::ranges::all_of(catalogue.records, lies))
    return damaged_file(kCatalogueKind, path, "a record lies in no file of fingerprints");
  const auto fits = [](const RecordPlace& place) {
    return place.size_bytes <= most_record_bytes(place.content.size_bytes);
  };
  if (!std::ranges::all_of(catalogue.records, fits))
    return damaged_file(kCatalogueKind, path, "a record is too long for its content");
  return catalogue;
}

std::string record_bytes(const FileFingerprints& fingerprints) {
  std::string out(1, fingerprints.is_small ? '\1' : '\0');
  out.reserve(24 + fingerprints.kept.size() * (kValueBytes + 2) + fingerprints.fine.size() * kValueBytes);
  append_varint(out, fingerprints.kept.size());
  for (const Weighed& one : fingerprints.kept) {
    append_value(out, one.value);
    append_varint(out, one.weight);
  }
  append_varint(out, fingerprints.fine.size());
  for (const uint64_t value : fingerprints.fine) append_value(out, value);
  return out;
}

bool parse_record(std::string_view bytes, FileFingerprints& out) {
  out.kept.clear();
  out.fine.clear();
  ByteReader reader(bytes);
  const auto kind = reader.number<uint8_t>();
  out.is_small = kind == 1;
  const uint64_t num_kept = reader.varint();
  out.kept.reserve(std::min<uint64_t>(num_kept, bytes.size() / kValueBytes));
  for (uint64_t i = 0; i < num_kept && reader.ok(); ++i) {
    const uint64_t value = take_value(reader), weight = reader.varint();
    if (weight > kMaxWeight) return false;
    out.kept.push_back({value, static_cast<uint32_t>(weight)});
  }
  const uint64_t num_fine = reader.varint();
  if (!reader.ok() || kind > 1) return false;
  if (reader.rest().size() % kValueBytes != 0 || reader.rest().size() / kValueBytes != num_fine) return false;
  out.fine.reserve(num_fine);
  for (uint64_t i = 0; i < num_fine; ++i) out.fine.push_back(take_value(reader));
  return true;
}

}  // namespace neardup::sif
