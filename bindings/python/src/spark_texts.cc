// A text becomes a row: checksum, keys of its bands, and a body with all that comparing takes, so that texts are read
// once. Bodies are those of a store's records, behind the fingerprints.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "column.h"
#include "errors.h"
#include "matching.h"
#include "neardup/api/options_of.h"
#include "neardup/base/hash.h"
#include "neardup/engine/match/families.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/online/matcher.h"
#include "neardup/engine/online/text_maker.h"
#include "neardup/engine/online/text_record.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/join/bands.h"
#include "neardup/verify/commonness_parts.h"
#include "neardup/verify/distinct_ngrams.h"
#include "spark.h"
#include "spark_columns.h"

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

// With more bits the keys are of so few that most documents share one.
constexpr int kMostBlockDistance = 3;

Status check_for_spark(const engine::Matcher& matcher, const std::optional<int>& distance) {
  if (matcher.recipe.family != recipe::Family::kSimHash) return {};
  if (!distance)
    return fail(Code::kInvalidArgument,
                "SimHash on Spark needs distance=: on one machine it follows from the number of documents");
  if (*distance <= kMostBlockDistance) return {};
  return fail(Code::kUnsupported, "SimHash on Spark takes a distance of " + std::to_string(kMostBlockDistance) +
                                      " at most, found " + std::to_string(*distance) +
                                      "; family=\"minhash\" finds pairs that differ more");
}

engine::Matcher matcher_of(const MatchingWords& words, uint64_t memory_bytes) {
  engine::DedupOptions options = value_of(options_of(matching_of(words)));
  options.memory_bytes = memory_bytes;
  engine::Matcher matcher = value_of(engine::make_matcher(std::move(options)));
  value_of(check_for_spark(matcher, words.distance));
  return matcher;
}

// Columns of Arrow hold what they give: none of it needs room. Null is told as an empty text.
std::string_view text_at(const Column& column, uint64_t row) {
  corpus::Arena unused;
  return column.text(row, unused).value_or(std::string_view());
}

