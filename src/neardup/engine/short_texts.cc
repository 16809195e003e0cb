#include "neardup/engine/short_texts.h"

#include "neardup/base/hash.h"
#include "neardup/join/bands.h"
#include "neardup/minhash/signer.h"
#include "neardup/verify/short_texts.h"

namespace neardup::engine {

simhash::MinHashSpec short_text_spec() { return {}; }

int short_text_bound() {
  constexpr double kLoss = 1e-5;
  return join::equal_values_bound(short_text_spec().num_values, verify::kShortTextSimilarity, kLoss);
}

join::SignatureSource short_text_signatures(const Documents& documents, const ExactGroups& groups,
                                            std::span<const uint32_t> rows) {
  const int num_values = short_text_spec().num_values;
  return {
      .count = static_cast<uint32_t>(rows.size()),
      .num_values = num_values,
      .values = nullptr,
      .read = [&documents, &groups, rows, num_values](std::span<const uint32_t> wanted, uint16_t* values) -> Status {
        static thread_local minhash::Signer signer({num_values, short_text_spec().seed});
        static thread_local std::vector<uint32_t> features;
        static thread_local std::vector<uint64_t> hashes;
        for (const uint32_t row : wanted) {
          NEARDUP_TRY(documents.read_short_text(groups.best[rows[row]], features));
          hashes.clear();
          for (size_t i = 1; i < features.size(); ++i) hashes.push_back(mix64(features[i] + uint64_t{1}));
          signer.sign(hashes, {values, static_cast<size_t>(num_values)});
          values += num_values;
        }
        return {};
      }};
}

Result<verify::Verdict> compare_short(const Documents& documents, uint32_t a, uint32_t b) {
  static thread_local std::vector<uint32_t> features_a, features_b;
  NEARDUP_TRY(documents.read_short_text(a, features_a));
  NEARDUP_TRY(documents.read_short_text(b, features_b));
  return verify::compare_short_texts(features_a, features_b);
}

}  // namespace neardup::engine
