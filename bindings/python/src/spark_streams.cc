#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <memory>
#include <string>
#include <vector>

#include "errors.h"
#include "neardup/cluster/bucket_pairs.h"
#include "neardup/cluster/key_parts.h"
#include "neardup/cluster/star_stream.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/verify/commonness_parts.h"
#include "spark.h"
#include "spark_columns.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using cluster::BucketFindings;

/// Pairs become two columns: better, worse.
nb::tuple columns_of_pairs(const std::vector<BucketFindings::Pair>& pairs) {
  std::vector<int64_t> better, worse;
  for (const BucketFindings::Pair& pair : pairs) {
    better.push_back(pair.better);
    worse.push_back(pair.worse);
  }
  return nb::make_tuple(bytes_of(better), bytes_of(worse));
}

nb::tuple columns_of_members(const std::vector<cluster::BucketMember>& members) {
  std::vector<int64_t> bucket, rank;
  std::vector<int8_t> state;
  for (const cluster::BucketMember& member : members) {
    bucket.push_back(member.bucket);
    rank.push_back(member.rank);
    state.push_back(static_cast<int8_t>(member.state));
  }
  return nb::make_tuple(bytes_of(bucket), bytes_of(rank), bytes_of(state));
}

/// Batches of what was found have about so many rows, however large a bucket is.
constexpr size_t kRowsOfBatch = size_t{1} << 16;

/// Lists pairs of members, which come one after the other, in batches.
class Listing {
 public:
  explicit Listing(uint32_t limit) : pairs_(limit) {}

  /// Takes members of `next(member)`, which returns false at their end, until there are enough findings. Returns
  /// whether there are more.
  template <class Next>
  bool list(const Next& next) {
    findings_ = {};
    of_families_.clear();
    cluster::BucketMember member;
    while (findings_.pairs.size() + findings_.left.size() < kRowsOfBatch) {
      if (!has_more_) {
        if (!next(member)) return false;
        pairs_.add(member);
        is_of_families_ = static_cast<int8_t>(member.bucket & 1);
      }
      has_more_ = pairs_.list(kRowsOfBatch, findings_);
      of_families_.resize(findings_.unseen.size(), is_of_families_);
    }
    return true;
  }
  /// Returns (pairs, unseen, left). Behind what is unseen stands whether it is so in a bucket of families: one whose
  /// number is odd.
  [[nodiscard]] nb::tuple found() const {
    return nb::make_tuple(columns_of_pairs(findings_.pairs),
                          columns_of_pairs(findings_.unseen) + nb::make_tuple(bytes_of(of_families_)),
                          columns_of_members(findings_.left));
  }

 private:
  cluster::BucketPairs pairs_;
  BucketFindings findings_;
  std::vector<int8_t> of_families_;  // of each row of findings_.unseen
  int8_t is_of_families_ = 0;        // the bucket of the last member
  bool has_more_ = false;
};

/// Lists the pairs of batches of members, sorted by bucket and rank.
class SparkBuckets {
 public:
  explicit SparkBuckets(uint32_t limit) : listing_(limit) {}

  /// Goes on at `row`, 0 for a new batch. Returns (row to go on at, whether there is more, *found()).
  nb::object next(const NumberColumn<int64_t>& buckets, const NumberColumn<int64_t>& ranks,
                  const NumberColumn<int8_t>& states, size_t row) {
    const bool has_more = listing_.list([&](cluster::BucketMember& member) {
      if (row == ranks.shape(0)) return false;
      member = {buckets.data()[row], ranks.data()[row], static_cast<cluster::MemberState>(states.data()[row])};
      ++row;
      return true;
    });
    return nb::make_tuple(row, has_more) + listing_.found();
  }

 private:
  Listing listing_;
};

/// Lists the pairs of parts of keys.
class SparkKeyBuckets {
 public:
  explicit SparkKeyBuckets(uint32_t limit) : listing_(limit) {}

  void add(const nb::bytes& piece) { value_of(part_.add({piece.c_str(), piece.size()})); }
  /// To be called when all pieces of a part are added, before next().
  void sort() { part_.sort(); }
  /// Returns (whether there is more, *found()).
  nb::object next() {
    const bool has_more = listing_.list([this](cluster::BucketMember& member) { return part_.next(member); });
    return nb::make_tuple(has_more) + listing_.found();
  }

