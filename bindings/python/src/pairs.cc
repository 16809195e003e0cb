#include "pairs.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "column.h"
#include "errors.h"
#include "neardup/engine/fingerprints/pairs_of_tables.h"
#include "neardup/engine/fingerprints/pass.h"
#include "numbers.h"
#include "run.h"
#include "text_pass.h"
#include "utf8.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using engine::FingerprintTable;

/// Rows of numbers: value j of row i is data[i * num_columns + j].
template <class Number>
using NumberRows = nb::ndarray<const Number, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// What stands for documents, and what their ids are.
struct PairTable {
  FingerprintTable table = FingerprintTable();
  std::string name;          // for messages
  bool has_own_ids = false;  // else they are the numbers of the rows
};

fingerprint::Record record_of(std::string_view id, std::span<const uint64_t> fingerprints) {
  return {.id = id, .fingerprints = fingerprints, .checksum = {}};
}
fingerprint::Record record_of(std::string_view id, std::span<const uint16_t> signature) {
  return {.id = id, .fingerprints = {}, .checksum = {}, .signature = signature};
}

/// Zeros alone stand for a text that has none: fingerprint() writes them.
template <class Number>
PairTable table_of_numbers(const NumberRows<Number>& rows, const std::string& name) {
  FingerprintTable table;
  const size_t width = rows.shape(1);
  for (size_t row = 0; row < rows.shape(0); ++row) {
    std::span<const Number> values(rows.data() + row * width, width);
    if (std::ranges::all_of(values, [](Number value) { return value == 0; })) values = {};
    value_of(table.add(record_of(std::to_string(row), values)));
  }
  return {std::move(table), name};
}

Result<PairTable> table_of_column(const ColumnRows& rows, const engine::DedupOptions& options, const std::string& name,
                                  const Context& context) {
  PairTable made;
  made.name = name;
  const auto begin = [&](const recipe::Recipe& recipe) {
    const fingerprint::FileHeader header = engine::file_header(recipe);
    made.table = FingerprintTable(header.recipe_id, header.recipe_json);
  };
  const auto take = [&](uint64_t row, fingerprint::Record record) {
    const std::string id = std::to_string(row);
    record.id = id;
    return made.table.add(record);
  };
  NEARDUP_TRY(run_text_pass(rows, options, context, {begin, take}));
  return made;
}

PairTable table_of_texts(const Column& texts, const MatchingWords& words, uint64_t memory, int threads,
                         const std::string& name, const nb::object& progress) {
  const engine::DedupOptions options = options_for_values(words, memory, threads);
  const ColumnRows rows(texts);
  return run_for<PairTable>(progress,
                            [&](const Context& context) { return table_of_column(rows, options, name, context); });
}

PairTable table_of_file(const std::string& path, uint64_t memory, const nb::object& progress) {
  return run_for<PairTable>(progress, [&](const Context& context) -> Result<PairTable> {
    NEARDUP_ASSIGN(FingerprintTable table, FingerprintTable::load(path, context, memory));
    return PairTable{std::move(table), path, true};
  });
}

/// The ids of one side of the pairs.
class IdColumn {
 public:
  explicit IdColumn(bool has_own_ids) : has_own_ids_(has_own_ids) {}
  void add(std::string_view id) {
    if (has_own_ids_) return texts_.emplace_back(id), void();
    int64_t row = 0;
    std::from_chars(id.data(), id.data() + id.size(), row);
    rows_.push_back(row);
  }
  /// Returns a list of str, or the bytes of int64.
  [[nodiscard]] nb::object column() const {
    if (!has_own_ids_) return bytes_of(rows_);
    nb::list ids;
    for (const std::string& id : texts_) ids.append(str_of(id));
    return ids;
  }

 private:
  bool has_own_ids_;
  std::vector<std::string> texts_;
  std::vector<int64_t> rows_;
};

class PairColumns final : public engine::PairReceiver {
 public:
  PairColumns(bool left_has_ids, bool right_has_ids) : a_(left_has_ids), b_(right_has_ids) {}
  Status add(std::string_view a, std::string_view b, int distance) override {
    add_ids(a, b);
    distance_.push_back(distance);
    return {};
  }
  Status add(std::string_view a, std::string_view b, float similarity, float error) override {
    add_ids(a, b);
    similarity_.push_back(similarity);
    error_.push_back(error);
    return {};
  }
  Status finish() override { return {}; }

  /// Returns a, b, and the bytes of distance (int32), similarity and error (float32), of which some are empty.
  [[nodiscard]] nb::tuple columns() const {
    return nb::make_tuple(a_.column(), b_.column(), bytes_of(distance_), bytes_of(similarity_), bytes_of(error_));
  }

 private:
  void add_ids(std::string_view a, std::string_view b) {
    a_.add(a);
    b_.add(b);
  }

  IdColumn a_, b_;
  std::vector<int32_t> distance_;
  std::vector<float> similarity_, error_;
};

std::optional<cluster::ClusterKind> clusters_of(const std::string& word) {
  if (word == "none") return {};
  if (const auto kind = engine::cluster_kind_from_string(word)) return *kind;
  raise({Code::kInvalidArgument, "clusters is none, star or components, not \"" + word + "\""});
}

void check_pair_distance(std::optional<int> distance) {
  engine::DedupOptions options;
  options.distance = distance;
  value_of(engine::check_distance(options));
}

nb::tuple find_pairs(const PairTable& left, const PairTable* right, std::optional<int> distance,
                     const std::string& verify, const std::string& clusters, uint64_t memory, int threads,
                     const nb::object& progress) {
  engine::TablePairs job{.names = {left.name, right == nullptr ? "" : right->name},
                         .left = left.table,
                         .right = right == nullptr ? nullptr : &right->table};
  job.max_distance = distance;
  check_pair_distance(distance);
  if (!verify.empty()) job.rule = value_of(verify::rule_from_string(verify));
  job.clusters = clusters_of(clusters);
  job.memory_bytes = memory;
  job.num_threads = threads;
  PairColumns columns(left.has_own_ids, (right == nullptr ? left : *right).has_own_ids);
  run_beside(progress, [&](const Context& context) {
    job.context = context;
    return engine::find_table_pairs(job, columns);
  });
  return columns.columns();
}

}  // namespace

void define_pairs(nb::module_& module) {
  nb::class_<PairTable>(module, "PairTable")
      .def("__len__", [](const PairTable& self) { return self.table.size(); })
      .def_prop_ro("is_of_signatures", [](const PairTable& self) { return self.table.num_values() > 0; });
  module.def("table_of_fingerprints", &table_of_numbers<uint64_t>, nb::arg("rows"), nb::arg("name"));
  module.def("table_of_signatures", &table_of_numbers<uint16_t>, nb::arg("rows"), nb::arg("name"));
  module.def("table_of_texts", &table_of_texts, nb::arg("texts"), nb::arg("matching"), nb::arg("memory"),
             nb::arg("threads"), nb::arg("name"), nb::arg("progress").none());
  module.def("table_of_file", &table_of_file, nb::arg("path"), nb::arg("memory"), nb::arg("progress").none());
  module.def("find_pairs", &find_pairs, nb::arg("left"), nb::arg("right").none(), nb::arg("distance").none(),
             nb::arg("verify"), nb::arg("clusters"), nb::arg("memory"), nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace neardup::python
