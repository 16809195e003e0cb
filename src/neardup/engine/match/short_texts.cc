// Short texts are joined by signatures of their character n-grams, whatever the family of the recipe: six words have
// four 3-grams of words, and one that is spelt otherwise takes three of them. The signatures are made when they are
// needed, from the n-grams in the work folder, and stand nowhere; with their 64 bands of 4 a pair at the threshold of
// .7 meets in no band once in more than 10,000. docs/design/short_texts.md.
#include "neardup/engine/match/short_texts.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "neardup/base/hash.h"
#include "neardup/base/per_thread.h"
#include "neardup/join/bands.h"
#include "neardup/minhash/signer.h"
#include "neardup/token/short_text.h"
#include "neardup/verify/short_texts.h"

namespace neardup::engine {

recipe::MinHashSpec short_text_spec() { return {}; }

int short_text_bound() {
  constexpr double kLoss = 1e-5;
  return join::equal_values_bound(short_text_spec().num_values, verify::kShortTextSimilarity, kLoss);
}

namespace {

// Signs short texts one after the other. Threads: one object per thread.
class ShortSigner {
 public:
  void sign(std::span<const uint32_t> features, std::span<uint16_t> values) {
    hashes_.clear();
    for (const uint32_t gram : token::read_short_text(features).grams) hashes_.push_back(mix64(gram + uint64_t{1}));
    signer_.sign(hashes_, values);
  }

 private:
  minhash::Signer signer_{{short_text_spec().num_values, short_text_spec().seed}};
  std::vector<uint64_t> hashes_;
};

/// The calling thread's: its seeds take longer to make than a signature.
ShortSigner& own_signer() {
  static PerThread<ShortSigner> signers;
  return signers.get();
}

/// The calling thread's, for the features of two texts.
std::array<std::vector<uint32_t>, 2>& own_buffers() {
  static PerThread<std::array<std::vector<uint32_t>, 2>> buffers;
  return buffers.get();
}

}  // namespace

std::vector<uint16_t> short_text_signature(std::span<const uint32_t> features) {
  std::vector<uint16_t> values(static_cast<size_t>(short_text_spec().num_values));
  own_signer().sign(features, values);
  return values;
}

ShortTexts::ShortTexts(const Documents& documents, const ExactGroups& groups, std::span<const uint32_t> active)
    : documents_(documents), groups_(groups), bits_(groups.size() / 64 + 1), places_(bits_.size()) {
  std::ranges::copy_if(active, std::back_inserter(short_),
                       [&](uint32_t group) { return documents.short_size(groups.best[group]) > 0; });
  for (const uint32_t group : short_) bits_[group / 64] |= uint64_t{1} << group % 64;
  for (size_t word = 1; word < bits_.size(); ++word)
    places_[word] = places_[word - 1] + static_cast<uint32_t>(std::popcount(bits_[word - 1]));
}

Status ShortTexts::load(uint64_t memory_bytes) {
  uint64_t count = 0;
  for (const uint32_t group : short_) count += documents_.short_size(groups_.best[group]);
  if (count * sizeof(uint32_t) + short_.size() * sizeof(uint64_t) > memory_bytes) return {};
  features_.reserve(count);
  begins_ = {0};
  std::vector<uint32_t> one;
  for (const uint32_t group : short_) {
    NEARDUP_TRY(documents_.read_short_text(groups_.best[group], one));
    features_.insert(features_.end(), one.begin(), one.end());
    begins_.push_back(features_.size());
  }
  return {};
}

Result<std::span<const uint32_t>> ShortTexts::features(size_t place, std::vector<uint32_t>& buffer) const {
  if (!features_.empty())
    return std::span<const uint32_t>(features_).subspan(begins_[place], begins_[place + 1] - begins_[place]);
  NEARDUP_TRY(documents_.read_short_text(groups_.best[short_[place]], buffer));
  return std::span<const uint32_t>(buffer);
}

join::SignatureSource ShortTexts::signatures() const {
  const int num_values = short_text_spec().num_values;
  return {.count = static_cast<uint32_t>(short_.size()),
          .num_values = num_values,
          .values = nullptr,
          .read = [this, num_values](std::span<const uint32_t> rows, uint16_t* values) -> Status {
            ShortSigner& signer = own_signer();
            std::vector<uint32_t>& buffer = own_buffers().front();
            for (const uint32_t row : rows) {
              NEARDUP_ASSIGN(const auto of_row, features(row, buffer));
              signer.sign(of_row, {values, static_cast<size_t>(num_values)});
              values += num_values;
            }
            return {};
          }};
}

Result<verify::Verdict> ShortTexts::compare(const verify::Rule& rule, uint32_t a, uint32_t b, bool exactly) const {
  auto& [buffer_a, buffer_b] = own_buffers();
  NEARDUP_ASSIGN(const auto features_a, features(place_of(a), buffer_a));
  NEARDUP_ASSIGN(const auto features_b, features(place_of(b), buffer_b));
  return verify::compare_short_texts(rule, features_a, features_b, exactly);
}

SignatureLayer short_text_layer(const ShortTexts& texts, const BandRule& rule) {
  return {.source = texts.signatures(), .groups = texts.groups(), .rule = rule, .of_short_texts = true};
}

}  // namespace neardup::engine
