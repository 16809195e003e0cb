#include "neardup/remote/redis/record_group.h"

#include <zstd.h>

#include <memory>
#include <new>

#include "neardup/base/bytes.h"
#include "neardup/base/per_thread.h"

namespace neardup::remote::redis {
namespace {

constexpr uint8_t kSomeHappened = 128, kErasure = 0;
constexpr uint8_t kPlain = 0, kCompressed = 1;
constexpr int kLevel = 1;
constexpr uint64_t kMostRatio = 40'000;  // zstd makes no less of what is one byte over and over
constexpr uint64_t kMostPieceBytes = 1 << 20;
constexpr uint64_t kMostRecordBytes = uint64_t{512} << 20;  // what the server takes

tl::unexpected<Error> damaged_record(std::string_view what) {
  return fail(Code::kCorruption, "a record of the store is damaged: " + std::string(what) +
                                     "; restore the server's files from a copy, or make the store again");
}

// Makes a context of zstd's where it is asked for. Throws std::bad_alloc.
template <class Context>
Context* made(Context* context) {
  return context != nullptr ? context : throw std::bad_alloc();
}

struct Packer {
  Packer() {
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0);
  }
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{made(ZSTD_createCCtx()), &ZSTD_freeCCtx};
  std::string room;
};
struct Unpacker {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context{made(ZSTD_createDCtx()), &ZSTD_freeDCtx};
};

// How, the length of what follows, where compressed that of what it was, the bytes.
void append_packed(std::string& out, std::string_view raw) {
  static PerThread<Packer> packers;
  Packer& packer = packers.get();
  std::string& room = packer.room;
  room.resize(ZSTD_compressBound(raw.size()));
  const size_t size = ZSTD_compress2(packer.context.get(), room.data(), room.size(), raw.data(), raw.size());
  const bool is_smaller = !ZSTD_isError(size) && size + 2 < raw.size();
  out += static_cast<char>(is_smaller ? kCompressed : kPlain);
  append_varint(out, is_smaller ? size : raw.size());
  if (is_smaller) append_varint(out, raw.size());
  out += is_smaller ? std::string_view(room).substr(0, size) : raw;
}

Result<std::string_view> take_packed(ByteReader& reader, uint64_t most_bytes, std::string& room) {
  const auto how = reader.number<uint8_t>();
  const uint64_t size = reader.varint(), raw_size = how == kCompressed ? reader.varint() : size;
  const std::string_view bytes = reader.piece(size);
  if (!reader.ok() || how > kCompressed || raw_size > most_bytes || raw_size / kMostRatio > size)
    return damaged_record("its lengths do not add up");
  if (how == kPlain) return bytes;
  static PerThread<Unpacker> unpackers;
  room.resize(raw_size);
  const size_t got =
      ZSTD_decompressDCtx(unpackers.get().context.get(), room.data(), room.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != raw_size) return damaged_record("it cannot be decompressed");
  return std::string_view(room);
}

using Happened = std::array<bool, kGroupSize>;

Happened take_happened(ByteReader& reader, uint8_t head) {
  Happened happened;
  happened.fill(true);
  if (head < kSomeHappened) return happened;
  const size_t count = head - kSomeHappened;
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

std::vector<Head> take_heads(ByteReader& reader, size_t count, uint32_t num_places) {
  std::vector<Head> heads(count);
  for (Head& head : heads) head.slot = reader.number<uint8_t>();
  for (Head& head : heads) head.size = reader.varint();
  for (Head& head : heads) head.cut = reader.varint();
  for (Head& head : heads)
    if (head.cut > 0) head.homes = reader.piece(uint64_t{num_places} * kHomeBytes);
  return heads;
}

Status take_piece(ByteReader& reader, uint8_t head, uint32_t num_places, Group& group) {
  const size_t count = head >= kSomeHappened ? head - kSomeHappened : head;
  if (count == 0 || count > kGroupSize) return damaged_record("it has a piece of a kind that there is not");
  const Happened happened = take_happened(reader, head);
  std::string room;
  NEARDUP_ASSIGN(const std::string_view raw, take_packed(reader, kMostPieceBytes, room));
  ByteReader body(raw);
  const std::vector<Head> heads = take_heads(body, count, num_places);
  for (size_t i = 0; i < count; ++i) {
    const Head& one = heads[i];
    if (!body.ok() || one.slot >= kGroupSize || one.cut > (one.size == 0 ? 0 : one.size))
      return damaged_record("a piece");
    const std::string_view bytes = body.piece(one.size == 0 ? 0 : one.size - 1);
    if (!happened[i]) continue;
    group.is_there[one.slot] = true;
    group.records[one.slot] = {.slot = one.slot,
                               .is_own = one.size == 0,
                               .is_cut = one.cut > 0,
                               .cut_at = one.cut > 0 ? one.cut - 1 : 0,
                               .homes = std::string(one.homes),
                               .bytes = std::string(bytes)};
  }
  if (!body.ok() || !body.rest().empty()) return damaged_record("a piece does not end where it should");
  return {};
}

}  // namespace

std::string piece_body_of(std::span<const PieceRecord> records) {
  std::string raw, out;
  for (const PieceRecord& record : records) raw += static_cast<char>(record.slot);
  for (const PieceRecord& record : records) append_varint(raw, record.is_own ? 0 : record.bytes.size() + 1);
  for (const PieceRecord& record : records) append_varint(raw, record.is_cut ? record.cut_at + 1 : 0);
  for (const PieceRecord& record : records)
    if (record.is_cut) raw += record.homes;
  for (const PieceRecord& record : records)
    if (!record.is_own) raw += record.bytes;
  append_packed(out, raw);
  return out;
}

std::string piece_of(std::span<const PieceRecord> records) {
  return std::string(1, static_cast<char>(records.size())) + piece_body_of(records);
}

std::string erasure_of(uint8_t slot) { return {static_cast<char>(kErasure), static_cast<char>(slot)}; }

Result<Group> parse_group(std::string_view bytes, uint32_t num_places) {
  Group group;
  for (ByteReader reader(bytes); !reader.rest().empty(); ++group.num_pieces) {
    const auto head = reader.number<uint8_t>();
    if (head != kErasure) {
      NEARDUP_TRY(take_piece(reader, head, num_places, group));
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
