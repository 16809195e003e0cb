// A text becomes a row: checksum, sketch, and a body with all that comparing takes, so that texts are read once. Bodies
// are those of a store's records, behind the fingerprints; they travel in blocks of many, of which some are taken out.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "errors.h"
#include "neardup/base/bytes.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/online/matcher.h"
#include "neardup/engine/online/text_maker.h"
#include "neardup/engine/online/text_record.h"
#include "neardup/verify/commonness_parts.h"
#include "neardup/verify/distinct_ngrams.h"
#include "spark.h"
#include "spark_columns.h"
#include "spark_sketch.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

/// What was made of a text, as it was written. Valid until the next read().
class Body {
 public:
  Status read(std::string_view bytes, uint64_t number) {
    ByteReader reader(bytes);
    fingerprints_.clear();
    reader.numbers(fingerprints_);
    if (!reader.ok()) return damaged_on_the_way();
    // No two are equal texts: these were told by their checksums.
    store::Record record = {};
    record.checksum = {0, number};
    record.fingerprints = fingerprints_;
    record.body = reader.rest();
    return record_.read(record);
  }
  [[nodiscard]] const engine::PairSide& side() const { return record_.side(); }

 private:
  std::vector<uint64_t> fingerprints_;
  engine::TextRecord record_;
};

std::string body_of(const engine::PairSide& side) {
  std::string body;
  append_numbers(body, side.fingerprints);
  engine::append_body(body, side, engine::RecordsKept::kTokens, {});
  return body;
}

/// Makes rows of texts, and of each batch of them a block: the bodies, in the order of the rows, each behind 8 bytes of
/// its checksum.
class SparkTexts {
 public:
  SparkTexts(const MatchingWords& words, uint64_t memory_bytes)
      : matcher_(std::make_unique<engine::Matcher>(spark_matcher_of(words, memory_bytes))),
        maker_(std::make_unique<engine::TextMaker>(*matcher_)),
        loan_(value_of(maker_->lend())) {}

  nb::dict make(const Column& texts) {
    Rows rows;
    for (uint64_t row = 0; row < texts.size(); ++row) add(bytes_at(texts, row), rows);
    BinaryOut block;
    block.add(rows.block);
    nb::dict columns;
    columns["high"] = bytes_of(rows.high);
    columns["low"] = bytes_of(rows.low);
    columns["num_tokens"] = bytes_of(rows.num_tokens);
    columns["sketch"] = rows.sketch.columns();
    columns["block"] = block.columns();
    return columns;
  }

 private:
  struct Rows {
    std::vector<uint64_t> high, low;
    std::vector<int32_t> num_tokens;
    BinaryOut sketch;
    std::string block;
  };

  void add(std::string_view text, Rows& rows) {
    const engine::MadeText& made = loan_.make(text);
    const engine::PairSide side = made.side();
    rows.high.push_back(side.checksum.high);
    rows.low.push_back(side.checksum.low);
    rows.num_tokens.push_back(static_cast<int32_t>(side.tokens.size()));
    rows.sketch.add(sketch_of(side));
    append_little(rows.block, side.checksum.low);
    append_text(rows.block, body_of(side));
  }

  std::unique_ptr<engine::Matcher> matcher_;
  std::unique_ptr<engine::TextMaker> maker_;
  engine::TextMaker::Loan loan_;
};

/// Similar pairs, as columns.
struct SimilarPairs {
  std::vector<int64_t> better, worse;
  std::vector<double> similarity;
  std::vector<int32_t> distance;

  void add(int64_t one, int64_t other, double how_similar, uint32_t how_far) {
    better.push_back(one);
    worse.push_back(other);
    similarity.push_back(how_similar);
    distance.push_back(static_cast<int32_t>(how_far));
  }
  [[nodiscard]] nb::tuple columns() const {
    return nb::make_tuple(bytes_of(better), bytes_of(worse), bytes_of(similarity), bytes_of(distance));
  }
};

/// Compares candidates as dedup does.
class SparkJudge {
 public:
  SparkJudge(const MatchingWords& words, uint64_t memory_bytes)
      : matcher_(std::make_unique<engine::Matcher>(spark_matcher_of(words, memory_bytes))) {}

  nb::tuple compare(const NumberColumn<int64_t>& better, const NumberColumn<int64_t>& worse,
                    const Column& better_bodies, const Column& worse_bodies) {
    SimilarPairs pairs;
    for (uint64_t row = 0; row < better_bodies.size(); ++row) {
      value_of(better_.read(bytes_at(better_bodies, row), 0));
      value_of(worse_.read(bytes_at(worse_bodies, row), 1));
      compare_one(better.data()[row], worse.data()[row], pairs);
    }
    return pairs.columns();
  }

 private:
  void compare_one(int64_t better, int64_t worse, SimilarPairs& pairs) const {
    const engine::Decision& decision = matcher_->decision;
    const engine::PairSide &a = better_.side(), &b = worse_.side();
    const engine::PairRoute route = decision.route(a, b);
    if (route == engine::PairRoute::kTooShort) return;
    const engine::Meeting meeting = decision.meet(route, a, b);
    if (!meeting.are_candidates) return;
    const verify::Verdict verdict = decision.compare(route, a, b);
    if (verdict.similar) pairs.add(better, worse, engine::shown_similarity(verdict.similarity), meeting.distance);
  }

