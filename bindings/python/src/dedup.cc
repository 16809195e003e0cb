#include "dedup.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "column.h"
#include "column_rows.h"
#include "errors.h"
#include "matching.h"
#include "neardup/api/dedup.h"
#include "neardup/api/options_of.h"
#include "neardup/base/sizes.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/run/dedup_documents.h"
#include "neardup/report/report.h"
#include "numbers.h"
#include "run.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

/// How much a call may take.
struct Limits {
  uint64_t memory = 0;
  int threads = 0;
};

/// The fates as columns: their bytes, for Python to make of them what the caller works with.
nb::dict columns_of(const engine::RowFates& fates) {
  std::vector<uint8_t> kind, of_reference;
  std::vector<int64_t> duplicate_of, cluster;
  std::vector<int32_t> distance;
  std::vector<double> similarity;
  for (const engine::RowFate& row : fates.rows) {
    kind.push_back(static_cast<uint8_t>(row.kind));
    of_reference.push_back(row.of_reference ? 1 : 0);
    duplicate_of.push_back(static_cast<int64_t>(row.duplicate_of));
    cluster.push_back(row.cluster == engine::RowFate::kNoCluster ? -1 : int64_t{row.cluster});
    distance.push_back(row.distance ? int32_t{*row.distance} : -1);
    similarity.push_back(engine::shown_similarity(row.similarity));
  }
  nb::dict columns;
  columns["kind"] = bytes_of(kind);
  columns["of_reference"] = bytes_of(of_reference);
  columns["duplicate_of"] = bytes_of(duplicate_of);
  columns["cluster"] = bytes_of(cluster);
  columns["distance"] = bytes_of(distance);
  columns["similarity"] = bytes_of(similarity);
  return columns;
}

/// For each value of the column that the report counts for: what was read, and what became of it.
nb::list groups_of(const report::Report& report) {
  nb::list groups;
  for (const report::Tally& tally : report.by_group) {
    nb::dict group;
    group["value"] = tally.name;
    group["read"] = tally.read;
    group["kept"] = tally.kept;
    group["exact"] = tally.exact;
    group["near"] = tally.near;
    if (report.contained) group["contained"] = tally.contained;
    group["rejected"] = tally.rejected;
    groups.append(group);
  }
  return groups;
}

/// What a call asks for beside what makes two texts duplicates, in the words of Python.
struct Asked {
  std::string keep, cluster;
  double contained = 0;                    // 0: nothing is asked
  std::string within;                      // a column or field; empty: all are compared
  std::string group_key;                   // likewise, for which the report counts
  std::optional<double> size_within = {};  // a share
};

engine::DedupOptions options_of_rows(const MatchingWords& matching, const Asked& asked, const Limits& limits) {
  engine::DedupOptions options = value_of(options_of(matching_of(matching)));
  value_of(take_choices(asked, options));
  options.read.within_key = asked.within;
  options.read.group_key = asked.group_key;
  options.memory_bytes = limits.memory;
  options.num_threads = limits.threads;
  options.read.max_record_bytes = corpus::kMostRecordBytes;  // they are in memory already
  return options;
}

nb::dict dedup_columns(const Column& texts, const Column* values, const Column* within, const Column* groups,
                       const Column* references, const Column* within_of_references, const MatchingWords& matching,
                       const Asked& asked, const Limits& limits, const std::string& work_folder,
                       const nb::object& progress) {
  const engine::DedupOptions options = options_of_rows(matching, asked, limits);
  const ColumnRows rows(texts, {.values = values, .within = within, .groups = groups});
  std::optional<ColumnRows> others;
  if (references != nullptr) others.emplace(*references, RowColumns{.within = within_of_references});
  report::Report report;
  nb::dict columns = columns_of(run_for<engine::RowFates>(progress, [&](const Context& context) {
    return engine::dedup_documents(rows, others ? &*others : nullptr, options, context, work_folder, &report);
  }));
  columns["groups"] = groups_of(report);
  columns["report"] = std::move(report);
  return columns;
}

nb::dict dedup_paths(const DedupFiles& files, const nb::object& progress) {
  const auto counts =
      run_for<DedupCounts>(progress, [&](const Context& context) { return dedup_files(files, context); });
  warn(counts.warnings);
  nb::dict out;
  out["read"] = counts.read;
  out["kept"] = counts.kept;
  out["exact"] = counts.exact;
  out["near"] = counts.near;
  if (files.contained != 0) out["contained"] = counts.contained;
  out["rejected"] = counts.rejected;
  out["clusters"] = counts.clusters;
  out["added"] = counts.added;
  return out;
}

}  // namespace

void define_dedup(nb::module_& module) {
  nb::class_<Limits>(module, "Limits")
      .def(
          "__init__",
          [](Limits* self, uint64_t memory, int threads) {
            new (self) Limits{memory, threads};
          },
          nb::arg("memory"), nb::arg("threads"));
  nb::class_<Asked>(module, "Asked")
      .def(
          "__init__",
          [](Asked* self, std::string keep, std::string cluster, double contained, std::string within,
             std::string group_key, std::optional<double> size_within) {
            new (self) Asked{std::move(keep),   std::move(cluster),   contained,
                             std::move(within), std::move(group_key), size_within};
          },
          nb::arg("keep"), nb::arg("cluster"), nb::arg("contained"), nb::arg("within"), nb::arg("group_key"),
          nb::arg("size_within").none());
  module.def("bytes_of_size", [](const std::string& size) { return value_of(parse_size(size)); });
  module.def("dedup_columns", &dedup_columns, nb::arg("texts"), nb::arg("values").none(), nb::arg("within").none(),
             nb::arg("groups").none(), nb::arg("references").none(), nb::arg("within_of_references").none(),
             nb::arg("matching"), nb::arg("asked"), nb::arg("limits"), nb::arg("work_folder"),
             nb::arg("progress").none());
  module.def(
      "dedup_files",
      [](std::vector<std::string> inputs, std::vector<std::string> references, std::string into, std::string output,
         const MatchingWords& matching, std::string text, std::string id, std::string table, const Asked& asked,
         bool overwrite, const Limits& limits, const nb::object& progress) {
        return dedup_paths({.inputs = std::move(inputs),
                            .references = std::move(references),
                            .into = std::move(into),
                            .output = std::move(output),
                            .matching = matching_of(matching),
                            .text_key = std::move(text),
                            .id_key = std::move(id),
                            .table = std::move(table),
                            .keep = asked.keep,
                            .cluster = asked.cluster,
                            .contained = asked.contained,
                            .within_key = asked.within,
                            .size_within = asked.size_within,
                            .group_key = asked.group_key,
                            .overwrite = overwrite,
                            .memory_bytes = limits.memory,
                            .num_threads = limits.threads},
                           progress);
      },
      nb::arg("inputs"), nb::arg("references"), nb::arg("into"), nb::arg("output"), nb::arg("matching"),
      nb::arg("text"), nb::arg("id"), nb::arg("table"), nb::arg("asked"), nb::arg("overwrite"), nb::arg("limits"),
      nb::arg("progress").none());
}

}  // namespace neardup::python
