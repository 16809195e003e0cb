// StoredView: what deciding about a document needs of those that are stored, wherever they are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/change.h"
#include "neardup/store/record.h"

namespace neardup::store {

/// A record that was read, and what it views. Valid until the next one is read into it.
class HeldRecord {
 public:
  HeldRecord() = default;
  HeldRecord(const HeldRecord&) = delete;
  HeldRecord& operator=(const HeldRecord&) = delete;
  [[nodiscard]] const Record& operator*() const { return record_; }
  [[nodiscard]] const Record* operator->() const { return &record_; }
  /// Shows one whose bytes are elsewhere, and stay there.
  void show(const Record& record) { record_ = record; }
  /// Returns what it takes.
  [[nodiscard]] size_t size_bytes() const {
    return sizeof(*this) + bytes_.capacity() + record_.fingerprints.size_bytes() + record_.keys.size_bytes() +
           record_.passages.size_bytes();
  }

 private:
  friend class StoreState;
  std::string bytes_;
  ChangeReader reader_;
  Record record_;
};

/// Errors of all: of reading. Threads: as its owner says.
class StoredView {
 public:
  virtual ~StoredView() = default;
  /// Reads a document and returns whether it is there: of one that is erased the record may be gone, or not.
  [[nodiscard]] virtual Result<bool> read(uint64_t number, HeldRecord& held) const = 0;
  /// The same of a candidate of a document that comes with `tag`: false also where that one does not see it, which
  /// whoever found the candidates need not have asked.
  [[nodiscard]] virtual Result<bool> read_candidate(uint64_t number, std::string_view tag, HeldRecord& held) const = 0;
  /// Returns whether a document that comes with `tag` sees it: it is not erased, and in the same open tag or in none,
  /// and no document of the tag is about to take its place.
  [[nodiscard]] virtual Result<bool> sees(std::string_view tag, uint64_t number) const = 0;
  /// Returns those that repeat no other document.
  [[nodiscard]] virtual Result<std::vector<uint64_t>> kept_whole(const std::vector<uint64_t>& numbers) const = 0;
};

}  // namespace neardup::store
