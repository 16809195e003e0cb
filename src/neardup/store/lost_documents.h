// Which documents a damaged log has lost, told by the numbers that are there before and behind the damage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/change.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/number_set.h"
#include "neardup/store/store_manifest.h"

namespace neardup::store {

/// Numbers of documents: all that are lost, but perhaps also of some that were erased later, or given in vain.
struct NumberRange {
  uint64_t first = 0;
  std::optional<uint64_t> end;  // not known: nothing that is there stands behind the damage
};

/// Returns how many there are that are not in `erased`; 0 where nobody knows.
[[nodiscard]] uint64_t num_documents(const NumberRange& range, const NumberSet& erased);
/// Returns ", and with them N documents at most, from number A on"; nothing where there is none, or nobody knows.
[[nodiscard]] std::string lost_documents_text(const NumberRange& range, const NumberSet& erased);
/// Returns what the list of erased documents holds that a manifest names; nothing where it cannot be read.
[[nodiscard]] NumberSet erased_in(const std::string& folder, const StoreManifest& manifest);

/// The numbers that the records of a log have brought. Memory: 24 bytes for each record. Threads: one at a time.
class LoggedNumbers {
 public:
  /// `first`: the number of the first document of this log, or one that is behind all of earlier logs.
  explicit LoggedNumbers(uint64_t first) : first_(first) {}
  /// Takes the next record. Errors: kCorruption, without the name of the file.
  [[nodiscard]] Status add(const LoggedRecord& record);
  [[nodiscard]] NumberRange lost_in(const LogGap& gap) const;
  /// Returns the number of the first document that is there.
  [[nodiscard]] std::optional<uint64_t> first() const;
  /// Returns what is behind all of them.
  [[nodiscard]] uint64_t end() const { return rows_.empty() ? first_ : rows_.back().end; }

 private:
  struct Row {
    uint64_t sequence = 0;
    uint64_t first = 0, end = 0;
  };
  uint64_t first_;
  std::vector<Row> rows_;  // of records that brought any
  ChangeReader reader_;
};

}  // namespace neardup::store
