#include "evaluate.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "column_rows.h"
#include "errors.h"
#include "matching.h"
#include "neardup/api/options_of.h"
#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/sizes.h"
#include "neardup/corpus/rows.h"
#include "neardup/engine/evaluate/evaluate.h"
#include "neardup/evaluate/evaluate.h"
#include "neardup/evaluate/evaluation_json.h"
#include "neardup/report/evaluation_page.h"
#include "run.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

/// What is asked of an evaluation beside what makes two texts duplicates.
struct EvaluateWords {
  std::string labels_file;
  int duplicate_from = 1;
  std::string stratum;
  double least_similarity = 0;
  std::vector<std::string> verify;
  std::optional<double> size_within;
  std::string within;  // a column or field; empty: all are compared
  double least_precision = 0;
  uint64_t memory = 0;
  int threads = 0;
};

/// Columns of labelled documents; `groups` and `within` (categories) may be null.
class LabelledRows : public corpus::Rows {
 public:
  LabelledRows(const Column& texts, const Column& ids, const Column* groups, const Column* within)
      : texts_(texts), ids_(ids), groups_(groups), within_(within) {}
  uint64_t size() const override { return texts_.size(); }
  corpus::TextRow row(uint64_t index, corpus::Arena& room) const override {
    const auto text = texts_.text(index, room), id = ids_.text(index, room);
    if (!text || !id) return {.is_missing = true};
    return {.id = *id, .text = *text, .group = cell(groups_, index, room), .within = cell(within_, index, room)};
  }
  uint64_t row_bytes(uint64_t index) const override { return texts_.text_bytes(index) + ids_.text_bytes(index); }

 private:
  const Column& texts_;
  const Column& ids_;
  const Column* groups_;
  const Column* within_;
};

engine::EvaluateOptions options_of_words(const MatchingWords& matching, const EvaluateWords& words) {
  engine::EvaluateOptions options;
  options.run = value_of(options_of(matching_of(matching)));
  options.run.size_within = words.size_within;
  options.run.read.within_key = words.within;
  options.run.memory_bytes = words.memory;
  options.run.num_threads = words.threads;
  options.labels_file = words.labels_file;
  options.duplicate_from = words.duplicate_from;
  options.stratum_key = words.stratum;
  options.least_similarity = words.least_similarity;
  for (const std::string& rule : words.verify) options.asked.push_back(value_of(verify::rule_from_string(rule)));
  return options;
}

/// Returns the JSON and the page of an evaluation in a folder of its own below `work_folder`.
nb::tuple evaluated(engine::EvaluateOptions& options, double least_precision, const std::string& work_folder,
                    const nb::object& progress) {
  value_of(check_share("--least-precision", least_precision));
  const TemporaryFolder folder = value_of(TemporaryFolder::create(work_folder + "/neardup-"));
  options.run.output = folder.path();
  std::string json, page;
  run_beside(progress, [&](const Context& context) -> Status {
    NEARDUP_ASSIGN(const evaluate::Evaluation done, engine::evaluate_recipe(options, context));
    const evaluate::Findings found = evaluate::findings(done, least_precision);
    const std::vector<std::string> advice = evaluate::advice(done, found, least_precision);
    json = evaluate::evaluation_json(done, found, advice);
    page = report::evaluation_html(done, found, advice);
    return {};
  });
  return nb::make_tuple(json, page);
}

nb::tuple evaluate_columns(const Column& texts, const Column& ids, const Column* groups, const Column* within,
                           const std::string& cluster, const MatchingWords& matching, const EvaluateWords& words,
                           const std::string& work_folder, const nb::object& progress) {
  const LabelledRows rows(texts, ids, groups, within);
  engine::EvaluateOptions options = options_of_words(matching, words);
  options.run.read.max_record_bytes = corpus::kMostRecordBytes;  // they are in memory already
  options.cluster_key = cluster;
  options.rows = &rows;
  return evaluated(options, words.least_precision, work_folder, progress);
}

nb::tuple evaluate_files(std::vector<std::string> inputs, const std::string& text, const std::string& id,
                         const std::string& table, const std::string& cluster, const MatchingWords& matching,
                         const EvaluateWords& words, const std::string& work_folder, const nb::object& progress) {
  engine::EvaluateOptions options = options_of_words(matching, words);
  options.run.inputs = std::move(inputs);
  options.run.read.text_key = text;
  options.run.read.id_key = id;
  options.run.read.table = value_of(corpus::parse_dialect(table));
  options.cluster_key = cluster;
  return evaluated(options, words.least_precision, work_folder, progress);
}

}  // namespace

void define_evaluate(nb::module_& module) {
  nb::class_<EvaluateWords>(module, "EvaluateWords")
      .def(
          "__init__",
          [](EvaluateWords* self, std::string labels_file, int duplicate_from, std::string stratum,
             double least_similarity, std::vector<std::string> verify, std::optional<double> size_within,
             std::string within, double least_precision, uint64_t memory, int threads) {
            new (self) EvaluateWords{std::move(labels_file),
                                     duplicate_from,
                                     std::move(stratum),
                                     least_similarity,
                                     std::move(verify),
                                     size_within,
                                     std::move(within),
                                     least_precision,
                                     memory,
                                     threads};
          },
          nb::arg("labels_file"), nb::arg("duplicate_from"), nb::arg("stratum"), nb::arg("least_similarity"),
          nb::arg("verify"), nb::arg("size_within").none(), nb::arg("within"), nb::arg("least_precision"),
          nb::arg("memory"), nb::arg("threads"));
  module.def("evaluate_columns", &evaluate_columns, nb::arg("texts"), nb::arg("ids"), nb::arg("groups").none(),
             nb::arg("within").none(), nb::arg("cluster"), nb::arg("matching"), nb::arg("words"),
             nb::arg("work_folder"), nb::arg("progress").none());
  module.def("evaluate_files", &evaluate_files, nb::arg("inputs"), nb::arg("text"), nb::arg("id"), nb::arg("table"),
             nb::arg("cluster"), nb::arg("matching"), nb::arg("words"), nb::arg("work_folder"),
             nb::arg("progress").none());
}

}  // namespace neardup::python
