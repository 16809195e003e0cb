// A small file in a checked frame (checked_bytes.h): kind, version, checksum. What it says is checked against itself as
// well, since all else is opened by its word: numbers of files are below the next one and not used twice, ids have no
// gap, a plan is one that can be read and is complete.
#include "neardup/store/manifest.h"

#include <set>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/plan_text.h"

namespace neardup::store {

namespace {

constexpr FileKind kManifestKind{kManifestMagic, 1, "index manifest",
                                 "restore it from a copy, or make the index again"};
constexpr uint32_t kMaxColumns = 64;

void append_counted(std::string& out, std::string_view text) {
  append_little(out, static_cast<uint32_t>(text.size()));
  out += text;
}

std::string take_counted(ByteReader& reader) { return std::string(reader.piece(reader.number<uint32_t>())); }

void append_segment(std::string& out, const SegmentFiles& segment) {
  for (const uint64_t number : {segment.number, segment.num_entries, segment.index_bytes, segment.index_checksum,
                                segment.num_erased, segment.erased_checksum})
    append_little(out, number);
}

void append_ids(std::string& out, const IdPieceFile& piece) {
  for (const uint64_t number :
       {piece.number, piece.first_document, piece.num_documents, piece.file_bytes, piece.checksum})
    append_little(out, number);
}

SegmentFiles take_segment(ByteReader& reader) {
  SegmentFiles segment;
  for (uint64_t* number : {&segment.number, &segment.num_entries, &segment.index_bytes, &segment.index_checksum,
                           &segment.num_erased, &segment.erased_checksum})
    *number = reader.number<uint64_t>();
  return segment;
}

IdPieceFile take_ids(ByteReader& reader) {
  IdPieceFile piece;
  for (uint64_t* number :
       {&piece.number, &piece.first_document, &piece.num_documents, &piece.file_bytes, &piece.checksum})
    *number = reader.number<uint64_t>();
  return piece;
}

// Returns what is wrong with it; empty where nothing is.
std::string_view fault_of(const IndexSettings& settings) {
  if (settings.num_bits != 64 && settings.num_bits != 128) return "its number of bits";
  if (settings.max_distance < 0 || settings.max_distance > settings.num_bits / 4) return "its distance";
  if (static_cast<uint32_t>(settings.codec) > static_cast<uint32_t>(hamming::Codec::kDelta)) return "its codec";
  if (settings.num_columns > kMaxColumns) return "its number of columns";
  if (!settings.plan.empty() && !hamming::parse_plan(settings.plan, settings.num_bits, settings.max_distance))
    return "its plan";
  return {};
}

std::string_view fault_of(const Manifest& manifest) {
  if (const auto fault = fault_of(manifest.settings); !fault.empty()) return fault;
  std::set<uint64_t> numbers;
  for (const SegmentFiles& segment : manifest.segments)
    if (segment.number >= manifest.next_file || !numbers.insert(segment.number).second) return "a segment's number";
  numbers.clear();
  uint64_t next = 0;
  for (const IdPieceFile& piece : manifest.ids) {
    if (piece.number >= manifest.next_file || !numbers.insert(piece.number).second)
      return "the number of a file of ids";
    if (piece.first_document != next || piece.num_documents > manifest.next_document - next)
      return "ids are missing between two files";
    next += piece.num_documents;
  }
  if (next != manifest.next_document || manifest.num_documents > next) return "its number of documents";
  return {};
}

}  // namespace

std::string to_bytes(const Manifest& manifest) {
  const IndexSettings& settings = manifest.settings;
  std::string out = begin_frame(kManifestKind);
  append_little(out, static_cast<uint32_t>(settings.num_bits));
  append_little(out, static_cast<uint32_t>(settings.max_distance));
  append_little(out, static_cast<uint32_t>(settings.codec));
  append_little(out, settings.num_columns);
  append_counted(out, settings.plan);
  append_counted(out, settings.recipe_id);
  append_counted(out, settings.recipe_json);
  append_little(out, manifest.commit);
  append_little(out, manifest.next_document);
  append_little(out, manifest.num_documents);
  append_little(out, manifest.next_file);
  append_little(out, static_cast<uint32_t>(manifest.segments.size()));
  append_little(out, static_cast<uint32_t>(manifest.ids.size()));
  for (const SegmentFiles& segment : manifest.segments) append_segment(out, segment);
  for (const IdPieceFile& piece : manifest.ids) append_ids(out, piece);
  end_frame(out);
  return out;
}

Result<Manifest> parse_manifest(std::string_view bytes, std::string_view path) {
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kManifestKind, path));
  ByteReader reader(payload);
  Manifest manifest;
  IndexSettings& settings = manifest.settings;
  settings.num_bits = static_cast<int>(reader.number<uint32_t>());
  settings.max_distance = static_cast<int>(reader.number<uint32_t>());
  settings.codec = static_cast<hamming::Codec>(reader.number<uint32_t>());
  settings.num_columns = reader.number<uint32_t>();
  settings.plan = take_counted(reader);
  settings.recipe_id = take_counted(reader);
  settings.recipe_json = take_counted(reader);
  for (uint64_t* number : {&manifest.commit, &manifest.next_document, &manifest.num_documents, &manifest.next_file})
    *number = reader.number<uint64_t>();
  const auto num_segments = reader.number<uint32_t>(), num_ids = reader.number<uint32_t>();
  for (uint32_t i = 0; i < num_segments && reader.ok(); ++i) manifest.segments.push_back(take_segment(reader));
  for (uint32_t i = 0; i < num_ids && reader.ok(); ++i) manifest.ids.push_back(take_ids(reader));
  if (!reader.ok() || !reader.rest().empty()) return damaged_file(kManifestKind, path, "its lengths do not add up");
  if (const auto fault = fault_of(manifest); !fault.empty()) return damaged_file(kManifestKind, path, fault);
  return manifest;
}

}  // namespace neardup::store
