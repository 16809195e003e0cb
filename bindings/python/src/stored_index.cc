// An index in a folder, asked by the tasks of Spark: fingerprints or texts in, rows of matches out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "column.h"
#include "errors.h"
#include "neardup/api/options_of.h"
#include "neardup/base/hash.h"
#include "neardup/engine/index/actions.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/store/index_directory.h"
#include "spark.h"
#include "spark_columns.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

/// The queries of a batch that have fingerprints, side by side, and the rows that they are.
struct Queries {
  std::vector<fingerprint::Fingerprint> fingerprints;
  std::vector<int32_t> rows;
};

/// The answers of a batch: rows ascend, those of one row by distance, then in the order in which they were stored.
struct AnswerColumns {
  std::vector<int32_t> row, distance;
  BinaryOut id;

  [[nodiscard]] nb::tuple columns() const { return nb::make_tuple(bytes_of(row), id.columns(), bytes_of(distance)); }
};

/// Reads an index as it was at the last flush before it was opened.
class StoredIndex {
 public:
  /// `verify`: every byte is checked.
  StoredIndex(const std::string& folder, bool verify) : index_(value_of(open(folder, verify))) {}

  [[nodiscard]] int max_distance() const { return index_.settings().max_distance; }
  [[nodiscard]] uint32_t num_columns() const { return index_.settings().num_columns; }
  [[nodiscard]] uint64_t size() const { return index_.manifest().num_documents; }
  /// Stands for what is stored: no other content has it.
  [[nodiscard]] std::string identity() const { return to_hex(hash64(store::to_bytes(index_.manifest()))); }

  /// Makes what fingerprints texts as those that are stored were. `idf`: of a recipe that weighs words by their
  /// rarity, the file that it was made with.
  void take_texts(const std::string& idf) {
    recipe::Recipe recipe = value_of(engine::recipe_of(index_.settings()));
    auto weights = value_of(idf_of(recipe, idf));
    fingerprinter_.emplace(value_of(recipe::Fingerprinter::create(recipe, std::move(weights))));
  }

  /// Asks for the neighbours of each row of `fingerprints`, num_columns() of each side by side. Rows of zeros ask for
  /// nothing: they stand for no text.
  nb::tuple of_fingerprints(const NumberColumn<uint64_t>& fingerprints, int distance) const {
    Queries queries;
    const size_t width = num_columns();
    for (size_t row = 0; width > 0 && row < fingerprints.shape(0) / width; ++row) {
      const std::span<const uint64_t> values(fingerprints.data() + row * width, width);
      if (std::ranges::any_of(values, [](uint64_t value) { return value != 0; })) add(row, values, queries);
    }
    return answer(queries, distance);
  }
  /// The same of texts, after take_texts().
  nb::tuple of_texts(const Column& texts, int distance) {
    Queries queries;
    for (uint64_t row = 0; row < texts.size(); ++row) {
      corpus::Arena unused;
      const auto text = texts.text(row, unused);
      if (!text) continue;
      fingerprinter_->fingerprint(*text, made_);
      if (made_.has_features) add(row, made_.fingerprints, queries);
    }
    return answer(queries, distance);
  }

 private:
  static Result<engine::FingerprintIndex> open(const std::string& folder, bool verify) {
    store::DirectoryOptions options = engine::index_options(1, 0, {});
    options.verify = verify;
    return engine::FingerprintIndex::open_to_read(folder, options);
  }
  static void add(uint64_t row, std::span<const fingerprint::Fingerprint> values, Queries& queries) {
    queries.rows.push_back(static_cast<int32_t>(row));
    queries.fingerprints.insert(queries.fingerprints.end(), values.begin(), values.end());
  }
  nb::tuple answer(const Queries& queries, int distance) const {
    AnswerColumns answers;
    index_.query(queries.fingerprints, distance, [&](size_t i, std::span<const store::Neighbour> neighbours) {
      for (const store::Neighbour& each : neighbours) {
        answers.row.push_back(queries.rows[i]);
        answers.id.add(index_.id(each.document));
        answers.distance.push_back(each.distance);
      }
    });
    return answers.columns();
  }

  engine::FingerprintIndex index_;
  std::optional<recipe::Fingerprinter> fingerprinter_;
  recipe::TextFingerprint made_;
};

}  // namespace

void define_stored_index(nb::module_& module) {
  nb::class_<StoredIndex>(module, "StoredIndex")
      .def(nb::init<const std::string&, bool>(), nb::arg("folder"), nb::arg("verify"))
      .def("__len__", &StoredIndex::size)
      .def_prop_ro("max_distance", &StoredIndex::max_distance)
      .def_prop_ro("num_columns", &StoredIndex::num_columns)
      .def_prop_ro("identity", &StoredIndex::identity)
      .def("take_texts", &StoredIndex::take_texts, nb::arg("idf"))
      .def("of_fingerprints", &StoredIndex::of_fingerprints, nb::arg("fingerprints"), nb::arg("distance"))
      .def("of_texts", &StoredIndex::of_texts, nb::arg("texts"), nb::arg("distance"));
}

}  // namespace neardup::python
