// Crawls that are not decided yet: tags that were begun, and neither committed nor cancelled.
//
// Documents of an open tag are seen by those of the same tag alone. One whose id is there already, outside of its tag,
// takes that one's place when its tag is committed, and hides it from the rest of its tag until then.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/number_set.h"

namespace neardup::store {

/// So many tags may be open at once: who looks for a document asks each.
inline constexpr size_t kMostOpenTags = 256;

/// Memory: of each tag a bit for each document that came since it was begun. Threads: as a map.
class OpenTags {
 public:
  struct Tag {
    uint64_t first = 0;    // document: none of the tag has a smaller number
    NumberSet documents;   // of the tag, less `first`
    NumberSet superseded;  // others, whose place those of the tag take at its commit
    /// Returns the documents of the tag, ascending.
    [[nodiscard]] std::vector<uint64_t> numbers() const;
    [[nodiscard]] bool contains(uint64_t number) const { return number >= first && documents.contains(number - first); }
  };

  [[nodiscard]] bool empty() const { return tags_.empty(); }
  [[nodiscard]] size_t size() const { return tags_.size(); }
  /// Opens a tag whose documents have no smaller number than `first`. Requires: it is not open.
  void open(std::string_view tag, uint64_t first);
  /// Moves it, open or closed, without a piece of memory.
  using Closed = std::map<std::string, Tag, std::less<>>::node_type;
  /// Closes it, and returns what it was: empty where it was not open. Never throws.
  Closed close(std::string_view tag) noexcept;
  /// Takes back that it was closed. Never throws.
  void reopen(Closed tag) noexcept { tags_.insert(std::move(tag)); }
  /// Opens it with what it was. Requires: it is not open.
  void reopen(std::string_view tag, const Tag& content);
  /// Returns null where it is not open.
  [[nodiscard]] const Tag* find(std::string_view tag) const;
  /// Returns their names, in order.
  [[nodiscard]] std::vector<std::string> names() const;

  /// Adds a document with that tag: nothing where it is not open.
  void add(std::string_view tag, uint64_t number);
  /// Notes that the commit of `tag` takes the place of `number`. Requires: it is open.
  void supersede(std::string_view tag, uint64_t number);
  void forget_superseded(std::string_view tag, uint64_t number);

  /// Returns the open tag that the document is of; nothing where it is of none.
  [[nodiscard]] const std::string* tag_of(uint64_t number) const;
  /// Returns whether a document that comes with `tag` sees `number`.
  [[nodiscard]] bool sees(std::string_view tag, uint64_t number) const;

 private:
  std::map<std::string, Tag, std::less<>> tags_;
};

/// Writes them to a file, which appears whole, and returns its checksum. Format: docs/formats/store.md. Errors: kIo,
/// kDiskFull.
[[nodiscard]] Result<uint64_t> write_open_tags(const std::string& path, const OpenTags& tags);
struct OpenTagsFile {
  OpenTags tags;
  uint64_t checksum = 0;
};
/// Reads and validates what write_open_tags() wrote; every number is below `end`. Errors: kCorruption, naming `path`
/// and the cure.
[[nodiscard]] Result<OpenTagsFile> parse_open_tags(std::string_view bytes, std::string_view path, uint64_t end);

}  // namespace neardup::store
