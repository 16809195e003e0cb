// A change of a store as its log tells it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/record.h"

namespace neardup::store {

/// A document that came, perhaps in the place of another one; or documents that were erased.
struct Change {
  std::optional<Record> document;
  std::vector<uint64_t> erased;  // ascending
};

/// Appends the bytes of a change. Format: docs/formats/log.md.
void append_arrival(std::string& bytes, const Record& document, std::optional<uint64_t> replaced);
void append_erasure(std::string& bytes, std::span<const uint64_t> numbers);

/// Reads them. Threads: one at a time.
class ChangeReader {
 public:
  /// The change is valid until the next call, and as long as `bytes`. Errors: kCorruption, without the file's name.
  [[nodiscard]] Result<Change> read(std::string_view bytes);

 private:
  RecordReader records_;
};

}  // namespace neardup::store
