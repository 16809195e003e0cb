#include "report.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/report/render.h"
#include "neardup/report/shortened.h"
#include "neardup/report/warnings.h"
#include "numbers.h"
#include "words.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

// "rows:17" -> 16; "references:3" -> -3.
int64_t row_of_id(std::string_view id) {
  const size_t colon = id.rfind(':');
  int64_t number = 0;
  if (colon != id.npos) std::from_chars(id.data() + colon + 1, id.data() + id.size(), number);
  return id.starts_with("references:") ? -number : number - 1;
}

// Which rows the report shows: bytes of int64, those of references from -1 down.
nb::bytes shown_rows(report::Report& report) {
  std::vector<int64_t> rows;
  report::for_each_id(report, [&](std::string& id) { rows.push_back(row_of_id(id)); });
  return bytes_of(rows);
}

// With `ids` in their place. Under the GIL: what folds the words of examples is for one thread.
std::string page_of(report::Report report, const std::vector<std::string>& ids) {
  size_t next = 0;
  report::for_each_id(report, [&](std::string& id) {
    if (next < ids.size()) id = ids[next++];
  });
  return report::to_html(report);
}

// The row of the kept document that a warning may name; none where no cluster is there.
std::optional<int64_t> largest_kept_row(const report::Report& report) {
  if (report.largest_clusters.empty()) return {};
  return row_of_id(report.largest_clusters[0].kept_id);
}

// What there is to warn of, in the words of a result in memory: its rows have ids that only Python knows.
std::vector<std::string> warnings_of_rows(report::Report report, const std::string& kept_id, uint64_t num_repeated,
                                          const std::vector<std::string>& repeated) {
  if (!report.largest_clusters.empty()) report.largest_clusters[0].kept_id = kept_id;
  report.num_duplicate_ids = num_repeated;
  report.duplicate_id_examples = repeated;
  report.rejections.clear();  // there is one reason: a row has no text
  report.rejected_example.clear();
  std::vector<std::string> warnings;
  for (const std::string& warning : report::all_warnings(report)) warnings.push_back(in_words_of_rows(warning));
  return warnings;
}

}  // namespace

void define_report(nb::module_& module) {
  nb::class_<report::Report>(module, "RunReport")
      .def("shown_rows", &shown_rows)
      .def("largest_kept_row", &largest_kept_row)
      .def("warnings", &warnings_of_rows, nb::arg("kept_id"), nb::arg("num_repeated"), nb::arg("repeated"))
      .def("shortened", [](const report::Report& report) { return report::shortened(report); })
      .def(
          "html",
          [](const report::Report& report, const std::vector<std::string>& ids) { return page_of(report, ids); },
          nb::arg("ids"));
}

}  // namespace neardup::python
