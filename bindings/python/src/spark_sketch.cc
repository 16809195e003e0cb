#include "spark_sketch.h"

#include <string>

#include "errors.h"
#include "neardup/base/bytes.h"

namespace neardup::python {
namespace {

enum SketchFlag : uint8_t { kIsShort = 1 };

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

}  // namespace

engine::Matcher spark_matcher_of(const MatchingWords& words, uint64_t memory_bytes) {
  engine::DedupOptions options = value_of(options_of(matching_of(words)));
  options.memory_bytes = memory_bytes;
  engine::Matcher matcher = value_of(engine::make_matcher(std::move(options)));
  value_of(check_for_spark(matcher, words.distance));
  return matcher;
}

std::string_view bytes_at(const Column& column, uint64_t row) {
  corpus::Arena unused;
  return column.text(row, unused).value_or(std::string_view());
}

Status damaged_on_the_way() {
  return fail(Code::kCorruption, "the bytes of a document are damaged on their way through Spark");
}

std::string sketch_of(const engine::PairSide& side) {
  std::string sketch;
  if (!side.has_features) return sketch;
  sketch += static_cast<char>(side.short_text.empty() ? 0 : kIsShort);
  append_numbers(sketch, side.fingerprints);
  append_numbers(sketch, side.signature);
  append_numbers(sketch, side.short_signature);
  return sketch;
}

Status Sketch::read(std::string_view bytes, uint64_t number) {
  static constexpr uint32_t kSome[] = {0};
  fingerprints_.clear();
  memory_.signature.clear();
  memory_.short_signature.clear();
  const bool has_features = !bytes.empty();
  uint8_t flags = 0;
  if (has_features) {
    ByteReader reader(bytes);
    flags = reader.number<uint8_t>();
    reader.numbers(fingerprints_);
    reader.numbers(memory_.signature);
    reader.numbers(memory_.short_signature);
    if (!reader.ok() || !reader.rest().empty()) return damaged_on_the_way();
  }
  side_ = memory_.side({0, number}, has_features, fingerprints_);
  if ((flags & kIsShort) != 0) side_.short_text = kSome;  // of meet() only its signature is asked for
  return {};
}

}  // namespace neardup::python
