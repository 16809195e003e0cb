#include "lines.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "column.h"
#include "errors.h"
#include "neardup/api/lines.h"
#include "numbers.h"
#include "run.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

/// Returns the lines of a column, in its memory or in `room`. Errors: kInvalidArgument naming a row without one.
Result<std::vector<std::string_view>> lines_of(const Column& column, const std::string& name, corpus::Arena& room) {
  std::vector<std::string_view> lines;
  lines.reserve(column.size());
  for (uint64_t row = 0; row < column.size(); ++row) {
    const std::optional<std::string_view> line = column.text(row, room);
    if (!line) return fail(Code::kInvalidArgument, "row " + std::to_string(row) + " of " + name + " has no text");
    lines.push_back(*line);
  }
  return lines;
}

nb::dict dict_of(const LineCounts& counts) {
  nb::dict out;
  out["read"] = counts.read;
  out["kept"] = counts.kept;
  out["removed"] = counts.removed;
  out["minus"] = counts.minus;
  out["without_key"] = counts.without_key;
  out["similar"] = counts.similar;
  return out;
}

/// (row, row of the one that stays, whether that is one of minus, similarity) of each.
nb::list list_of(const std::vector<SimilarLine>& similar) {
  nb::list out;
  for (const SimilarLine& line : similar)
    out.append(nb::make_tuple(line.line, line.duplicate_of, line.of_minus, line.similarity));
  return out;
}

/// Returns the rows that stay and how often each comes, as the bytes of int64, similar ones, and counts.
nb::tuple unique_texts(const Column& texts, const Column* minus, const LineRules& rules, uint64_t memory, int threads,
                       const nb::object& progress) {
  const auto unique = run_for<UniqueLines>(progress, [&](const Context& context) -> Result<UniqueLines> {
    corpus::Arena room;
    NEARDUP_ASSIGN(const auto lines, lines_of(texts, "data", room));
    std::vector<std::string_view> others;
    if (minus != nullptr) {
      NEARDUP_ASSIGN(others, lines_of(*minus, "minus", room));
    }
    return unique_lines(lines, {.rules = rules, .minus = others, .memory_bytes = memory, .num_threads = threads},
                        context);
  });
  const std::vector<int64_t> rows(unique.kept.begin(), unique.kept.end());
  const std::vector<int64_t> times(unique.times.begin(), unique.times.end());
  return nb::make_tuple(bytes_of(rows), bytes_of(times), list_of(unique.similar), dict_of(unique.counts));
}

nb::dict unique_files(std::vector<std::string> inputs, std::vector<std::string> minus, std::string output,
                      std::string duplicates, const LineRules& rules, bool count, bool zero_terminated,
                      std::string compression, bool overwrite, uint64_t memory, int threads,
                      const nb::object& progress) {
  const LineFiles files{.inputs = std::move(inputs),
                        .minus = std::move(minus),
                        .output = std::move(output),
                        .duplicates = std::move(duplicates),
                        .rules = rules,
                        .count = count,
                        .zero_terminated = zero_terminated,
                        .compression = std::move(compression),
                        .overwrite = overwrite,
                        .memory_bytes = memory,
                        .num_threads = threads};
  return dict_of(run_for<LineCounts>(progress, [&](const Context& context) { return unique_lines(files, context); }));
}

}  // namespace

void define_lines(nb::module_& module) {
  nb::class_<LineRules>(module, "LineRules")
      .def(nb::init<>())
      .def_rw("ignore_case", &LineRules::ignore_case)
      .def_rw("ignore_space", &LineRules::ignore_space)
      .def_rw("ignore_punctuation", &LineRules::ignore_punctuation)
      .def_rw("field", &LineRules::field)
      .def_rw("delimiter", &LineRules::delimiter)
      .def_rw("regex", &LineRules::regex)
      .def_rw("similar", &LineRules::similar)
      .def_rw("verify", &LineRules::verify)
      .def_rw("fast", &LineRules::fast)
      .def_rw("only", &LineRules::only)
      .def_rw("order", &LineRules::order);
  module.def("unique_texts", &unique_texts, nb::arg("texts"), nb::arg("minus").none(), nb::arg("rules"),
             nb::arg("memory"), nb::arg("threads"), nb::arg("progress").none());
  module.def("unique_files", &unique_files, nb::arg("inputs"), nb::arg("minus"), nb::arg("output"),
             nb::arg("duplicates"), nb::arg("rules"), nb::arg("count"), nb::arg("zero_terminated"),
             nb::arg("compression"), nb::arg("overwrite"), nb::arg("memory"), nb::arg("threads"),
             nb::arg("progress").none());
}

}  // namespace neardup::python
