// CrawlVerdict: what becomes of a record of a crawl, and how programs are told.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/engine/crawl/capture.h"

namespace neardup::engine {

struct CrawlVerdict {
  enum class Kind {
    kNew,
    kExact,     // an equal payload, or an equal text
    kNear,      // a similar text
    kNone,      // not compared; Capture::reason says what it is
    kRejected,  // no record that can be taken apart; Capture::message says why
  };
  Kind kind = Kind::kNone;
  bool is_by_payload = false;  // of kNew and kExact: the payload tells; else the text does
  CaptureName original = {};   // of kExact and kNear: what it repeats
  float similarity = 1;        // likewise, as TextVerdict has it
  uint32_t distance = 0;
  bool is_estimate = false;
  bool is_repeated = false;  // it came before: the verdict is that of then
};

/// Returns the line of JSON that tells the verdict: docs/crawlers.md.
[[nodiscard]] std::string verdict_line(const Capture& capture, const CrawlVerdict& verdict);

/// Returns the similarity as it is written in results.
[[nodiscard]] std::string similarity_text(float similarity);

}  // namespace neardup::engine
