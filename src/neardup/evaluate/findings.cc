#include "neardup/evaluate/findings.h"

#include <algorithm>
#include <cmath>

#include "neardup/evaluate/advice.h"

namespace neardup::evaluate {
namespace {

class Finder {
 public:
  Finder(const Evaluation& evaluation, Setting best) : evaluation_(evaluation) { found_.best = best; }

  Findings find() {
    const size_t best = place_of(found_.best, "recommended"), standard = place_of(evaluation_.standard, "standard");
    std::vector<size_t> asked;
    for (const Setting& setting : evaluation_.asked) asked.push_back(place_of(setting, "asked for"));
    if (evaluation_.sample.num_units() > 0) compare_all(best, standard, asked);
    found_.grades = parts_by([](const JudgedSlice& slice) { return size_t{slice.grade}; });
    name_grades();
    if (evaluation_.strata.size() > 1) name_strata();
    return std::move(found_);
  }

 private:
  size_t place_of(const Setting& setting, const std::string& role) {
    const auto known = std::ranges::find(found_.named, setting, &NamedSetting::setting);
    const auto place = static_cast<size_t>(known - found_.named.begin());
    if (known != found_.named.end()) {
      if (known->role.find(role) == std::string::npos) known->role += ", " + role;
      return place;
    }
    found_.named.push_back({role, setting, figure(Measure::kPrecision, setting), figure(Measure::kRecall, setting),
                            figure(Measure::kF1, setting)});
    return place;
  }

  Figure figure(Measure what, const Setting& setting) const {
    Figure made{measure(what, counts_of(evaluation_, setting)), std::nullopt};
    if (evaluation_.sample.num_units() > 0)
      made.interval = interval(what, evaluation_.sample, evaluation_.index_of(setting));
    return made;
  }

  void compare_all(size_t best, size_t standard, const std::vector<size_t>& asked) {
    if (best != standard) add(best, standard, true);
    for (const size_t place : asked) add(place, standard, false);
    for (const size_t place : asked) add(place, asked.front(), false);
  }

  void add(size_t a, size_t b, bool is_chosen) {
    const auto is_same = [a, b](const NamedComparison& done) {
      return (done.a == a && done.b == b) || (done.a == b && done.b == a);
    };
    if (a == b || std::ranges::any_of(found_.compared, is_same)) return;
    const size_t ours = evaluation_.index_of(found_.named[a].setting);
    const size_t theirs = evaluation_.index_of(found_.named[b].setting);
    found_.compared.push_back({a, b,
                               is_chosen ? compare_best(evaluation_.sample, ours, theirs, tried())
                                         : compare(evaluation_.sample, ours, theirs)});
  }

  // What best_setting() chooses among.
  [[nodiscard]] std::vector<size_t> tried() const {
    std::vector<size_t> tried;
    for (size_t level = 0; level < evaluation_.levels.size(); ++level)
      for (size_t rule = 0; rule < evaluation_.rules.size(); ++rule)
        if (is_recommendable(evaluation_, {level, rule})) tried.push_back(evaluation_.index_of({level, rule}));
    return tried;
  }

  template <class KeyOf>
  std::vector<JudgedPart> parts_by(KeyOf&& key_of) const {
    std::vector<JudgedPart> parts;
    for (const JudgedSlice& slice : evaluation_.slices) {
      const size_t key = key_of(slice);
      if (key >= parts.size()) parts.resize(key + 1);
      add_slice(slice, parts[key]);
    }
    return parts;
  }

  void add_slice(const JudgedSlice& slice, JudgedPart& part) const {
    part.pairs += slice.pairs;
    part.same += slice.same ? slice.pairs : 0;
    part.found.resize(found_.named.size());
    for (size_t i = 0; i < found_.named.size(); ++i)
      (slice.same ? part.found[i].right : part.found[i].wrong) +=
          slice.found[evaluation_.index_of(found_.named[i].setting)];
  }

  void name_grades() {
    for (size_t grade = 0; grade < found_.grades.size(); ++grade) found_.grades[grade].name = std::to_string(grade);
    std::erase_if(found_.grades, [](const JudgedPart& part) { return part.pairs == 0; });
  }

  void name_strata() {
    found_.strata = parts_by([](const JudgedSlice& slice) { return size_t{slice.stratum}; });
    for (size_t i = 0; i < found_.strata.size(); ++i) found_.strata[i].name = evaluation_.strata[i];
    std::erase_if(found_.strata, [](const JudgedPart& part) { return part.pairs == 0; });
    std::ranges::sort(found_.strata, {}, &JudgedPart::name);
  }

  const Evaluation& evaluation_;
  Findings found_;
};

// Stays with the standard's level where another gains no more than chance: the best of many levels is above the rest by
// chance already.
Setting settle_level(const Evaluation& evaluation, const Setting& best, double least_precision) {
  const Setting usual{evaluation.standard.level, best.rule};
  if (evaluation.sample.num_units() == 0 || best == usual) return best;
  const double precision = evaluation.precision(usual);
  if ((std::isnan(precision) ? 0 : precision) < least_precision) return best;
  const bool is_better =
      compare(evaluation.sample, evaluation.index_of(best), evaluation.index_of(usual)).is_beyond_chance;
  return is_better ? best : usual;
}

}  // namespace

Findings findings(const Evaluation& evaluation, double least_precision) {
  const Setting best = best_setting(evaluation, least_precision);
  return Finder(evaluation, settle_level(evaluation, best, least_precision)).find();
}

}  // namespace neardup::evaluate
