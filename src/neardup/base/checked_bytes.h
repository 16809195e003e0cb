// What our kinds of files are called, and the frame of the small ones: a magic, a version, a payload, a checksum of it
// all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup {

/// What a kind of file is called, in bytes and in words.
struct FileKind {
  std::string_view magic;  // 8 bytes
  uint32_t version = 1;
  std::string_view noun;  // "list of segments"
  std::string_view cure;  // "restore it from a copy, or make the index again"
};

inline constexpr size_t kFrameHeaderBytes = 16;  // magic, version, 0
inline constexpr size_t kFrameFooterBytes = 8;   // XXH3-64 of all before

/// Returns the first kFrameHeaderBytes; the payload is appended to them.
[[nodiscard]] std::string begin_frame(const FileKind& kind);
/// Appends the checksum.
void end_frame(std::string& bytes);
/// Returns the version that a frame says it has, whatever its magic; 0 where it is too short to have one.
[[nodiscard]] uint32_t frame_version(std::string_view bytes);
/// Returns the checksum at the end of a whole frame. Requires: it has one.
[[nodiscard]] uint64_t frame_checksum(std::string_view bytes);
/// Returns the payload. `verify`: also checks the checksum. Errors: kCorruption, naming the file and the cure.
[[nodiscard]] Result<std::string_view> open_frame(std::string_view bytes, const FileKind& kind, std::string_view path,
                                                  bool verify = true);
/// Errors: kCorruption where a file's version is not that of its kind.
[[nodiscard]] Status check_version(const FileKind& kind, std::string_view path, uint32_t version);
/// Returns "<noun> '<path>' is damaged: <what>; <cure>".
[[nodiscard]] tl::unexpected<Error> damaged_file(const FileKind& kind, std::string_view path, std::string_view what);

}  // namespace neardup
