// Digits must be the same, and under kContent signs: they are mixed into the keys of n-grams, so that the lines of a
// log, which differ in nothing but numbers, do not even meet.
#include "neardup/lines/similar_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "neardup/base/hash.h"
#include "neardup/recipe/normalize_options.h"
#include "neardup/recipe/recipe.h"
#include "neardup/recipe/short_text.h"
#include "neardup/token/short_text.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/intersect.h"
#include "neardup/verify/short_texts.h"

namespace neardup::lines {
namespace {

constexpr size_t kCountBits = 20;
constexpr double kNearly = 1e-9;  // so that rounding makes nothing be missed

size_t place_of_count(uint32_t key) { return key >> (32 - kCountBits); }

size_t ceil_of(double number) { return static_cast<size_t>(std::max(0.0, std::ceil(number - kNearly))); }

token::Tokenizer make_tokenizer() {
  return *token::Tokenizer::create({.cjk = token::CjkMode::kSyllables, .folded_letters = true});
}

WordMarks marks_of(const SimilarRule& rule, const token::ShortText& text) {
  return rule.verify == verify::Rule::Kind::kContent ? word_marks(text.words) : WordMarks{};
}

uint64_t what_must_be_same(const SimilarRule& rule, const token::ShortText& text) {
  const uint64_t marks = rule.verify == verify::Rule::Kind::kContent ? text.marks : 0;
  return mix64(uint64_t{text.digits} << 32 | marks);
}

}  // namespace

WordMarks word_marks(std::string_view words) {
  constexpr uint64_t kKinds = 21;
  WordMarks marks;
  bool begins = true;
  for (const char letter : words) {
    const auto byte = static_cast<uint8_t>(letter);
    const uint64_t hash = mix64(byte);
    if (begins) {
      const uint64_t shift = hash % kKinds * 3;
      marks.begins |= ((marks.begins >> shift & 3) << 1 | 1) << shift;
    }
    begins = letter == ' ';
    marks.letters += begins ? 0 : static_cast<uint32_t>(hash >> 32);
  }
  return marks;
}

LineFeatures::LineFeatures()
    : normalizer_(recipe::normalize_options(recipe::default_recipe())), tokenizer_(make_tokenizer()) {}

void LineFeatures::make(std::string_view line, std::vector<uint32_t>& row) {
  row.clear();
  if (line.size() > kMostLineBytes) return;
  normalizer_.normalize(line, normalized_);
  tokenizer_.tokenize(normalized_, tokens_);
  recipe::short_text_features(normalized_, tokens_, token::CjkMode::kSyllables, row);
}

SimilarSet::SimilarSet(const SimilarRule& rule) : rule_(rule), counts_(size_t{1} << kCountBits), slots_(1024) {}

void SimilarSet::count(std::span<const uint32_t> row) {
  const token::ShortText text = token::read_short_text(row);
  const uint64_t same = what_must_be_same(rule_, text);
  for (const uint32_t gram : text.grams) {
    uint16_t& count = counts_[place_of_count(static_cast<uint32_t>(mix64(gram ^ same)))];
    if (count != UINT16_MAX) ++count;
  }
}

void SimilarSet::find_keys(std::span<const uint32_t> row, std::vector<uint32_t>& keys) const {
  const token::ShortText text = token::read_short_text(row);
  const uint64_t same = what_must_be_same(rule_, text);
  keys.clear();
  if (text.grams.empty()) return;
  for (const uint32_t gram : text.grams) keys.push_back(static_cast<uint32_t>(mix64(gram ^ same)));
  const size_t needed = std::max<size_t>(1, ceil_of(rule_.share * static_cast<double>(keys.size())));
  const size_t looked_at = keys.size() - needed + 1;
  const auto order = [this](uint32_t key) { return std::pair(counts_[place_of_count(key)], key); };
  const auto end = keys.begin() + static_cast<ptrdiff_t>(looked_at);
  if (end != keys.end()) std::ranges::nth_element(keys, end, {}, order);
  keys.erase(end, keys.end());
  std::ranges::sort(keys, {}, order);
}

/// So many n-grams two rows must have in common.
double SimilarSet::needed(size_t grams, size_t of_other) const {
  return rule_.share / (1 + rule_.share) * static_cast<double>(grams + of_other) - kNearly;
}

size_t SimilarSet::slot_of(uint32_t key) const {
  const size_t mask = slots_.size() - 1;
  size_t at = key & mask;
  while (slots_[at].last != 0 && slots_[at].key != key) at = (at + 1) & mask;
  return at;
}

void SimilarSet::grow() {
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& slot : before) {
    if (slot.last != 0) slots_[slot_of(slot.key)] = slot;
  }
}