  std::unique_ptr<engine::Matcher> matcher_;
  Body better_, worse_;
};

/// Counts of so many entries (4 bytes each) are held before they are handed over.
constexpr size_t kMostWaiting = size_t{1} << 24;

/// Returns pieces of counts as a list of (section, bytes).
nb::list list_of(const std::vector<verify::CommonnessPart::Piece>& pieces) {
  nb::list list;
  for (const auto& piece : pieces)
    list.append(nb::make_tuple(piece.section, nb::bytes(piece.bytes.data(), piece.bytes.size())));
  return list;
}

/// What is asked for of a block: rows, ascending, and what is wanted of each.
struct Wanted {
  enum What : int8_t { kBody = 0, kNotCounted = 1 };
  const NumberColumn<int32_t>& row;
  const NumberColumn<int8_t>& what;
  const NumberColumn<int64_t>&rank, &low;  // low: of the checksum

  [[nodiscard]] bool is_of(size_t entry, int32_t number) const {
    return entry < row.shape(0) && row.data()[entry] == number;
  }
};

/// Reads blocks: counts the n-grams of all texts in them but some, and takes the bodies of some out.
class SparkBlocks {
 public:
  /// `num_counters`: 0 where nothing is counted.
  explicit SparkBlocks(uint64_t num_counters)
      : is_counting_(num_counters > 0), part_(is_counting_ ? num_counters : verify::Commonness::kLeastCounters) {}

  /// Reads the block in a row of `blocks`. Returns (ranks, bodies) of what is wanted of it. Raises Mismatch
  /// where the rows are not those that were wanted.
  nb::tuple read(const Column& blocks, uint64_t row_of_block, const NumberColumn<int32_t>& row,
                 const NumberColumn<int8_t>& what, const NumberColumn<int64_t>& rank,
                 const NumberColumn<int64_t>& low) {
    const Wanted wanted{row, what, rank, low};
    Taken taken;
    ByteReader reader(bytes_at(blocks, row_of_block));
    size_t entry = 0;
    for (int32_t number = 0; !reader.rest().empty(); ++number) {
      const auto checksum = reader.number<uint64_t>();
      const std::string_view body = reader.text();
      if (!reader.ok()) value_of(damaged_on_the_way());
      bool is_counted = is_counting_;
      for (; wanted.is_of(entry, number); ++entry) {
        check(static_cast<uint64_t>(low.data()[entry]) == checksum);
        if (what.data()[entry] == Wanted::kNotCounted)
          is_counted = false;
        else
          taken.add(rank.data()[entry], body);
      }
      if (is_counted) count(body);
    }
    check(entry == row.shape(0));
    return nb::make_tuple(bytes_of(taken.ranks), taken.bodies.columns());
  }
  [[nodiscard]] bool has_many() const { return part_.num_waiting() >= kMostWaiting; }
  /// Returns the pieces of what was counted since the last call: a list of (section, bytes).
  nb::list take() { return list_of(part_.take()); }
  [[nodiscard]] uint64_t num_texts() const { return num_texts_; }
  [[nodiscard]] uint64_t num_ngrams() const { return num_ngrams_; }

 private:
  struct Taken {
    std::vector<int64_t> ranks;
    BinaryOut bodies;
    void add(int64_t rank, std::string_view body) {
      ranks.push_back(rank);
      bodies.add(body);
    }
  };

  static void check(bool is_as_before) {
    if (!is_as_before)
      raise(
          {Code::kMismatch,
           "the rows of the DataFrame came in another order the second time, after a machine was lost; checkpoint() it "
           "first"});
  }
  void count(std::string_view body) {
    value_of(body_.read(body, 0));
    const auto ngrams = ngrams_.of(body_.side().tokens);
    part_.add(ngrams);
    num_ngrams_ += ngrams.size();
    ++num_texts_;
  }

  const bool is_counting_;
  verify::CommonnessPart part_;
  verify::DistinctNgrams ngrams_;
  Body body_;
  uint64_t num_texts_ = 0, num_ngrams_ = 0;
};

}  // namespace

void define_spark_texts(nb::module_& module) {
  nb::class_<SparkTexts>(module, "SparkTexts")
      .def(nb::init<const MatchingWords&, uint64_t>(), nb::arg("matching"), nb::arg("memory"))
      .def("make", &SparkTexts::make, nb::arg("texts"));
  nb::class_<SparkJudge>(module, "SparkJudge")
      .def(nb::init<const MatchingWords&, uint64_t>(), nb::arg("matching"), nb::arg("memory"))
      .def("compare", &SparkJudge::compare, nb::arg("better"), nb::arg("worse"), nb::arg("better_bodies"),
           nb::arg("worse_bodies"));
  nb::class_<SparkBlocks>(module, "SparkBlocks")
      .def(nb::init<uint64_t>(), nb::arg("num_counters"))
      .def("read", &SparkBlocks::read, nb::arg("blocks"), nb::arg("row_of_block"), nb::arg("row"), nb::arg("what"),
           nb::arg("rank"), nb::arg("low"))
      .def("take", &SparkBlocks::take)
      .def_prop_ro("has_many", &SparkBlocks::has_many)
      .def_prop_ro("num_texts", &SparkBlocks::num_texts)
      .def_prop_ro("num_ngrams", &SparkBlocks::num_ngrams);
}

}  // namespace neardup::python