/// What was made of a text, as it was written. Valid until the next read().
class Body {
 public:
  Status read(std::string_view bytes, uint64_t number) {
    ByteReader reader(bytes);
    fingerprints_.clear();
    reader.numbers(fingerprints_);
    if (!reader.ok()) return fail(Code::kCorruption, "the bytes of a document are damaged on their way through Spark");
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

/// Makes rows of texts.
class SparkTexts {
 public:
  SparkTexts(const MatchingWords& words, uint64_t memory_bytes)
      : matcher_(std::make_unique<engine::Matcher>(matcher_of(words, memory_bytes))),
        maker_(std::make_unique<engine::TextMaker>(*matcher_)),
        loan_(value_of(maker_->lend())) {
    if (engine::tells_families(matcher_->recipe)) families_ = value_of(engine::family_bands(matcher_->recipe.minhash));
  }

  nb::dict make(const Column& texts) {
    Rows rows;
    for (uint64_t row = 0; row < texts.size(); ++row) add(text_at(texts, row), rows);
    nb::dict columns;
    columns["high"] = bytes_of(rows.high);
    columns["low"] = bytes_of(rows.low);
    columns["num_tokens"] = bytes_of(rows.num_tokens);
    columns["signature"] = rows.signature.columns();
    columns["keys"] = rows.keys.columns();
    columns["families"] = rows.families.columns();
    columns["body"] = rows.body.columns();
    return columns;
  }

 private:
  struct Rows {
    std::vector<uint64_t> high, low;
    std::vector<int32_t> num_tokens;
    BinaryOut signature, keys, families, body;
  };

  void add(std::string_view text, Rows& rows) {
    const engine::MadeText& made = loan_.make(text);
    const engine::PairSide side = made.side();
    rows.high.push_back(side.checksum.high);
    rows.low.push_back(side.checksum.low);
    rows.num_tokens.push_back(static_cast<int32_t>(side.tokens.size()));
    rows.signature.add(side.has_features ? signed_bytes(side) : std::string_view());
    numbers_.clear();
    engine::append_keys(numbers_, matcher_->decision, side);
    if (side.has_features) append_block_keys(numbers_, side.fingerprints, matcher_->decision.bounds().max_distance);
    rows.keys.add(neardup::bytes_of(numbers_));
    numbers_.clear();
    if (side.has_features)
      for (const join::Band& band : families_)
        numbers_.push_back(mix64(join::band_hash(side.signature.data(), band) + numbers_.size() + 1));
    rows.families.add(neardup::bytes_of(numbers_));
    rows.body.add(body_of(side));
  }

  static std::string_view signed_bytes(const engine::PairSide& side) {
    return side.signature.empty() ? neardup::bytes_of(side.fingerprints) : neardup::bytes_of(side.signature);
  }

  std::unique_ptr<engine::Matcher> matcher_;
  std::unique_ptr<engine::TextMaker> maker_;
  engine::TextMaker::Loan loan_;
  std::vector<join::Band> families_;
  std::vector<uint64_t> numbers_;
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
      : matcher_(std::make_unique<engine::Matcher>(matcher_of(words, memory_bytes))) {}

  nb::tuple compare(const NumberColumn<int64_t>& better, const NumberColumn<int64_t>& worse,
                    const Column& better_bodies, const Column& worse_bodies) {
    SimilarPairs pairs;
    for (uint64_t row = 0; row < better_bodies.size(); ++row) {
      value_of(better_.read(text_at(better_bodies, row), 0));
      value_of(worse_.read(text_at(worse_bodies, row), 1));
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

/// Of pairs that meet in a band of families those that are of one, by their signatures alone.
nb::tuple family_pairs(const NumberColumn<int64_t>& better, const NumberColumn<int64_t>& worse,
                       const Column& better_signatures, const Column& worse_signatures) {
  SimilarPairs pairs;
  std::vector<uint16_t> a, b;
  const auto read = [](std::string_view bytes, std::vector<uint16_t>& values) {
    values.resize(bytes.size() / sizeof(uint16_t));
    std::ranges::copy(bytes, reinterpret_cast<char*>(values.data()));
  };
  for (uint64_t row = 0; row < better_signatures.size(); ++row) {
    read(text_at(better_signatures, row), a);
    read(text_at(worse_signatures, row), b);
    if (engine::are_of_one_family(a, b)) pairs.add(better.data()[row], worse.data()[row], 1, 0);
  }
  return pairs.columns();
}

/// Pieces of counts, as a list of (section, bytes).
nb::list list_of(const std::vector<verify::CommonnessPart::Piece>& pieces) {
  nb::list list;
  for (const auto& piece : pieces)
    list.append(nb::make_tuple(piece.section, nb::bytes(piece.bytes.data(), piece.bytes.size())));
  return list;
}

constexpr size_t kMostWaiting = size_t{1} << 24;

void append_keys_of(std::string_view bytes, std::vector<uint64_t>& keys) {
  const size_t before = keys.size();
  keys.resize(before + bytes.size() / sizeof(uint64_t));
  std::ranges::copy(bytes, reinterpret_cast<char*>(keys.data() + before));
}

/// A key stands for the counter of its upper half.
uint32_t hash_of_key(uint64_t key) { return static_cast<uint32_t>(key >> 32); }

/// Counts in how many documents each key is, by its hash.
class SparkKeyCounts {
 public:
  explicit SparkKeyCounts(uint64_t num_counters) : part_(num_counters) {}

  nb::list add(const Column& keys, const Column& families, bool is_last) {
    for (uint64_t row = 0; row < keys.size(); ++row) {
      keys_.clear();
      append_keys_of(text_at(keys, row), keys_);
      append_keys_of(text_at(families, row), keys_);
      std::ranges::sort(keys_);
      hashes_.clear();
      const auto behind = std::ranges::unique(keys_).begin();
      std::transform(keys_.begin(), behind, std::back_inserter(hashes_), hash_of_key);
      part_.add(hashes_);
    }
    if (!is_last && part_.num_waiting() < kMostWaiting) return {};
    return list_of(part_.take());
  }

 private:
  verify::CommonnessPart part_;
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> hashes_;
};

/// Leaves of the keys of documents those that some other document has, too, and a few others.
class SparkSharedKeys {
 public:
  /// `path`: of the counts; empty: all are left.
  explicit SparkSharedKeys(const std::string& path)
      : counts_(path.empty() ? nullptr : value_of(verify::Commonness::load(path))) {}

  nb::tuple keep(const Column& keys) {
    NumbersOut left;
    for (uint64_t row = 0; row < keys.size(); ++row) {
      keys_.clear();
      append_keys_of(text_at(keys, row), keys_);
      if (counts_ != nullptr)
        std::erase_if(keys_, [this](uint64_t key) { return counts_->counted(hash_of_key(key)) < 2; });
      left.add(keys_);
    }
    return left.columns();
  }

 private:
  std::shared_ptr<const verify::Commonness> counts_;
  std::vector<uint64_t> keys_;
};

/// So many counters that one in eight is taken: of the keys of one document alone an eighth is left. 256 MiB at most.
uint64_t num_key_counters(uint64_t num_keys) {
  return verify::Commonness::num_counters_for(8 * num_keys, uint64_t{256} << 20);
}

/// Counts the n-grams of texts.
class SparkCounts {
 public:
  explicit SparkCounts(uint64_t num_counters) : part_(num_counters) {}

  /// Returns the pieces that there is no room for any more; all of them where `is_last`: a list of (section, bytes).
  nb::list add(const Column& bodies, bool is_last) {
    for (uint64_t row = 0; row < bodies.size(); ++row) {
      value_of(body_.read(text_at(bodies, row), 0));
      const auto ngrams = ngrams_.of(body_.side().tokens);
      part_.add(ngrams);
      num_ngrams_ += ngrams.size();
      ++num_texts_;
    }
    if (!is_last && part_.num_waiting() < kMostWaiting) return {};
    return list_of(part_.take());
  }
  [[nodiscard]] uint64_t num_texts() const { return num_texts_; }
  [[nodiscard]] uint64_t num_ngrams() const { return num_ngrams_; }

 private:
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
  module.def("family_pairs", &family_pairs, nb::arg("better"), nb::arg("worse"), nb::arg("better_signatures"),
             nb::arg("worse_signatures"));
  nb::class_<SparkKeyCounts>(module, "SparkKeyCounts")
      .def(nb::init<uint64_t>(), nb::arg("num_counters"))
      .def("add", &SparkKeyCounts::add, nb::arg("keys"), nb::arg("families"), nb::arg("is_last"));
  nb::class_<SparkSharedKeys>(module, "SparkSharedKeys")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def("keep", &SparkSharedKeys::keep, nb::arg("keys"));
  module.def("num_key_counters", &num_key_counters, nb::arg("num_keys"));
  nb::class_<SparkCounts>(module, "SparkCounts")
      .def(nb::init<uint64_t>(), nb::arg("num_counters"))
      .def("add", &SparkCounts::add, nb::arg("bodies"), nb::arg("is_last"))
      .def_prop_ro("num_texts", &SparkCounts::num_texts)
      .def_prop_ro("num_ngrams", &SparkCounts::num_ngrams);
}

}  // namespace neardup::python