void SimilarSet::add(std::span<const uint32_t> row, std::span<const uint32_t> keys) {
  const auto number = static_cast<uint32_t>(rows_.size());
  char* const kept = features_.reserve(row.size_bytes());
  if (!row.empty()) std::memcpy(kept, row.data(), row.size_bytes());
  features_.use(row.size_bytes());
  features_bytes_ += row.size_bytes();
  const token::ShortText text = token::read_short_text(row);
  const auto grams = static_cast<uint32_t>(text.grams.size());
  rows_.push_back(
      {reinterpret_cast<const uint32_t*>(kept), static_cast<uint32_t>(row.size()), grams, marks_of(rule_, text)});
  uint32_t rest = grams;
  for (const uint32_t key : keys) {
    if (num_keys_ + 1 > slots_.size() / 2) grow();
    Slot& slot = slots_[slot_of(key)];
    if (slot.last == 0) ++num_keys_;
    const uint32_t least = slot.last == 0 ? grams : std::min(slot.least, grams);
    postings_.push_back({number, slot.last, rest--});
    slot = {key, static_cast<uint32_t>(postings_.size()), least};
  }
}

std::optional<SimilarTo> SimilarSet::compare(std::span<const uint32_t> row, uint32_t number) const {
  const token::ShortText a = token::read_short_text(row);
  const std::span<const uint32_t> other(rows_[number].data, rows_[number].size);
  const token::ShortText b = token::read_short_text(other);
  const auto both = static_cast<double>(a.grams.size() + b.grams.size());
  const size_t common = verify::count_common(a.grams, b.grams, ceil_of(rule_.share / (1 + rule_.share) * both));
  const double similarity = verify::jaccard(a.grams.size(), b.grams.size(), common);
  if (similarity < rule_.share) return std::nullopt;
  if (verify::short_difference({.kind = rule_.verify}, row, other) != verify::ShortDifference::kNone)
    return std::nullopt;
  return SimilarTo{number, static_cast<float>(similarity)};
}

std::optional<SimilarTo> SimilarSet::first_similar(std::span<const uint32_t> row, std::span<const uint32_t> keys,
                                                   uint32_t from, uint32_t to, Scratch& scratch) const {
  if (from == to) return std::nullopt;
  const token::ShortText text = token::read_short_text(row);
  const size_t size = text.grams.size();
  const WordMarks words = marks_of(rule_, text);
  const size_t least = ceil_of(static_cast<double>(size) * rule_.share);
  const auto most = static_cast<size_t>(static_cast<double>(size) / rule_.share + kNearly);
  std::vector<uint32_t>& candidates = scratch.candidates;
  candidates.clear();
  scratch.seen.resize(std::max<size_t>(scratch.seen.size(), to / 64 + 1));
  for (size_t i = 0; i < keys.size(); ++i) {
    const Slot& slot = slots_[slot_of(keys[i])];
    const auto rest = static_cast<double>(size - i);
    if (slot.last == 0 || rest < needed(size, std::max<size_t>(slot.least, least))) continue;
    for (uint32_t at = slot.last; at != 0; at = postings_[at - 1].before) {
      const Posting& posting = postings_[at - 1];
      if (posting.number < from) break;
      if (posting.number >= to) continue;
      const Row& other = rows_[posting.number];
      if (other.grams < least || other.grams > most || !words.may_be_one(other.words)) continue;
      if (std::min(rest, static_cast<double>(posting.rest)) < needed(size, other.grams)) continue;
      uint64_t& seen = scratch.seen[posting.number / 64];
      const uint64_t bit = uint64_t{1} << posting.number % 64;
      if ((seen & bit) != 0) continue;
      seen |= bit;
      candidates.push_back(posting.number);
    }
  }
  std::ranges::sort(candidates);
  for (const uint32_t number : candidates) scratch.seen[number / 64] = 0;
  for (const uint32_t number : candidates) {
    if (const auto found = compare(row, number)) return found;
  }
  return std::nullopt;
}

uint64_t SimilarSet::memory_bytes() const {
  return counts_.size() * sizeof(uint16_t) + features_bytes_ + rows_.capacity() * sizeof(Row) +
         postings_.capacity() * sizeof(Posting) + slots_.size() * sizeof(Slot);
}

}  // namespace neardup::lines
