// CaptureCheck: what becomes of captures, by a store of texts: first by their payloads, then by their texts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/crawl/crawl_verdict.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::engine {

/// A payload is a document of the store like a text: its id is payload_id(), its checksum stands for the payload, and
/// nothing else is kept of it; so it lives, is erased, and is seen by other crawls as texts are. Threads: one at a
/// time.
class CaptureCheck {
 public:
  /// `store` must outlive it. `tag`: of all documents; may be empty.
  CaptureCheck(TextStore& store, std::string tag) : store_(store), tag_(std::move(tag)) {}

  /// Returns a verdict for each capture, in order; those before it count. What is compared is in the store, durable,
  /// when it returns. Errors: as TextStore::check_and_insert(); payloads may be in the store all the same: the same
  /// captures again get the verdicts that they would have got.
  [[nodiscard]] Result<std::vector<CrawlVerdict>> check(std::span<const Capture> captures);

 private:
  Status check_payloads(std::span<const Capture> captures, std::vector<CrawlVerdict>& verdicts);
  Status check_texts(std::span<const Capture> captures, std::vector<CrawlVerdict>& verdicts);

  TextStore& store_;
  const std::string tag_;
};

}  // namespace neardup::engine
