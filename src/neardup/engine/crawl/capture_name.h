// CaptureName: what a capture of a crawl is called in archives, and in a store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::engine {

/// The three things by which archives find a record again.
struct CaptureName {
  std::string record;  // WARC-Record-ID without "<" and ">"
  std::string date;    // WARC-Date as it stands there; may be empty
  std::string uri;     // WARC-Target-URI; may be empty
  bool operator==(const CaptureName&) const = default;
};

/// Returns whether a store's id can be made of it: the WARC-Record-ID is not empty and, as all WARC headers want it,
/// has no white space; the WARC-Date has none either, and neither has control characters.
[[nodiscard]] bool can_be_stored(std::string_view record, std::string_view date);

/// Returns the id under which a store has the text of a capture: "RECORD DATE URI", so that whoever is told of it knows
/// all three without another look-up. Requires: can_be_stored().
[[nodiscard]] std::string text_id(const CaptureName& name);
/// Returns the id under which a store has its payload.
[[nodiscard]] std::string payload_id(const CaptureName& name);

/// Returns the name in an id that one of the two made; of any other id the whole of it is `record`.
[[nodiscard]] CaptureName name_of_id(std::string_view id);

/// Returns the seconds since 1970-01-01 of a WARC-Date such as 2026-11-22T12:00:00.25Z, parts of a second cut off; 0
/// where it is none.
[[nodiscard]] int64_t seconds_of_date(std::string_view date);

}  // namespace neardup::engine