 private:
  cluster::KeyPart part_;
  Listing listing_;
};

nb::tuple columns_of_fates(const std::vector<cluster::StarFate>& fates) {
  std::vector<int64_t> rank, kept;
  std::vector<int8_t> kind;
  std::vector<double> similarity;
  std::vector<int32_t> distance;
  for (const cluster::StarFate& fate : fates) {
    rank.push_back(fate.rank);
    kind.push_back(static_cast<int8_t>(fate.kind));
    kept.push_back(fate.kept);
    similarity.push_back(fate.similarity);
    distance.push_back(fate.distance);
  }
  return nb::make_tuple(bytes_of(rank), bytes_of(kind), bytes_of(kept), bytes_of(similarity), bytes_of(distance));
}

nb::tuple fates_of_pairs(cluster::StarStream& self, const NumberColumn<int64_t>& better,
                         const NumberColumn<int64_t>& worse, const NumberColumn<int8_t>& is_unseen,
                         const NumberColumn<double>& similarity, const NumberColumn<int32_t>& distance) {
  std::vector<cluster::StarFate> fates;
  for (size_t row = 0; row < worse.shape(0); ++row)
    self.add({better.data()[row], worse.data()[row], is_unseen.data()[row] != 0, similarity.data()[row],
              distance.data()[row]},
             fates);
  return columns_of_fates(fates);
}

/// Saves the counters of all sections, in their order.
void save_commonness(const std::string& path, const nb::list& sections, uint64_t num_texts, uint64_t num_ngrams) {
  std::vector<uint8_t> counters;
  for (const nb::handle section : sections) {
    const auto bytes = nb::cast<nb::bytes>(section);
    counters.insert(counters.end(), bytes.c_str(), bytes.c_str() + bytes.size());
  }
  const auto table = value_of(verify::Commonness::of_counters(counters, num_texts, num_ngrams));
  value_of(table->save(path));
}

}  // namespace

void define_spark_streams(nb::module_& module) {
  nb::class_<SparkBuckets>(module, "SparkBuckets")
      .def(nb::init<uint32_t>(), nb::arg("limit"))
      .def("next", &SparkBuckets::next, nb::arg("buckets"), nb::arg("ranks"), nb::arg("states"), nb::arg("row"));
  nb::class_<SparkKeyBuckets>(module, "SparkKeyBuckets")
      .def(nb::init<uint32_t>(), nb::arg("limit"))
      .def("add", &SparkKeyBuckets::add, nb::arg("piece"))
      .def("sort", &SparkKeyBuckets::sort)
      .def("next", &SparkKeyBuckets::next);
  nb::class_<cluster::StarStream>(module, "StarStream")
      .def(nb::init<>())
      .def("add", &fates_of_pairs, nb::arg("better"), nb::arg("worse"), nb::arg("is_unseen"), nb::arg("similarity"),
           nb::arg("distance"))
      .def("finish", [](cluster::StarStream& self) {
        std::vector<cluster::StarFate> fates;
        self.finish(fates);
        return columns_of_fates(fates);
      });
  module.def("num_counters", [](uint64_t num_tokens, uint64_t memory_bytes) {
    return verify::Commonness::num_counters_for(
        num_tokens, engine::MemoryPlan(memory_bytes).bytes_of(engine::MemoryUse::kCommonness));
  });
  nb::class_<verify::CommonnessSection>(module, "CommonnessSection")
      .def(nb::init<uint64_t>(), nb::arg("num_counters"))
      .def("add",
           [](verify::CommonnessSection& self, const nb::bytes& piece) {
             value_of(self.add({piece.c_str(), piece.size()}));
           })
      .def("counters", [](const verify::CommonnessSection& self) { return bytes_of(self.counters()); });
  module.attr("NUM_SECTIONS") = verify::kCommonnessSections;
  module.def("save_commonness", &save_commonness, nb::arg("path"), nb::arg("sections"), nb::arg("num_texts"),
             nb::arg("num_ngrams"));
}

}  // namespace neardup::python
