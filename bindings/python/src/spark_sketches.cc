// What is found out by sketches alone: which keys documents share, and which of their pairs are worth comparing.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "errors.h"
#include "neardup/base/hash.h"
#include "neardup/cluster/key_parts.h"
#include "neardup/engine/match/band_rule.h"
#include "neardup/engine/match/families.h"
#include "neardup/engine/online/text_record.h"
#include "neardup/join/band_words.h"
#include "neardup/join/bands.h"
#include "spark.h"
#include "spark_columns.h"
#include "spark_sketch.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

/// Two fingerprints that differ in k bits are equal in one of k + 1 blocks of their bits: appends a key for each block.
/// See: Manku, Jain, Das Sarma 2007, section 3.
void append_block_keys(std::vector<uint64_t>& keys, std::span<const fingerprint::Fingerprint> fingerprints,
                       int max_distance) {
  const int blocks = max_distance + 1;
  uint64_t salt = uint64_t{1} << 33;  // apart from the salts of bands
  for (const fingerprint::Fingerprint value : fingerprints)
    for (int block = 0; block < blocks; ++block) {
      const int begin = block * fingerprint::kNumBits / blocks, end = (block + 1) * fingerprint::kNumBits / blocks;
      const uint64_t bits = end - begin == fingerprint::kNumBits
                                ? value
                                : value << (fingerprint::kNumBits - end) >> (fingerprint::kNumBits - end + begin);
      keys.push_back(mix64(mix64(++salt) + bits));
    }
}

// The lowest bit of a key says whether texts of one family share it, too.
constexpr uint64_t kOfFamilies = 1;

enum Meets : uint8_t { kAsFamily = 1, kAsCandidates = 2 };

/// Reads sketches: keys, and pairs that meet.
class SparkSketches {
 public:
  /// `keys`: 0 the keys of candidates, 1 those of families, 2 both.
  SparkSketches(const MatchingWords& words, uint64_t memory_bytes, int keys)
      : has_candidate_keys_(keys != 1),
        matcher_(std::make_unique<engine::Matcher>(spark_matcher_of(words, memory_bytes))) {
    if (keys == 0 || !engine::tells_families(matcher_->recipe)) return;
    families_ = value_of(engine::family_bands(matcher_->recipe.minhash));
    masks_ = std::vector<join::ValueMask>(families_.begin(), families_.end());
  }

  /// Returns the keys of a text, each once, until the next call. A band of families that is one of candidates has one
  /// key: its salt is the same (engine::append_keys()).
  std::span<const uint64_t> keys_of(std::string_view sketch) {
    value_of(better_.read(sketch, 0));
    const engine::PairSide& side = better_.side();
    keys_.clear();
    if (!side.has_features) return keys_;
    if (has_candidate_keys_) append_candidate_keys(side);
    if (!side.signature.empty()) append_family_keys(side.signature);
    // Behind each other: 2n, 2n + 1. The second stands for both.
    std::ranges::sort(keys_, std::greater());
    const auto is_same = [](uint64_t a, uint64_t b) { return (a | kOfFamilies) == (b | kOfFamilies); };
    keys_.erase(std::ranges::unique(keys_, is_same).begin(), keys_.end());
    return keys_;
  }

  /// Returns Meets of each pair, a byte each.
  nb::bytes meet(const Column& better, const Column& worse) {
    std::vector<uint8_t> meets;
    for (uint64_t row = 0; row < better.size(); ++row) {
      value_of(better_.read(bytes_at(better, row), 0));
      value_of(worse_.read(bytes_at(worse, row), 1));
      meets.push_back(meets_of(better_.side(), worse_.side()));
    }
    return bytes_of(meets);
  }

 private:
  void append_candidate_keys(const engine::PairSide& side) {
    engine::append_keys(keys_, matcher_->decision, side);
    append_block_keys(keys_, side.fingerprints, matcher_->decision.bounds().max_distance);
    for (uint64_t& key : keys_) key &= ~kOfFamilies;
  }
  void append_family_keys(std::span<const uint16_t> signature) {
    uint64_t salt = 0;
    for (const join::Band& band : families_)
      keys_.push_back(mix64(join::band_hash(signature.data(), band) + ++salt) | kOfFamilies);
  }

  [[nodiscard]] uint8_t meets_of(const engine::PairSide& a, const engine::PairSide& b) const {
    const engine::Decision& decision = matcher_->decision;
    const engine::PairRoute route = decision.route(a, b);
    if (route == engine::PairRoute::kTooShort) return 0;
    return static_cast<uint8_t>((are_family(a, b) ? kAsFamily : 0) |
                                (decision.meet(route, a, b).are_candidates ? kAsCandidates : 0));
  }

  [[nodiscard]] bool are_family(const engine::PairSide& a, const engine::PairSide& b) const {
    if (masks_.empty() || !engine::are_of_one_family(a.signature, b.signature)) return false;
    const engine::Agreement agreement = engine::agreement_of(a.signature, b.signature);
    return std::ranges::any_of(masks_,
                               [&](const join::ValueMask& band) { return band.within(agreement.equal.data()); });
  }

  const bool has_candidate_keys_;
  std::unique_ptr<engine::Matcher> matcher_;
  std::vector<join::Band> families_;
  std::vector<join::ValueMask> masks_;  // of these
  Sketch better_, worse_;
  std::vector<uint64_t> keys_;
};

/// Cuts the keys of documents into parts.
class SparkKeyParts {
 public:
  explicit SparkKeyParts(int part_bits) : parts_(part_bits) {}

  /// Returns the pieces that there is no room for any more: a list of (part, bytes).
  nb::list add(SparkSketches& sketches, const NumberColumn<int64_t>& ranks, const Column& column) {
    for (uint64_t row = 0; row < column.size(); ++row)
      parts_.add(ranks.data()[row], sketches.keys_of(bytes_at(column, row)));
    return parts_.num_waiting() < kMostWaitingKeys ? nb::list() : take();
  }
  nb::list take() {
    nb::list list;
    for (const auto& piece : parts_.take())
      list.append(nb::make_tuple(piece.part, nb::bytes(piece.bytes.data(), piece.bytes.size())));
    return list;
  }

 private:
  static constexpr size_t kMostWaitingKeys = size_t{1} << 18;  // 16 bytes each
  cluster::KeyParts parts_;
};

}  // namespace

void define_spark_sketches(nb::module_& module) {
  module.attr("FAMILY_MEMBERS") = engine::kFamilyMembers;
  nb::class_<SparkSketches>(module, "SparkSketches")
      .def(nb::init<const MatchingWords&, uint64_t, int>(), nb::arg("matching"), nb::arg("memory"), nb::arg("keys"))
      .def(
          "keys",
          [](SparkSketches& self, const nb::bytes& sketch) {
            const std::span<const uint64_t> keys = self.keys_of({sketch.c_str(), sketch.size()});
            return std::vector<uint64_t>(keys.begin(), keys.end());
          },
          nb::arg("sketch"))
      .def("meet", &SparkSketches::meet, nb::arg("better"), nb::arg("worse"));
  nb::class_<SparkKeyParts>(module, "SparkKeyParts")
      .def(nb::init<int>(), nb::arg("part_bits"))
      .def("add", &SparkKeyParts::add, nb::arg("sketches"), nb::arg("ranks"), nb::arg("column"))
      .def("take", &SparkKeyParts::take);
}

}  // namespace neardup::python
