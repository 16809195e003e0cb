// `neardup dedup`: from inputs to kept files, duplicates, clusters and reports.
//
// Stages: read (documents -> rows, ids, tokens in OUTPUT/.neardup), exact (equal checksums), join (candidates within k
// bits), cluster (verification and stars), write. Each leaves a completion marker, so a stopped run can go on.
#pragma once

#include "neardup/engine/options.h"
#include "neardup/report/report.h"

namespace neardup::engine {

/// Runs a whole deduplication and writes into options.output: kept/ (or annotated/ or kept_ids.txt), duplicates.jsonl,
/// clusters.jsonl, rejected.jsonl, pairs.jsonl (on request), report.json, report.html. Every file but report.* is the
/// same, byte for byte, for any number of threads, shards and resumptions. Returns the report.
/// With shard_index, only reads its part, leaves it in OUTPUT/.neardup and returns a report of the figures read.
/// Errors: kInvalidArgument, kNotFound (input), kMismatch (output holds another run; resume with other options),
/// kMemory, kDiskFull, kIo, kCancelled (what is done is kept: resume), kCorruption (work files damaged).
[[nodiscard]] Result<report::Report> dedup(const DedupOptions& options, const Context& context);

inline constexpr int kWidestAutoDistance = 13;

/// Returns the distance that --distance auto takes: the widest, up to kWidestAutoDistance, at which chance alone brings
/// at most half a candidate a document: 13 up to 1 million documents, 12 up to 4, 11 up to 20, 10 up to 100 million,
/// and so on (docs/quality.md).
[[nodiscard]] int auto_distance(uint64_t num_documents);

}  // namespace neardup::engine
