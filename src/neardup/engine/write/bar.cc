#include "neardup/engine/write/bar.h"

#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/write/lists.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/short_texts.h"

namespace neardup::engine {
namespace {

using Kind = verify::Rule::Kind;

// Outcomes hold floats: what was rounded to below the bar was not.
constexpr double kRounding = 1e-6;

double lowest(const verify::Rule& rule) {
  return rule.kind == Kind::kContent ? verify::kContentThreshold : verify::lowest_threshold(rule);
}

}  // namespace

std::vector<report::Threshold> thresholds_of(const verify::Rule& rule, bool has_short_texts) {
  if (rule.kind == Kind::kNone) return {};
  std::vector<report::Threshold> thresholds = {{lowest(rule), ""}};
  if (rule.kind == Kind::kOrigin) thresholds.push_back({verify::threshold_of(rule, 0), "texts of few words"});
  if (has_short_texts && verify::looks_at_characters(rule))
    thresholds.push_back({verify::kShortTextSimilarity, "short texts, by their characters"});
  return thresholds;
}

bool is_just_above(const Documents& documents, const Outcome& outcome, const verify::Rule& rule, uint32_t document) {
  const DocumentFate& fate = outcome.fates[document];
  if (rule.kind == Kind::kNone || fate.fate != Fate::kNear) return false;
  if (lowest(rule) + kJustAbove >= 1) return false;  // all that there can be
  const double above = fate.similarity - lowest(rule);
  return above > -kRounding && above < kJustAbove && !by_characters(documents, document, fate.kept);
}

}  // namespace neardup::engine
