// `neardup dedup`: from inputs to kept files, duplicates, clusters and reports.
//
// Stages: read (documents -> rows, ids, tokens in OUTPUT/.neardup), exact (equal checksums), join (candidates within k
// bits), cluster (verification and stars), write. Each leaves a completion marker, so a stopped run can go on.
#pragma once

#include "neardup/engine/options.h"
#include "neardup/report/figures.h"

namespace neardup::engine {

/// Runs a whole deduplication and writes into options.output: kept/ (or annotated/ or kept_ids.txt), duplicates.jsonl,
/// clusters.jsonl, rejected.jsonl, pairs.jsonl (on request), report.json, report.html. Every file but report.* is the
/// same, byte for byte, for any number of threads, shards and resumptions. Returns the report.
/// With shard_index, only reads its part, leaves it in OUTPUT/.neardup and returns a report of the figures read.
/// Errors: kInvalidArgument, kNotFound (input), kMismatch (output holds another run; resume with other options),
/// kMemory, kDiskFull, kIo, kCancelled (what is done is kept: resume), kCorruption (work files damaged).
[[nodiscard]] Result<report::Report> dedup(const DedupOptions& options, const Context& context);

}  // namespace neardup::engine
