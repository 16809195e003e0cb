// What is asked of many documents at once, apart from their records: when each came, and with which tag.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::store {

/// Of documents first, first + 1, ... of one log. Memory: 12 bytes each, and the tags. Threads: as a vector.
class DocumentFacts {
 public:
  explicit DocumentFacts(uint64_t first = 0) : first_(first) {}

  /// Adds those of `number`; numbers between it and the last one have none (time 0, no tag). Where memory is refused
  /// (it throws then) they are as before. Requires: it is greater than all before.
  void add(uint64_t number, int64_t time, std::string_view tag);
  /// Adds numbers without facts up to `end`.
  void fill_to(uint64_t end);

  [[nodiscard]] uint64_t first() const { return first_; }
  [[nodiscard]] uint64_t end() const { return first_ + times_.size(); }
  /// Returns seconds since 1970; 0: not known. Requires: first() <= number < end(), here and below.
  [[nodiscard]] int64_t time(uint64_t number) const { return times_[number - first_]; }
  /// Returns the place of its tag in tags(); 0 is that of documents without one.
  [[nodiscard]] uint32_t tag(uint64_t number) const { return tag_of_[number - first_]; }
  [[nodiscard]] const std::vector<std::string>& tags() const { return tags_; }
  /// Returns the time of the oldest whose time is known; INT64_MAX where there is none.
  [[nodiscard]] int64_t oldest() const { return oldest_; }

 private:
  friend Result<uint64_t> write_facts(const std::string& path, const DocumentFacts& facts);

  uint32_t place_of(std::string_view tag);

  uint64_t first_;
  int64_t oldest_ = INT64_MAX;
  std::vector<int64_t> times_;
  std::vector<uint32_t> tag_of_;
  std::vector<std::string> tags_{""};
  std::map<std::string, uint32_t, std::less<>> places_{{"", 0}};
};

/// Writes them to a file, which appears whole, and returns its checksum. Format: docs/formats/store.md. Errors: kIo,
/// kDiskFull.
[[nodiscard]] Result<uint64_t> write_facts(const std::string& path, const DocumentFacts& facts);
struct FactsFile {
  DocumentFacts facts;
  uint64_t checksum = 0;
};
/// Reads and validates what write_facts() wrote, of `most` documents: some bytes may stand for millions of them.
/// Errors: kNotFound, kIo; kCorruption, naming `path` and the cure, also where there are more.
[[nodiscard]] Result<FactsFile> read_facts(const std::string& path, uint64_t most);
[[nodiscard]] Result<FactsFile> parse_facts(std::string_view bytes, std::string_view path, uint64_t most);

}  // namespace neardup::store
