#include "neardup/remote/redis/packed_bytes.h"

#include <zstd.h>

#include <memory>
#include <new>

#include "neardup/base/per_thread.h"

namespace neardup::remote::redis {
namespace {

constexpr uint8_t kPlain = 0, kCompressed = 1;
constexpr int kLevel = 3;
constexpr uint64_t kMostRatio = 40'000;  // zstd makes no less of what is one byte over and over

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

}  // namespace

tl::unexpected<Error> damaged_record(std::string_view what) {
  return fail(Code::kCorruption, "a record of the store is damaged: " + std::string(what) +
                                     "; restore the server's files from a copy, or make the store again");
}

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

}  // namespace neardup::remote::redis
