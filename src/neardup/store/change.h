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

/// A document that came; documents that were erased; or a tag that was begun or ended (committed or cancelled).
struct Change {
  std::optional<Record> document;
  std::vector<uint64_t> same_id;  // documents that had its id: what becomes of them, StoreState::take_place() says
  std::vector<uint64_t> erased;   // ascending
  std::optional<std::string_view> begun, ended;
};

/// Appends the bytes of a change: an arrival with a checksum, for it is read again by itself, long after. Format:
/// docs/formats/store.md.
void append_arrival(std::string& bytes, const Record& document, std::span<const uint64_t> same_id);
void append_erasure(std::string& bytes, std::span<const uint64_t> numbers);
void append_tag_begin(std::string& bytes, std::string_view tag);
void append_tag_end(std::string& bytes, std::string_view tag);

/// Returns whether these are the bytes of an arrival without a checksum, of a log of version 1.
[[nodiscard]] bool is_unchecked_arrival(std::string_view bytes);

/// Reads them. Threads: one at a time.
class ChangeReader {
 public:
  /// The change is valid until the next call, and as long as `bytes`. Errors: kCorruption, without the file's name,
  /// also where the checksum of an arrival is not that of its bytes (arrivals of logs of version 1 have none).
  [[nodiscard]] Result<Change> read(std::string_view bytes);

 private:
  RecordReader records_;
};

}  // namespace neardup::store
