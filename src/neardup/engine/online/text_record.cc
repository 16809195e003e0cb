#include "neardup/engine/online/text_record.h"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "neardup/base/bytes.h"
#include "neardup/base/hash.h"
#include "neardup/feature/passages.h"
#include "neardup/join/band_words.h"

namespace neardup::engine {
namespace {

enum BodyFlag : uint8_t { kFeatures = 1, kWhole = 2, kText = 4, kPage = 8 };

// Keys of different bands, and of words and characters, are different ones.
void append_band_keys(std::vector<uint64_t>& keys, const BandRule& rule, std::span<const uint16_t> signature,
                      uint64_t salt) {
  for (const join::Band& band : rule.bands()) keys.push_back(mix64(join::band_hash(signature.data(), band) + ++salt));
}

template <class Number>
void read_numbers(ByteReader& reader, std::vector<Number>& numbers) {
  numbers.clear();
  reader.numbers(numbers);
}

// Of a body without its text; 0 where it has only counts, which need no memory of their own.
size_t most_bytes(const PairSide& side, RecordsKept records) {
  constexpr size_t kMostCounts = 21;  // the flags, and how many there are of each
  size_t bytes = records == RecordsKept::kNone ? 0 : side.signature.size_bytes();
  if (records == RecordsKept::kTokens)
    bytes += side.tokens.size_bytes() + side.short_text.size_bytes() + side.short_signature.size_bytes();
  return bytes == 0 ? 0 : bytes + kMostCounts;
}

}  // namespace

void append_body(std::string& body, const PairSide& side, RecordsKept records, const KeptText& text) {
  const bool is_whole = records == RecordsKept::kTokens;
  body.reserve(body.size() + most_bytes(side, records) + text.bytes.size());
  const int of_text = text.bytes.empty() ? 0 : kText | (text.is_page ? kPage : 0);
  body += static_cast<char>((side.has_features ? kFeatures : 0) | (is_whole ? kWhole : 0) | of_text);
  append_numbers(body, records == RecordsKept::kNone ? std::span<const uint16_t>() : side.signature);
  append_numbers(body, is_whole ? side.tokens : std::span<const uint32_t>());
  append_numbers(body, is_whole ? side.short_text : std::span<const uint32_t>());
  append_numbers(body, is_whole ? side.short_signature : std::span<const uint16_t>());
  body += text.bytes;
}

void append_keys(std::vector<uint64_t>& keys, const Decision& decision, const PairSide& side) {
  constexpr uint64_t kWordSalt = 0, kCharacterSalt = uint64_t{1} << 32;
  if (!side.has_features) return;
  keys.reserve(keys.size() + (side.signature.empty() ? 0 : decision.band_rule(PairRoute::kMinHash).bands().size()) +
               (side.short_signature.empty() ? 0 : decision.band_rule(PairRoute::kCharacters).bands().size()));
  if (!side.signature.empty())
    append_band_keys(keys, decision.band_rule(PairRoute::kMinHash), side.signature, kWordSalt);
  if (!side.short_signature.empty())
    append_band_keys(keys, decision.band_rule(PairRoute::kCharacters), side.short_signature, kCharacterSalt);
}

void take_passages(std::vector<uint64_t>& passages, const PairSide& side) {
  std::vector<feature::Passage> selected;
  feature::select_passages(side.tokens, selected);
  feature::take_hashes(selected, passages);
}

Status TextRecord::read(const store::Record& record) {
  side_ = {.checksum = record.checksum, .has_features = false};
  text_ = {};
  is_whole_ = false;
  if (record.body.empty()) return {};
  ByteReader reader(record.body);
  const auto flags = reader.number<uint8_t>();
  read_numbers(reader, memory_.signature);
  read_numbers(reader, memory_.tokens);
  read_numbers(reader, memory_.short_text);
  read_numbers(reader, memory_.short_signature);
  if (!reader.ok() || ((flags & kText) == 0 && !reader.rest().empty()))
    return fail(Code::kCorruption,
                fmt::format("what is kept of document '{}' does not end where it should; restore the store from a copy",
                            record.id));
  text_ = {.bytes = reader.rest(), .is_page = (flags & kPage) != 0};
  is_whole_ = (flags & kWhole) != 0;
  side_ = memory_.side(record.checksum, (flags & kFeatures) != 0, record.fingerprints);
  return {};
}

}  // namespace neardup::engine
