#include "neardup/corpus/find/file_signs.h"

#include <algorithm>

#include "neardup/corpus/formats/warc_header.h"

namespace neardup::corpus {

using namespace std::string_view_literals;

bool FileSigns::has_ending(std::string_view name) const {
  return std::ranges::any_of(endings, [&](auto ending) { return !ending.empty() && name.ends_with(ending); });
}

/// WARC has drafts that are read, and ARC, which came before it; ftyp stands behind a length of a few bytes; a text
/// with that word there has none.
bool FileSigns::has_magic(std::string_view bytes) const {
  if (magic.empty() || bytes.size() < at) return false;
  if (magic == "WARC/1.") return begins_crawl(bytes);
  if (magic == "WARC/0." && begins_crawl(bytes)) return false;
  if (magic == "ftyp" && !bytes.starts_with("\0\0"sv)) return false;
  if (magic == "1AY&SY" && !bytes.starts_with("BZh")) return false;
  if (at == 8 && !bytes.starts_with("RIFF")) return false;
  return bytes.substr(at).starts_with(magic);
}

}  // namespace neardup::corpus
