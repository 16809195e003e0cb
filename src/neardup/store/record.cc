#include "neardup/store/record.h"

#include <bit>

#include "neardup/base/bytes.h"

namespace neardup::store {
namespace {

constexpr uint8_t kIsEstimate = 0x80, kIsTruncated = 0x40, kHasPassages = 0x20;  // beside the kind
constexpr uint8_t kLastKind = static_cast<uint8_t>(Kind::kContained);

void append_fate(std::string& bytes, const Fate& fate, bool has_passages) {
  bytes += static_cast<char>(static_cast<uint8_t>(fate.kind) | (fate.is_estimate ? kIsEstimate : 0) |
                             (fate.is_truncated ? kIsTruncated : 0) | (has_passages ? kHasPassages : 0));
  if (fate.kind == Kind::kNew) return;
  append_varint(bytes, fate.kept);
  append_little(bytes, std::bit_cast<uint32_t>(fate.similarity));
  append_varint(bytes, fate.distance);
}

Result<Fate> take_fate(ByteReader& reader, bool& has_passages) {
  const auto byte = reader.number<uint8_t>();
  const uint8_t kind = byte & ~(kIsEstimate | kIsTruncated | kHasPassages);
  has_passages = (byte & kHasPassages) != 0;
  if (kind > kLastKind) return fail(Code::kCorruption, "a record has a kind that there is not");
  Fate fate{.kind = static_cast<Kind>(kind),
            .is_estimate = (byte & kIsEstimate) != 0,
            .is_truncated = (byte & kIsTruncated) != 0};
  if (fate.kind == Kind::kNew) return fate;
  fate.kept = reader.varint();
  fate.similarity = std::bit_cast<float>(reader.number<uint32_t>());
  const uint64_t distance = reader.varint();
  if (distance > UINT32_MAX) return fail(Code::kCorruption, "a record has a distance that there is not");
  fate.distance = static_cast<uint32_t>(distance);
  return fate;
}

}  // namespace

void leave_out_needless(Record& record) {
  if (record.fate.kind == Kind::kNew) return;
  record.fingerprints = {};
  if (record.fate.kind != Kind::kNear) record.body = {};
  if (record.body.empty()) record.keys = {};
  if (record.fate.kind != Kind::kContained) record.passages = {};
}

void append_record(std::string& bytes, const Record& record) {
  append_varint(bytes, record.number);
  append_text(bytes, record.id);
  append_little(bytes, record.checksum.high);
  append_little(bytes, record.checksum.low);
  append_varint(bytes, record.size_bytes);
  append_varint(bytes, std::bit_cast<uint64_t>(record.time));
  append_text(bytes, record.within);
  append_text(bytes, record.tag);
  append_fate(bytes, record.fate, !record.passages.empty());
  append_numbers(bytes, record.fingerprints);
  append_numbers(bytes, record.keys);
  if (!record.passages.empty()) append_numbers(bytes, record.passages);
  append_text(bytes, record.body);
}

Result<Record> RecordReader::read(std::string_view bytes) {
  ByteReader reader(bytes);
  Record record;
  record.number = reader.varint();
  record.id = reader.text();
  record.checksum.high = reader.number<uint64_t>();
  record.checksum.low = reader.number<uint64_t>();
  record.size_bytes = reader.varint();
  record.time = std::bit_cast<int64_t>(reader.varint());
  record.within = reader.text();
  record.tag = reader.text();
  bool has_passages = false;
  NEARDUP_ASSIGN(record.fate, take_fate(reader, has_passages));
  words_.clear();
  const size_t num_fingerprints = reader.numbers(words_);
  const size_t num_keys = reader.numbers(words_);
  if (has_passages && reader.numbers(words_) == 0)
    return fail(Code::kCorruption, "a record has no passages where it should");
  record.fingerprints = std::span(words_).first(num_fingerprints);
  record.keys = std::span(words_).subspan(num_fingerprints, num_keys);
  record.passages = std::span(words_).subspan(num_fingerprints + num_keys);
  record.body = reader.text();
  if (reader.ok() && reader.rest().empty()) return record;
  return fail(Code::kCorruption, "a record does not end where it should");
}

}  // namespace neardup::store
