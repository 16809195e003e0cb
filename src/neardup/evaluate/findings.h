// What an evaluation comes to: the settings that matter, in figures with intervals, and whether they differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/evaluate/bootstrap.h"
#include "neardup/evaluate/evaluation.h"
#include "neardup/evaluate/interval.h"

namespace neardup::evaluate {

struct Figure {
  double value = 0;                  // NaN where it has no meaning
  std::optional<Interval> interval;  // where the labels are a sample
};

/// A setting, and why it is looked at: "recommended", "standard", "asked for", several with commas between.
struct NamedSetting {
  std::string role;
  Setting setting;
  Figure precision, recall, f1;
};

/// `a` against `b`, places in Findings::named.
struct NamedComparison {
  size_t a = 0;
  size_t b = 0;
  Comparison result;
};

/// What a setting finds of judged pairs of one kind, as they were judged: without weights.
struct FoundOf {
  uint64_t right = 0;
  uint64_t wrong = 0;
};

/// Judged pairs of one label, or of one stratum.
struct JudgedPart {
  std::string name;
  uint64_t pairs = 0;
  uint64_t same = 0;           // of them duplicates
  std::vector<FoundOf> found;  // by Findings::named
};

struct Findings {
  Setting best;  // best_setting(), at the standard's level where another one is better by no more than chance
  std::vector<NamedSetting> named;        // the recommended first, then the standard and those asked for; each once
  std::vector<NamedComparison> compared;  // each with the standard, and of those asked for with the first one
  std::vector<JudgedPart> grades;         // of judgements, by label, ascending
  std::vector<JudgedPart> strata;         // of judgements that name more than one
};

/// Cost: a bootstrap for each comparison, and one over all settings; see bootstrap.h.
[[nodiscard]] Findings findings(const Evaluation& evaluation, double least_precision);

}  // namespace neardup::evaluate
