#include "neardup/base/checked_bytes.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/bytes.h"
#include "neardup/base/hash.h"

namespace neardup {

std::string begin_frame(const FileKind& kind) {
  std::string bytes(kind.magic);
  append_little(bytes, kind.version);
  append_little(bytes, uint32_t{0});
  return bytes;
}

void end_frame(std::string& bytes) { append_little(bytes, hash64(bytes)); }

uint32_t frame_version(std::string_view bytes) {
  constexpr size_t kMagicBytes = 8;
  return ByteReader(bytes.substr(std::min(kMagicBytes, bytes.size()))).number<uint32_t>();
}

uint64_t frame_checksum(std::string_view bytes) {
  return ByteReader(bytes.substr(bytes.size() - kFrameFooterBytes)).number<uint64_t>();
}

tl::unexpected<Error> damaged_file(const FileKind& kind, std::string_view path, std::string_view what) {
  return fail(Code::kCorruption, fmt::format("{} '{}' is damaged: {}; {}", kind.noun, path, what, kind.cure));
}

Status check_version(const FileKind& kind, std::string_view path, uint32_t version) {
  if (version == kind.version) return {};
  return fail(Code::kCorruption, fmt::format("{} '{}' has version {}, this program reads version {}; {}", kind.noun,
                                             path, version, kind.version, kind.cure));
}

Result<std::string_view> open_frame(std::string_view bytes, const FileKind& kind, std::string_view path, bool verify) {
  if (bytes.size() < kFrameHeaderBytes + kFrameFooterBytes) return damaged_file(kind, path, "it is cut short");
  if (!bytes.starts_with(kind.magic))
    return damaged_file(kind, path, fmt::format("it does not begin with '{}'", kind.magic));
  ByteReader header(bytes.substr(kind.magic.size()));
  NEARDUP_TRY(check_version(kind, path, header.number<uint32_t>()));
  if (header.number<uint32_t>() != 0) return damaged_file(kind, path, "its header");
  if (verify && hash64(bytes.substr(0, bytes.size() - kFrameFooterBytes)) != frame_checksum(bytes))
    return damaged_file(kind, path, "it fails its checksum");
  return bytes.substr(kFrameHeaderBytes, bytes.size() - kFrameHeaderBytes - kFrameFooterBytes);
}

}  // namespace neardup
