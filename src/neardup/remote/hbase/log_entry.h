// LogEntry: what one row of the log says: changes that happened together. docs/formats/hbase.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/remote/backend.h"
#include "neardup/remote/hbase/layout.h"

namespace neardup::remote::hbase {

/// A document that came or went.
struct LogDocument {
  uint64_t number = 0;
  std::string record;  // of one that went empty
  std::vector<uint64_t> keys, fingerprints;
  bool operator==(const LogDocument&) const = default;
};

/// Those that went are taken out before those that came and the postings are put in.
struct LogEntry {
  uint64_t token = 0;    // of who wrote it: no two are the same
  uint64_t stamp = 0;    // of all cells that it makes: milliseconds since 1970, greater than that of the entry before
  uint64_t applied = 0;  // the writer knew that the rows of all entries up to this position are there
  uint64_t documents = 0, duplicates = 0, erased = 0;  // that are counted after it
  std::vector<LogDocument> added, gone;
  std::vector<Posting> postings;
  std::optional<std::string> shared;
  // No part of its bytes:
  size_t size_bytes = 0;   // that it takes, about
  size_t num_changes = 0;  // that were appended

  /// Appends what happens. Requires: can_append().
  void append(const Change& change);
  /// Whether what the change does comes out the same if it is applied together with what is in here.
  [[nodiscard]] bool can_append(const Change& change) const;
};

/// Returns how many bytes a change takes in an entry, about.
[[nodiscard]] size_t bytes_of(const Change& change);
/// Returns the bytes of an entry.
[[nodiscard]] std::string to_bytes(const LogEntry& entry);
/// Errors: kCorruption.
[[nodiscard]] Result<LogEntry> parse_log_entry(std::string_view bytes);
/// The value of a row of the log whose changes are told no more, as nobody stands on what was before them.
inline constexpr std::string_view kTrimmed = "trimmed";

/// What changes touch: whoever stands on it must look again.
struct Touched {
  std::vector<uint64_t> keys;          // ascending
  std::vector<uint64_t> fingerprints;  // of documents, words_of_document() each
  bool shared = false;

  void add(const Change& change);
  /// To be called after the last add().
  void finish();
  [[nodiscard]] bool is_under(const Change& change, const Layout& layout) const;
};
[[nodiscard]] Touched touched_by(const LogEntry& entry);

}  // namespace neardup::remote::hbase
