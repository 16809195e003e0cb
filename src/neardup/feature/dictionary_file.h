// What files of IDF and of phrases have in common: a header that begins with a magic and a version and says how many
// bytes of text follow, that text (how texts were cut into tokens), padded with zeros, entries, XXH3-128 of it all.
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "neardup/base/bytes.h"
#include "neardup/base/hasher.h"
#include "neardup/base/result.h"

namespace neardup::feature {

static_assert(std::endian::native == std::endian::little, "dictionary files are little endian");

struct DictionaryKind {
  std::array<char, 8> magic;  // the last is a line break
  uint32_t version = 1;
  size_t alignment = 1;   // of the entries, and of the text before them
  std::string_view noun;  // "IDF dictionary"
  std::string_view cure;  // "train it again with 'neardup idf'"
};

inline constexpr size_t kMaxTokensBytes = 1 << 16;
inline constexpr size_t kDictionaryChecksumBytes = 16;  // canonical_bytes()

[[nodiscard]] inline size_t padded(const DictionaryKind& kind, size_t tokens_bytes) {
  return (tokens_bytes + kind.alignment - 1) / kind.alignment * kind.alignment;
}

[[nodiscard]] inline tl::unexpected<Error> not_whole(const DictionaryKind& kind, std::string_view where,
                                                     std::string_view what) {
  return fail(Code::kCorruption, fmt::format("'{}' is not a whole {}: {}; {}", where, kind.noun, what, kind.cure));
}

/// Returns header and text: all that stands before the entries.
template <class Header>
[[nodiscard]] std::string dictionary_head(const DictionaryKind& kind, const Header& header, std::string_view tokens) {
  std::string bytes(bytes_of_one(header));
  bytes += tokens;
  bytes.resize(sizeof(Header) + padded(kind, tokens.size()), '\0');
  return bytes;
}

/// Returns the header where it is one of this kind; `body` becomes the bytes of the entries. Errors: kCorruption.
template <class Header>
[[nodiscard]] Result<Header> parse_dictionary(const DictionaryKind& kind, std::string_view bytes,
                                              std::string_view where, std::string_view& body) {
  constexpr size_t kFrame = sizeof(Header) + kDictionaryChecksumBytes;
  if (bytes.size() < kFrame)
    return not_whole(kind, where, fmt::format("{} bytes, at least {} expected", bytes.size(), kFrame));
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kind.magic)
    return not_whole(kind, where, fmt::format("it does not begin with '{}'", std::string_view(kind.magic.data(), 7)));
  if (header.version != kind.version)
    return not_whole(kind, where,
                     fmt::format("format version {}, this program reads {}", header.version, kind.version));
  const size_t text = padded(kind, header.tokens_bytes);
  if (header.tokens_bytes > kMaxTokensBytes || text > bytes.size() - kFrame)
    return not_whole(kind, where, fmt::format("{} bytes tell of its tokens", header.tokens_bytes));
  body = bytes.substr(sizeof(Header) + text, bytes.size() - kFrame - text);
  return header;
}

/// Returns what ends a file that holds `bytes`.
[[nodiscard]] inline std::string dictionary_checksum(const Hash128& hash) {
  return std::string(bytes_of(canonical_bytes(hash)));
}

/// Errors: kCorruption. Requires: parse_dictionary() took the bytes.
[[nodiscard]] inline Status check_checksum(const DictionaryKind& kind, std::string_view bytes, std::string_view where) {
  const std::string_view whole = bytes.substr(0, bytes.size() - kDictionaryChecksumBytes);
  if (bytes.substr(whole.size()) == dictionary_checksum(hash128(whole))) return {};
  return not_whole(kind, where, "its checksum does not fit");
}

}  // namespace neardup::feature
