// CrawlFigures: how many records of a crawl became what. Nothing is lost: records = compared + not compared + rejected.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/corpus/formats/warc_kind.h"
#include "neardup/engine/crawl/crawl_verdict.h"

namespace neardup::engine {

struct CrawlFigures {
  uint64_t records = 0;        // of all kinds, broken ones among them
  uint64_t fresh = 0;          // kNew
  uint64_t exact_payload = 0;  // kExact by payload
  uint64_t exact_text = 0;     // kExact by text
  uint64_t near = 0;
  uint64_t rejected = 0;
  corpus::WarcTally others;       // not compared, by what they are
  uint64_t unread_texts = 0;      // of those compared: documents whose text cannot be read, by payload alone
  uint64_t repeated = 0;          // of those compared: got the verdict of an earlier run again
  uint64_t other_digests = 0;     // have another payload than their WARC-Payload-Digest says
  uint64_t written = 0;           // records in the output
  uint64_t revisits = 0;          // of these, made in the place of responses
  uint64_t metadata_records = 0;  // likewise, made beside others
  uint64_t output_bytes = 0;

  [[nodiscard]] uint64_t compared() const { return fresh + exact_payload + exact_text + near; }
};

/// Counts a record.
void add_to_figures(CrawlFigures& figures, const Capture& capture, const CrawlVerdict& verdict);

/// Returns the table for people; lines about what there was none of are left out.
[[nodiscard]] std::string figures_text(const CrawlFigures& figures);

}  // namespace neardup::engine
