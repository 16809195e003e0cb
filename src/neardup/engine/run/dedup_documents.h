// Deduplication of documents that a program holds, without input or output files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/corpus/rows.h"
#include "neardup/engine/options.h"
#include "neardup/report/figures.h"

namespace neardup::engine {

/// What became of one row.
struct RowFate {
  enum class Kind : uint8_t { kKept, kExact, kNear, kRejected, kContained };
  static constexpr uint32_t kNoCluster = 0xFFFFFFFF;

  Kind kind = Kind::kKept;
  bool of_reference = false;             // duplicate_of counts the references
  std::optional<uint16_t> distance = 0;  // of fingerprints in bits, of signatures in values, where it is known
  float similarity = 1;                  // to duplicate_of, from 0 to 1; of kContained the share that that one holds
  uint32_t cluster = kNoCluster;         // as in clusters.jsonl; none for a kept row that no other repeats
  uint64_t duplicate_of = 0;             // the row that stays in its place; itself where it is kept or rejected
};

struct RowFates {
  std::vector<RowFate> rows;  // in their order
  // Their sum is the number of rows.
  uint64_t num_kept = 0, num_exact = 0, num_near = 0, num_rejected = 0, num_contained = 0;
};

/// Decides about `rows` as dedup() does about the same documents in the same order, under the same `options`; those
/// that name files or what is written (inputs, references, output, discover, mode, write_pairs, resume, overwrite,
/// shards) count for nothing. `references`, which may be null, are only compared with. A row that is too long is
/// rejected; with options.strict that is an error.
///
///   std::vector<std::string> texts = ...;
///   corpus::RowsOf rows(texts, [](const std::string& text) { return corpus::TextRow{"", text}; });
///   NEARDUP_ASSIGN(const engine::RowFates fates, engine::dedup_documents(rows, nullptr, {}, {}));
///   // fates.rows[i].kind, fates.rows[i].duplicate_of
///
/// Where `report` is not null, it gets the figures and examples of the run; rows are called "rows:1", "rows:2", ... in
/// it, and "references:1", ....
///
/// Memory: options.memory_bytes beside what the rows themselves take; what is more goes to a folder of its own below
/// `work_folder`, gone when this returns. Errors: as dedup(); kIo, kDiskFull where there is no place for that folder.
/// Threads: any, also several at once.
[[nodiscard]] Result<RowFates> dedup_documents(const corpus::Rows& rows, const corpus::Rows* references,
                                               const DedupOptions& options, const Context& context,
                                               const std::string& work_folder = "/tmp",
                                               report::Report* report = nullptr);

}  // namespace neardup::engine
