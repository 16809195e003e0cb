#include "neardup/corpus/formats/warc_payload.h"

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "neardup/corpus/find/encoding.h"

namespace neardup::corpus {
namespace {

constexpr size_t kMostCodings = 4;
constexpr size_t kMostChunkLine = 1024;
constexpr size_t kRoomBytes = size_t{1} << 16;
constexpr size_t kLeastMember = 18;     // bytes of gzip around nothing
constexpr size_t kMostOfMember = 1032;  // bytes out for a byte in

enum class Undone { kWhole, kDamaged, kTooLong };

/// Room that grows up to one byte more than a record may have.
class Room {
 public:
  Room(const ReadOptions& options, BatchBuffers& buffers)
      : options_(options), buffers_(buffers), room_(buffers.unpacked) {
    room_.set_size(0);
  }
  /// Returns whether there is some; none where the page is too long.
  bool grow() {
    if (room_.size() < room_.capacity() && room_.size() <= most()) return true;
    if (room_.size() > most()) return false;
    ask_for_memory(options_, 2 * room_.size(), buffers_);
    room_.reserve(std::min(most() + 1, std::max(kRoomBytes, 2 * room_.capacity())));
    return true;
  }
  /// Makes room for `size` bytes; returns whether a record may have so many.
  bool fits(size_t size) {
    if (size > most()) return false;
    ask_for_memory(options_, 2 * size, buffers_);
    room_.reserve(size);
    return true;
  }
  [[nodiscard]] char* data() { return room_.data() + room_.size(); }
  [[nodiscard]] size_t left() const { return room_.capacity() - room_.size(); }
  void use(size_t size) { room_.set_size(room_.size() + size); }
  [[nodiscard]] bool is_too_long() const { return room_.size() > most(); }
  [[nodiscard]] std::string_view view() const { return room_.view(); }
  void clear() { room_.set_size(0); }

 private:
  [[nodiscard]] size_t most() const { return static_cast<size_t>(options_.max_record_bytes); }
  const ReadOptions& options_;
  BatchBuffers& buffers_;
  RawBuffer& room_;
};

/// One gzip member that says how long its content is, by libdeflate: in less than half the time of zlib. Returns false
/// for all else.
bool inflate_at_once(std::string_view in, Room& room) {
  if (in.size() < kLeastMember) return false;
  size_t size = 0;
  for (size_t i = 1; i <= 4; ++i) size = size * 256 + static_cast<unsigned char>(in[in.size() - i]);
  if (size == 0 || size / kMostOfMember > in.size() || !room.fits(size)) return false;
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (decompressor == nullptr) throw std::bad_alloc();
  size_t used = 0, made = 0;
  const auto result =
      libdeflate_gzip_decompress_ex(decompressor.get(), in.data(), in.size(), room.data(), size, &used, &made);
  if (result != LIBDEFLATE_SUCCESS || used != in.size()) return false;
  room.use(made);
  return true;
}

/// gzip members one after the other, or one stream of deflate. `window_bits` as zlib wants them.
Undone inflate_all(std::string_view in, int window_bits, Room& room) {
  z_stream stream = {};
  if (inflateInit2(&stream, window_bits) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
  stream.avail_in = static_cast<uInt>(in.size());  // a record is shorter than 4 GiB
  Undone result = Undone::kWhole;
  while (true) {
    if (!room.grow()) {
      result = Undone::kTooLong;
      break;
    }
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(room.left());
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) {
      inflateEnd(&stream);
      throw std::bad_alloc();
    }
    room.use(room.left() - stream.avail_out);
    const bool has_more_members = status == Z_STREAM_END && window_bits > 0 && stream.avail_in > 18;
    if (has_more_members && inflateReset(&stream) == Z_OK) continue;
    if (status == Z_STREAM_END || status == Z_BUF_ERROR) break;
    if (status != Z_OK) {
      result = Undone::kDamaged;
      break;
    }
  }
  inflateEnd(&stream);
  return result;
}

Undone unpack_zstd(std::string_view bytes, Room& room) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (context == nullptr) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, 23);  // RFC 8878 asks for no more of a receiver
  ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
  while (room.grow()) {
    ZSTD_outBuffer out = {room.data(), room.left(), 0};
    const size_t before = in.pos;
    const size_t status = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(status)) return Undone::kDamaged;
    room.use(out.pos);
    if (in.pos == in.size && (status == 0 || (out.pos == 0 && before == in.pos))) return Undone::kWhole;
  }
  return Undone::kTooLong;
}

std::string_view to_arena(std::string_view bytes, Arena& arena) {
  char* const out = arena.reserve(bytes.size());
  bytes.copy(out, bytes.size());
  arena.use(bytes.size());
  return {out, bytes.size()};
}

