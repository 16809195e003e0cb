#include "neardup/remote/redis/record_group.h"

#include <algorithm>

#include "neardup/base/bytes.h"
#include "neardup/remote/redis/packed_bytes.h"

namespace neardup::remote::redis {
namespace {

constexpr uint8_t kErasure = 0, kAllHappened = 1, kSomeHappened = 2;  // kinds of pieces
constexpr uint8_t kInRows = 0, kInColumns = 1;
constexpr uint64_t kMostPieceBytes = 1 << 20;
constexpr uint64_t kMostRecordBytes = uint64_t{512} << 20;  // what the server takes

// Calls use(column, i) for each byte of texts of these lengths: all their first bytes, all their second ones, ...
template <class Use>
void each_by_columns(std::span<const size_t> lengths, const Use& use) {
  const size_t longest = lengths.empty() ? 0 : *std::ranges::max_element(lengths);
  for (size_t column = 0; column < longest; ++column)
    for (size_t i = 0; i < lengths.size(); ++i)
      if (column < lengths[i]) use(column, i);
}

// In columns, each byte as what it is more than the one above it. Records that follow each other have most bytes alike
// where their lengths are, and compress better so.
std::string columns_of(std::string_view rows, std::span<const size_t> lengths) {
  std::vector<size_t> begins;
  size_t begin = 0, of = 0;
  for (const size_t length : lengths) {
    begins.push_back(begin);
    begin += length;
  }
  std::string columns;
  uint8_t above = 0;
  each_by_columns(lengths, [&](size_t column, size_t i) {
    if (column != of) above = 0;
    of = column;
    const auto byte = static_cast<uint8_t>(rows[begins[i] + column]);
    columns += static_cast<char>(byte - above);
    above = byte;
  });
  return columns;
}
// Requires: as many bytes as the lengths add up to.
std::vector<std::string> rows_of(std::string_view columns, std::span<const size_t> lengths) {
  std::vector<std::string> rows(lengths.size());
  for (size_t i = 0; i < lengths.size(); ++i) rows[i].reserve(lengths[i]);
  size_t at = 0, of = 0;
  uint8_t above = 0;
  each_by_columns(lengths, [&](size_t column, size_t i) {
    if (column != of) above = 0;
    of = column;
    above = static_cast<uint8_t>(above + static_cast<uint8_t>(columns[at++]));
    rows[i] += static_cast<char>(above);
  });
  return rows;
}

using Happened = std::array<bool, kGroupSize>;

Happened take_happened(ByteReader& reader, uint8_t kind, size_t count) {
  Happened happened;
  happened.fill(true);
  if (kind == kAllHappened) return happened;
  const std::string_view bits = reader.piece((count + 7) / 8);
  for (size_t i = 0; i < count && i / 8 < bits.size(); ++i)
    happened[i] = (static_cast<uint8_t>(bits[i / 8]) >> i % 8 & 1) != 0;
  return happened;
}

// What a body says of one record, before the bytes.
struct Head {
  uint8_t slot = 0;
  uint64_t size = 0, cut = 0;
  std::string_view homes;
};

std::vector<Head> take_heads(ByteReader& reader, size_t count, size_t homes_bytes) {
  std::vector<Head> heads(count);
  uint8_t next = 0;
  for (Head& head : heads) {
    head.slot = static_cast<uint8_t>(next + reader.number<uint8_t>());
    next = static_cast<uint8_t>(head.slot + 1);
  }
  for (Head& head : heads) head.size = reader.varint();
  for (Head& head : heads) head.cut = reader.varint();
  for (Head& head : heads)
    if (head.cut > 0) head.homes = reader.piece(homes_bytes);
  return heads;
}

std::string heads_of(std::span<const PieceRecord> records) {
  std::string heads;
  uint8_t next = 0;
  for (const PieceRecord& record : records) {
    heads += static_cast<char>(record.slot - next);
    next = static_cast<uint8_t>(record.slot + 1);
  }
  for (const PieceRecord& record : records) append_varint(heads, record.is_own ? 0 : record.bytes.size() + 1);
  for (const PieceRecord& record : records) append_varint(heads, record.is_cut ? record.cut_at + 1 : 0);
  for (const PieceRecord& record : records)
    if (record.is_cut) heads += record.homes;
  return heads;
}

// Takes the bytes of records of these lengths, which end the body.
Result<std::vector<std::string>> take_rows(ByteReader& body, uint8_t order, std::span<const size_t> lengths) {
  uint64_t left = body.rest().size();
  for (const size_t length : lengths) {
    if (length > left) return damaged_record("a piece is cut off");
    left -= length;
  }
  if (left > 0 || order > kInColumns) return damaged_record("a piece does not end where it should");
  const std::string_view bytes = body.rest();
  if (order == kInColumns) return rows_of(bytes, lengths);
  std::vector<std::string> rows;
  size_t begin = 0;
  for (const size_t length : lengths) {
    rows.emplace_back(bytes.substr(begin, length));
    begin += length;
  }
  return rows;
}

Status take_piece(ByteReader& reader, uint8_t kind, size_t homes_bytes, Group& group) {
  const size_t count = reader.number<uint8_t>();
  if (kind > kSomeHappened || count == 0 || count > kGroupSize)
    return damaged_record("it has a piece of a kind that there is not");
  const Happened happened = take_happened(reader, kind, count);
  std::string room;
  NEARDUP_ASSIGN(const std::string_view raw, take_packed(reader, kMostPieceBytes, room));
  ByteReader body(raw);
  const auto order = body.number<uint8_t>();
  const std::vector<Head> heads = take_heads(body, count, homes_bytes);
  std::vector<size_t> lengths;
  for (const Head& head : heads) {
    if (!body.ok() || head.slot >= kGroupSize || head.cut > head.size) return damaged_record("the head of a piece");
    lengths.push_back(head.size == 0 ? 0 : head.size - 1);
  }
  NEARDUP_ASSIGN(std::vector<std::string> rows, take_rows(body, order, lengths));
  for (size_t i = 0; i < count; ++i) {
    const Head& one = heads[i];
    if (!happened[i]) continue;
    group.is_there[one.slot] = true;
    group.records[one.slot] = {.slot = one.slot,
                               .is_own = one.size == 0,
                               .is_cut = one.cut > 0,
                               .cut_at = one.cut > 0 ? one.cut - 1 : 0,
                               .homes = std::string(one.homes),
                               .bytes = std::move(rows[i])};
  }
  return {};
}

}  // namespace

std::string piece_body_of(std::span<const PieceRecord> records) {
  const std::string heads = heads_of(records);
  std::string rows, packed_rows, packed_columns;
  std::vector<size_t> lengths;
  for (const PieceRecord& record : records) {
    lengths.push_back(record.is_own ? 0 : record.bytes.size());
    if (!record.is_own) rows += record.bytes;
  }
  append_packed(packed_rows, static_cast<char>(kInRows) + heads + rows);
  append_packed(packed_columns, static_cast<char>(kInColumns) + heads + columns_of(rows, lengths));
  return packed_columns.size() < packed_rows.size() ? packed_columns : packed_rows;
}

std::string piece_of(std::span<const PieceRecord> records) {
  return std::string{static_cast<char>(kAllHappened), static_cast<char>(records.size())} + piece_body_of(records);
}

std::string erasure_of(uint8_t slot) { return {static_cast<char>(kErasure), static_cast<char>(slot)}; }

Result<Group> parse_group(std::string_view bytes, size_t homes_bytes) {
  Group group;
  for (ByteReader reader(bytes); !reader.rest().empty(); ++group.num_pieces) {
    const auto kind = reader.number<uint8_t>();
    if (kind != kErasure) {
      NEARDUP_TRY(take_piece(reader, kind, homes_bytes, group));
      continue;
    }
    const auto slot = reader.number<uint8_t>();
    if (!reader.ok() || slot >= kGroupSize) return damaged_record("a mark of what is erased");
    group.is_there[slot] = false;
    group.is_erased[slot] = true;
  }
  return group;
}

std::string own_record_of(std::string_view record) {
  std::string out;
  append_packed(out, record);
  return out;
}

Result<std::string> parse_own_record(std::string_view bytes) {
  ByteReader reader(bytes);
  std::string room;
  NEARDUP_ASSIGN(const std::string_view record, take_packed(reader, kMostRecordBytes, room));
  if (!reader.rest().empty()) return damaged_record("it does not end where it should");
  return std::string(record);
}

}  // namespace neardup::remote::redis
