#include "neardup/engine/match/signatures.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "neardup/join/bands.h"
#include "neardup/verify/decide.h"

namespace neardup::engine {

namespace {

// Documents that lie near each other are read in one piece, with those between them.
constexpr uint32_t kWidestGap = 16, kMostInPiece = 1024;

// Returns how many of `documents` make one piece: ascending, without a wide gap.
size_t piece_size(std::span<const uint32_t> documents) {
  size_t size = 1;
  while (size < documents.size() && documents[size] > documents[size - 1] &&
         documents[size] - documents[size - 1] <= kWidestGap && documents[size] - documents[0] < kMostInPiece)
    ++size;
  return size;
}

// Copies the signatures of `wanted`, documents in any order, to `values`.
Status read_near(const Documents& documents, std::span<const uint32_t> wanted, size_t width, uint16_t* values) {
  std::vector<uint16_t> buffer;
  while (!wanted.empty()) {
    const std::span<const uint32_t> piece = wanted.first(piece_size(wanted));
    const size_t count = piece.back() - piece.front() + size_t{1};
    if (count == piece.size()) {
      NEARDUP_TRY(documents.read_signatures(piece.front(), count, values));
    } else {
      buffer.resize(count * width);
      NEARDUP_TRY(documents.read_signatures(piece.front(), count, buffer.data()));
      for (size_t i = 0; i < piece.size(); ++i)
        std::copy_n(buffer.data() + (piece[i] - piece.front()) * width, width, values + i * width);
    }
    values += piece.size() * width;
    wanted = wanted.subspan(piece.size());
  }
  return {};
}

}  // namespace

join::SignatureSource signatures_of(const Documents& documents, const ExactGroups& groups,
                                    std::span<const uint32_t> active, int num_values) {
  const auto document_of = [&groups, active](uint32_t row) { return groups.best[active[row]]; };
  return {.count = static_cast<uint32_t>(active.size()),
          .num_values = num_values,
          .read = [&documents, document_of, num_values](std::span<const uint32_t> rows, uint16_t* values) -> Status {
            std::vector<uint32_t> wanted(rows.size());
            std::ranges::transform(rows, wanted.begin(), document_of);
            return read_near(documents, wanted, static_cast<size_t>(num_values), values);
          }};
}

Result<LargeArray<uint16_t>> load_signatures(const join::SignatureSource& source) {
  constexpr uint32_t kRowsAtOnce = 4096;
  const auto width = static_cast<size_t>(source.num_values);
  LargeArray<uint16_t> values(source.count * width);
  std::vector<uint32_t> rows;
  for (uint64_t first = 0; first < source.count; first += kRowsAtOnce) {
    rows.resize(std::min<uint64_t>(kRowsAtOnce, source.count - first));
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(first));
    NEARDUP_TRY(source.read(rows, values.data() + first * width));
  }
  return values;
}

bool signs_what_is_compared(const verify::Rule& rule, const recipe::MinHashSpec& spec) {
  const bool is_code = rule.kind == verify::Rule::Kind::kCode;
  return spec.ngram == verify::ngram_size(rule) && spec.long_ngram == (is_code ? verify::kLongCodeGram : 0) &&
         spec.blind_ngram == (is_code ? verify::kBlindGram : 0);
}

int sketch_bound(const verify::Rule& rule, const recipe::Recipe& recipe) {
  constexpr double kLoss = 1e-5;
  // Edits break long n-grams before short ones, so the similarity of shorter n-grams is the higher one, but for texts
  // that repeat themselves: of 30,000 pairs it was up to .02 lower in 10.
  constexpr double kMargin = 0.05;
  const recipe::MinHashSpec& spec = recipe.minhash;
  const int ngram = verify::ngram_size(rule);
  const bool is_code = rule.kind == verify::Rule::Kind::kCode;
  const bool is_mixed = spec.long_ngram != 0 || spec.blind_ngram != 0;
  if ((is_code || is_mixed) && !signs_what_is_compared(rule, spec)) return 0;
  if (rule.kind == verify::Rule::Kind::kNone || spec.ngram > ngram || recipe.phrases != "none") return 0;
  const double lowest = verify::lowest_threshold(rule) - (is_code ? kMargin : 0);
  return join::equal_values_bound(spec.num_values, spec.ngram == ngram ? lowest : lowest - kMargin, kLoss);
}

namespace {

uint32_t row_of_group(const SignatureLayer& layer, uint32_t group) {
  return static_cast<uint32_t>(std::ranges::lower_bound(layer.groups, group) - layer.groups.begin());
}

Result<Agreement> read_agreement(const SignatureLayer& layer, uint32_t g, uint32_t h) {
  const auto width = static_cast<size_t>(layer.source.num_values);
  std::vector<uint16_t> values(2 * width);
  NEARDUP_TRY(layer.source.read(std::array{row_of_group(layer, g), row_of_group(layer, h)}, values.data()));
  return agreement_of({values.data(), width}, {values.data() + width, width});
}

}  // namespace

Result<bool> is_compared(const SignatureLayer& layer, const join::LateRows& late, uint32_t g, uint32_t h) {
  if (late.none()) return true;
  const uint32_t row = row_of_group(layer, g);
  NEARDUP_ASSIGN(const Agreement agreement, read_agreement(layer, g, h));
  for (size_t band = 0; band < layer.rule.bands().size(); ++band)
    if (!late.at(row, band) && layer.rule.meet_in(band, agreement)) return true;
  return false;
}

Result<std::optional<uint32_t>> candidate_distance(const SignatureLayer& layer, uint32_t g, uint32_t h) {
  NEARDUP_ASSIGN(const Agreement agreement, read_agreement(layer, g, h));
  if (!layer.rule.are_candidates(agreement)) return std::nullopt;
  return agreement.distance();
}

}  // namespace neardup::engine
