#include "neardup/store/record.h"

#include <bit>

#include "neardup/base/bytes.h"

namespace neardup::store {
namespace {

constexpr uint8_t kLastKind = static_cast<uint8_t>(Kind::kNear);

void append_piece(std::string& bytes, std::string_view piece) {
  append_varint(bytes, piece.size());
  bytes += piece;
}

void append_words(std::string& bytes, std::span<const uint64_t> words) {
  append_varint(bytes, words.size());
  for (const uint64_t word : words) append_little(bytes, word);
}

std::string_view take_piece(ByteReader& reader) { return reader.piece(reader.varint()); }

// Appends them to `words` and returns how many there were.
size_t take_words(ByteReader& reader, std::vector<uint64_t>& words) {
  const uint64_t count = reader.varint();
  if (count > reader.rest().size() / sizeof(uint64_t)) {
    static_cast<void>(reader.piece(UINT64_MAX));  // they are not there
    return 0;
  }
  for (uint64_t i = 0; i < count; ++i) words.push_back(reader.number<uint64_t>());
  return count;
}

void append_fate(std::string& bytes, const Fate& fate) {
  bytes += static_cast<char>(fate.kind);
  if (fate.kind == Kind::kNew) return;
  append_varint(bytes, fate.kept);
  append_little(bytes, std::bit_cast<uint32_t>(fate.similarity));
  append_varint(bytes, fate.distance);
}

Result<Fate> take_fate(ByteReader& reader) {
  const auto kind = reader.number<uint8_t>();
  if (kind > kLastKind) return fail(Code::kCorruption, "a record has a kind that there is not");
  Fate fate{.kind = static_cast<Kind>(kind)};
  if (fate.kind == Kind::kNew) return fate;
  fate.kept = reader.varint();
  fate.similarity = std::bit_cast<float>(reader.number<uint32_t>());
  const uint64_t distance = reader.varint();
  if (distance > UINT32_MAX) return fail(Code::kCorruption, "a record has a distance that there is not");
  fate.distance = static_cast<uint32_t>(distance);
  return fate;
}

}  // namespace

void append_record(std::string& bytes, const Record& record) {
  append_varint(bytes, record.number);
  append_piece(bytes, record.id);
  append_little(bytes, record.checksum.high);
  append_little(bytes, record.checksum.low);
  append_varint(bytes, record.size_bytes);
  append_varint(bytes, std::bit_cast<uint64_t>(record.time));
  append_piece(bytes, record.within);
  append_piece(bytes, record.tag);
  append_fate(bytes, record.fate);
  append_words(bytes, record.fingerprints);
  append_words(bytes, record.keys);
  append_piece(bytes, record.body);
}

Result<Record> RecordReader::read(std::string_view bytes) {
  ByteReader reader(bytes);
  Record record;
  record.number = reader.varint();
  record.id = take_piece(reader);
  record.checksum.high = reader.number<uint64_t>();
  record.checksum.low = reader.number<uint64_t>();
  record.size_bytes = reader.varint();
  record.time = std::bit_cast<int64_t>(reader.varint());
  record.within = take_piece(reader);
  record.tag = take_piece(reader);
  NEARDUP_ASSIGN(record.fate, take_fate(reader));
  words_.clear();
  const size_t num_fingerprints = take_words(reader, words_);
  const size_t num_keys = take_words(reader, words_);
  record.fingerprints = std::span(words_).first(num_fingerprints);
  record.keys = std::span(words_).subspan(num_fingerprints, num_keys);
  record.body = take_piece(reader);
  if (reader.ok() && reader.rest().empty()) return record;
  return fail(Code::kCorruption, "a record does not end where it should");
}

}  // namespace neardup::store
