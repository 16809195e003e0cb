// WARC records that are made anew: a revisit in the place of a response, metadata about a record.
#pragma once

#include <string>

#include "neardup/engine/crawl/crawl_verdict.h"

namespace neardup::engine {

/// Returns whether a revisit may stand for the response: its payload is whole and equal to that of another response,
/// which is not itself, and its HTTP header can be kept.
[[nodiscard]] bool can_be_revisit(const Capture& capture, const CrawlVerdict& verdict);

/// Returns the record that stands for a response whose payload is that of an earlier one (WARC 1.1, section 6.7.2,
/// profile identical-payload-digest): all of its header but what was said of the block, its HTTP header, no payload; it
/// refers to the earlier response. Its WARC-Record-ID is that of the response, to which requests refer. A control
/// character in a value is written as "?"; lines that are no fields are left out. Without the empty lines behind.
/// Requires: can_be_revisit().
[[nodiscard]] std::string revisit_record(const Capture& capture, const CrawlVerdict& verdict);

/// Returns a record (WARC 1.1, section 6.6) that says what `capture` repeats and how much, to stand behind it. It
/// belongs to the same capture event, but for that of a conversion, to which nothing is concurrent: this it describes.
/// The same verdict gives the same bytes, WARC-Record-ID included. `recipe_id`: what was compared. Requires: the
/// verdict is kExact or kNear.
[[nodiscard]] std::string metadata_record(const Capture& capture, const CrawlVerdict& verdict,
                                          const std::string& recipe_id);

/// Returns the WARC-Record-ID of it, without "<" and ">".
[[nodiscard]] std::string metadata_id(const Capture& capture, const CrawlVerdict& verdict,
                                      const std::string& recipe_id);

}  // namespace neardup::engine
