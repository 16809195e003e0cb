// The identity of a run: what its results depend on, so that --resume and --merge-shards never mix two runs.
#pragma once

#include <string>

#include "neardup/engine/options.h"
#include "neardup/engine/read/sources.h"
#include "neardup/engine/work_folder.h"
#include "neardup/report/figures.h"

namespace neardup::engine {

/// How far a run has come.
enum class Progressed { kNew, kStarted, kComplete };

/// Reads run.json and compares it with what is asked for now. A new run begins (old work files are removed) where there
/// is none; with options.overwrite also where there is another. kComplete: this very run is done already.
/// Errors: kMismatch where the folder holds results of another run, or of this one without resume, overwrite or shards;
/// the message says which of inputs and options differ. kCorruption where run.json is damaged. Sets folder.run().
[[nodiscard]] Result<Progressed> begin_run(const DedupOptions& options, const Sources& sources, WorkFolder& folder);

/// The id of the dictionary that the run has learnt, which idf.bin must have; empty before that.
[[nodiscard]] Result<std::string> learnt_idf(const WorkFolder& folder);
/// Keeps it for those that go on. Between begin_run() and the lock's end.
[[nodiscard]] Status keep_learnt_idf(const WorkFolder& folder, const std::string& id);

/// Marks the run as complete and removes its work files. `total` is kept for a later resume.
[[nodiscard]] Status complete_run(const WorkFolder& folder, const report::Tally& total);

/// Removes the work files of a complete run, where it was stopped in doing so.
[[nodiscard]] Status clear_complete_run(const WorkFolder& folder);

/// The total that complete_run left.
[[nodiscard]] Result<report::Tally> completed_total(const WorkFolder& folder);

}  // namespace neardup::engine
