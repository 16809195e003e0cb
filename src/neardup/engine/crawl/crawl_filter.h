// crawl filter: the records of WARC files, each told whether a store has it, and the files written anew without copies.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"
#include "neardup/engine/crawl/crawl_figures.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::engine {

struct CrawlFilterOptions {
  uint64_t max_text_bytes = uint64_t{16} << 20;     // documents with a longer page are compared by payload alone
  uint64_t max_record_bytes = uint64_t{256} << 20;  // longer records are rejected; with `output` they end the run
  uint64_t batch_bytes = uint64_t{4} << 20;         // of records that are checked at once
  std::string tag;                                  // of what comes into the store; may be empty
  bool is_transaction = false;  // the tag is begun before, committed behind the output, cancelled where anything fails
  std::string output;           // WARC file with the records of all inputs, which appears at the end; empty: none
  bool revisits = false;        // there: responses with the payload of an earlier one become revisits
  int num_threads = 0;          // that read; 0 = all cores. Verdicts and output do not depend on it
  Context context;
};

/// Whom the filter tells: one call at a time, in the order of the records. An error ends the run.
struct CrawlFilterListener {
  /// A line of JSON about a response, resource, conversion, or what is no record (verdict_line()).
  std::function<Status(std::string_view line)> verdict;
  /// Something about a file for people: what cannot be read of it, and where.
  std::function<void(const std::string& message)> note;
  /// All was told; the output appears, and a transaction is committed, after this.
  std::function<Status()> finish;
};

/// Puts what `inputs` (WARC files) hold into `store`, in order, and tells of each record whether it was there. Records
/// are judged as CaptureCheck says. Written are all records that can be taken apart, byte for byte, in their order, but
/// for responses that become revisits; behind those that repeat others and stay, metadata that says so.
/// In a transaction others see what came once all of it is written, or nothing of it; a tag that is open already, such
/// as that of a killed run, is gone on with.
/// Errors: of reading, the store, the output; kCancelled; kUnsupported where a record is too long to be written;
/// kInvalidArgument where a transaction has no tag, or a limit is 0 or beyond corpus::kMostRecordBytes. Without a
/// transaction the store then has what was told, and perhaps more: the same inputs again get the same verdicts, from
/// the first on.
[[nodiscard]] Result<CrawlFigures> filter_crawl(TextStore& store, const std::vector<corpus::Input>& inputs,
                                                const CrawlFilterOptions& options, const CrawlFilterListener& listener);

}  // namespace neardup::engine