/// The codings in the order in which they were done: "gzip, br" has br outside.
std::vector<std::string_view> codings_of(std::string_view value) {
  std::vector<std::string_view> codings;
  while (!value.empty() && codings.size() <= kMostCodings) {
    const std::string_view coding = media_type(value.substr(0, value.find(',')));
    value.remove_prefix(std::min(value.find(','), value.size() - 1) + 1);
    if (!coding.empty() && !same_name(coding, "identity")) codings.push_back(coding);
  }
  return codings;
}

bool is_gzip(std::string_view coding) { return same_name(coding, "gzip") || same_name(coding, "x-gzip"); }

bool is_zlib(std::string_view bytes) {
  if (bytes.size() < 2) return false;
  const auto first = static_cast<unsigned char>(bytes[0]), second = static_cast<unsigned char>(bytes[1]);
  return (first & 15) == 8 && (first * 256 + second) % 31 == 0;
}

bool is_plain_text(std::string_view bytes) { return why_no_text(bytes, false).empty() && !is_hardly_utf8(bytes); }

/// RFC 9110 wants zlib's header around deflate; not all servers do.
Undone undo_deflate(std::string_view bytes, Room& room) {
  if (is_zlib(bytes) && inflate_all(bytes, 15, room) == Undone::kWhole) return Undone::kWhole;
  if (room.is_too_long()) return Undone::kTooLong;
  room.clear();
  return inflate_all(bytes, -15, room);
}

WarcPayload refuse_payload(std::string reason, std::string message) {
  return {{}, std::move(reason), std::move(message)};
}

WarcPayload undo(std::string_view coding, std::string_view bytes, const ReadOptions& options, BatchBuffers& buffers) {
  Room room(options, buffers);
  Undone undone = Undone::kDamaged;
  if (is_gzip(coding)) {
    if (!bytes.starts_with("\x1F\x8B")) return {bytes};
    undone = inflate_at_once(bytes, room) ? Undone::kWhole : inflate_all(bytes, 15 + 16, room);
  } else if (same_name(coding, "deflate")) {
    if (is_plain_text(bytes)) return {bytes};
    undone = undo_deflate(bytes, room);
  } else if (same_name(coding, "zstd")) {
    if (!bytes.starts_with("\x28\xB5\x2F\xFD")) return {bytes};
    undone = unpack_zstd(bytes, room);
  } else {
    if (is_plain_text(bytes)) return {bytes};
    return refuse_payload("unsupported",
                          "has the Content-Encoding '" + std::string(coding.substr(0, 40)) +
                              "', which is not read: gzip, deflate and zstd are; let the crawler ask for "
                              "these alone (Accept-Encoding: gzip, deflate)");
  }
  if (undone == Undone::kTooLong)
    return refuse_payload("too_long", "holds a page that is " + too_long_message(options));
  if (undone == Undone::kDamaged)
    return refuse_payload("corrupt", "holds a page whose Content-Encoding, " + std::string(coding) + ", is damaged");
  return {to_arena(room.view(), buffers.arena)};
}

/// The length of the chunk that `rest` begins with, whose line is taken; nothing where there is no such line.
bool take_chunk_line(std::string_view& rest, uint64_t& length) {
  const size_t end = rest.find('\n');
  if (end > kMostChunkLine) return false;  // npos, too
  std::string_view digits = media_type(rest.substr(0, end));
  const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length, 16);
  if (error != std::errc() || last != digits.data() + digits.size()) return false;
  rest.remove_prefix(end + 1);
  return true;
}

}  // namespace

std::string_view without_chunks(std::string_view body, Arena& arena) {
  std::string_view rest = body;
  uint64_t length = 0;
  if (!take_chunk_line(rest, length)) return body;
  char* const out = arena.reserve(body.size());
  size_t size = 0;
  do {
    const std::string_view chunk = rest.substr(0, static_cast<size_t>(std::min<uint64_t>(length, rest.size())));
    size += chunk.copy(out + size, chunk.size());
    rest.remove_prefix(chunk.size());
    if (rest.starts_with('\r')) rest.remove_prefix(1);
    if (rest.starts_with('\n')) rest.remove_prefix(1);
  } while (length != 0 && take_chunk_line(rest, length));
  arena.use(size);
  return {out, size};
}

WarcPayload decode_http_body(const HeaderFields& fields, std::string_view body, const ReadOptions& options,
                             BatchBuffers& buffers) {
  WarcPayload payload{body};
  if (same_name(media_type(fields.find("Transfer-Encoding")), "chunked"))
    payload.bytes = without_chunks(body, buffers.arena);
  const std::vector<std::string_view> codings = codings_of(fields.find("Content-Encoding"));
  if (codings.size() > kMostCodings)
    return refuse_payload("unsupported", "has more than " + std::to_string(kMostCodings) + " content encodings");
  for (auto coding = codings.rbegin(); coding != codings.rend() && payload.reason.empty(); ++coding)
    payload = undo(*coding, payload.bytes, options, buffers);
  return payload;
}

}  // namespace neardup::corpus
