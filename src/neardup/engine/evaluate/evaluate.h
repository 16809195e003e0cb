// `neardup evaluate`: a recipe's candidates and every rule's verdicts, held against labels.
#pragma once

#include <string>
#include <vector>

#include "neardup/corpus/rows.h"
#include "neardup/engine/options.h"
#include "neardup/evaluate/evaluation.h"
#include "neardup/fingerprint/value.h"

namespace neardup::engine {

struct EvaluateOptions {
  /// inputs, discover, read, recipe, family, idf_file, size_within, memory_bytes and num_threads count; `distance`,
  /// where it is given, is max_distance and asks for SimHash; `output` is an empty folder for work files, which the
  /// caller removes.
  DedupOptions run;
  std::string cluster_key = "cluster";   // documents with one value of this field are duplicates; null and "" are none
  std::string labels_file = {};          // where given: pairs instead (docs/formats/labels.md)
  double least_similarity = 0;           // listed pairs with less are no duplicates
  int duplicate_from = 1;                // judged pairs with a lower label are no duplicates
  std::string stratum_key = "stratum";   // of judged pairs, the member that names their part of the sample
  std::vector<verify::Rule> asked = {};  // rules to look at besides, at dedup's own level
  const corpus::Rows* rows = nullptr;    // documents of a program, instead of run.inputs
  int max_distance = fingerprint::kMaxDistance;  // of kSimHash; at least that of --distance auto is looked at
};

/// Reads and fingerprints the inputs, joins at the widest level, compares every candidate under every rule, and counts.
/// Cells are exact: what `dedup --distance K --verify RULE --pairs` would report, and the adjusted Rand index of the
/// connected components of those pairs. Memory: options.run.memory_bytes; pairs go through the disk.
/// What judged pairs say is counted by their labels and strata; every setting is part of the sample, by which chance is
/// told from difference. Two short texts are judged by their characters under the rules origin, whatever the level;
/// num_candidates and the spreads do not count that. Errors: those of reading; kInvalidArgument where a share is not
/// 0 to 1, duplicate_from is no label, labels are missing, contradict each other or name what is not there; kMemory
/// where documents, labels and the trees of the Rand index do not fit; kCancelled. Records that were rejected are a
/// warning of context.progress.
[[nodiscard]] Result<evaluate::Evaluation> evaluate_recipe(const EvaluateOptions& options, const Context& context);

}  // namespace neardup::engine
