#include "fingerprints.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <vector>

#include "column.h"
#include "errors.h"
#include "matching.h"
#include "neardup/hamming/static_index.h"
#include "neardup/planner/compare_plans.h"
#include "numbers.h"
#include "run.h"
#include "text_pass.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using fingerprint::Fingerprint;
using Numbers = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The values of all rows side by side, `width` of each; zeros where there are none.
struct Values {
  std::vector<uint64_t> fingerprints;
  std::vector<uint16_t> signatures;
  std::vector<uint8_t> has_features;
  size_t width = 0;
};

Values room_for(uint64_t num_rows, const recipe::Recipe& recipe) {
  Values values;
  values.width = std::max(recipe.num_fingerprints(), recipe.num_signature_values());
  values.has_features.resize(num_rows);
  values.fingerprints.resize(num_rows * recipe.num_fingerprints());
  values.signatures.resize(num_rows * recipe.num_signature_values());
  return values;
}

Status fill(Values& values, uint64_t row, const fingerprint::Record& record) {
  const auto at = static_cast<std::ptrdiff_t>(row * values.width);
  std::ranges::copy(record.fingerprints, values.fingerprints.begin() + at);
  std::ranges::copy(record.signature, values.signatures.begin() + at);
  values.has_features[row] = !record.fingerprints.empty() || !record.signature.empty();
  return {};
}

Result<Values> fingerprint_column(const Column& texts, const engine::DedupOptions& options, const Context& context) {
  Values values;
  NEARDUP_TRY(run_text_pass(
      ColumnRows(texts), options, context,
      {.begin = [&](const recipe::Recipe& recipe) { values = room_for(texts.size(), recipe); },
       .take = [&](uint64_t row, const fingerprint::Record& record) { return fill(values, row, record); }}));
  return values;
}

nb::tuple fingerprints(const Column& texts, const MatchingWords& words, uint64_t memory, int threads,
                       const nb::object& progress) {
  const engine::DedupOptions options = options_for_values(words, memory, threads);
  const Values values =
      run_for<Values>(progress, [&](const Context& context) { return fingerprint_column(texts, options, context); });
  const bool is_signature = !values.signatures.empty();
  return nb::make_tuple(is_signature ? bytes_of(values.signatures) : bytes_of(values.fingerprints), values.width,
                        is_signature ? "uint16" : "uint64", bytes_of(values.has_features));
}

/// The answers of many queries, one behind the other: those of query i are [offsets[i], offsets[i + 1]).
struct Answers {
  std::vector<int64_t> offsets, ids;
  std::vector<int32_t> distances;
};

class FingerprintIndex {
 public:
  using Index = hamming::StaticIndex<Fingerprint>;

  FingerprintIndex(const Numbers& numbers, int max_distance, int threads, const nb::object& progress)
      : max_distance_(max_distance), index_(build(numbers, max_distance, threads, progress)) {}

  [[nodiscard]] uint64_t size() const { return index_.size(); }
  [[nodiscard]] uint64_t num_bytes() const { return index_.bytes(); }
  [[nodiscard]] int max_distance() const { return max_distance_; }

  [[nodiscard]] nb::tuple query(const Numbers& numbers, std::optional<int> asked, const nb::object& progress) const {
    const int distance = asked.value_or(max_distance_);
    if (distance < 0 || distance > max_distance_)
      raise({Code::kInvalidArgument, "an index for k = " + std::to_string(max_distance_) +
                                         " cannot be asked for k = " + std::to_string(distance)});
    const std::span<const Fingerprint> queries(numbers.data(), numbers.shape(0));
    const Answers answers =
        run_for<Answers>(progress, [&](const Context& context) { return ask(queries, distance, context); });
    return nb::make_tuple(bytes_of(answers.offsets), bytes_of(answers.ids), bytes_of(answers.distances));
  }

 private:
  static Index build(const Numbers& numbers, int max_distance, int threads, const nb::object& progress) {
    if (max_distance < 0 || max_distance > fingerprint::kMaxDistanceOf<Fingerprint>)
      raise({Code::kInvalidArgument, "k is 0 to 16, not " + std::to_string(max_distance)});
    const std::span<const Fingerprint> fingerprints(numbers.data(), numbers.shape(0));
    return run_for<Index>(progress, [&](const Context& context) {
      return Index::build(fingerprints, {}, planner::default_plan(fingerprints.size(), 64, max_distance),
                          {.num_threads = threads, .context = context});
    });
  }

  // In blocks, so that a long list of queries can be stopped.
  Result<Answers> ask(std::span<const Fingerprint> queries, int distance, const Context& context) const {
    constexpr size_t kBlock = 1 << 14;
    Answers answers;
    answers.offsets.reserve(queries.size() + 1);
    answers.offsets.push_back(0);
    for (size_t first = 0; first < queries.size(); first += kBlock) {
      NEARDUP_TRY(context.check_cancel());
      const auto block = queries.subspan(first, std::min(kBlock, queries.size() - first));
      index_.query_batch(block, distance, [&](size_t i, std::span<const hamming::Match<Fingerprint>> matches) {
        answers.offsets.resize(first + i + 1, static_cast<int64_t>(answers.ids.size()));
        append(matches, answers);
      });
      answers.offsets.resize(first + block.size() + 1, static_cast<int64_t>(answers.ids.size()));
    }
    return answers;
  }

  /// By distance, then by number.
  static void append(std::span<const hamming::Match<Fingerprint>> matches, Answers& answers) {
    std::vector<std::pair<int, int64_t>> sorted;
    for (const auto& match : matches) sorted.emplace_back(match.distance, static_cast<int64_t>(match.document));
    std::ranges::sort(sorted);
    for (const auto& [distance, document] : sorted) {
      answers.ids.push_back(document);
      answers.distances.push_back(distance);
    }
  }

  int max_distance_;
  Index index_;
};

}  // namespace

void define_fingerprints(nb::module_& module) {
  module.def("fingerprints", &fingerprints, nb::arg("texts"), nb::arg("matching"), nb::arg("memory"),
             nb::arg("threads"), nb::arg("progress").none());
  nb::class_<FingerprintIndex>(module, "FingerprintIndex")
      .def(nb::init<const Numbers&, int, int, const nb::object&>(), nb::arg("fingerprints"), nb::arg("k"),
           nb::arg("threads"), nb::arg("progress").none())
      .def("__len__", &FingerprintIndex::size)
      .def_prop_ro("k", &FingerprintIndex::max_distance)
      .def_prop_ro("nbytes", &FingerprintIndex::num_bytes)
      .def("query", &FingerprintIndex::query, nb::arg("fingerprints"), nb::arg("k").none(), nb::arg("progress").none());
}

}  // namespace neardup::python
