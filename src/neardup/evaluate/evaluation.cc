#include "neardup/evaluate/evaluation.h"

namespace neardup::evaluate {

std::string_view level_noun(const Evaluation& evaluation) { return evaluation.is_minhash ? "bands" : "distance"; }

Counts counts_of(const Evaluation& evaluation, const Setting& setting) {
  if (evaluation.is_weighted) return evaluation.sample.total(evaluation.index_of(setting));
  const Cell& found = evaluation.cell(setting);
  return {static_cast<double>(found.right), static_cast<double>(found.wrong), static_cast<double>(evaluation.num_same)};
}

double Evaluation::precision(const Setting& setting) const {
  return measure(Measure::kPrecision, counts_of(*this, setting));
}

double Evaluation::recall(const Setting& setting) const { return measure(Measure::kRecall, counts_of(*this, setting)); }

double Evaluation::f1(const Setting& setting) const { return measure(Measure::kF1, counts_of(*this, setting)); }

}  // namespace neardup::evaluate
