#include "neardup/api/fingerprinter.h"

#include <algorithm>
#include <bit>

#include "neardup/api/field_words.h"
#include "neardup/api/options_of.h"
#include "neardup/engine/read/family.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/recipe/fingerprinter.h"

namespace neardup {

struct Fingerprinter::Impl {
  recipe::Fingerprinter inner;
  recipe::TextFingerprint text_fingerprint;
};

Fingerprinter::Fingerprinter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Fingerprinter::Fingerprinter(Fingerprinter&&) noexcept = default;
Fingerprinter& Fingerprinter::operator=(Fingerprinter&&) noexcept = default;
Fingerprinter::~Fingerprinter() = default;

Result<Fingerprinter> Fingerprinter::create(const Matching& matching) {
  NEARDUP_ASSIGN(engine::DedupOptions options, options_of(matching));
  NEARDUP_TRY(in_field_words(recipe::take_family(options.recipe, engine::family_of_run(options))));
  NEARDUP_ASSIGN(auto idf, idf_of(options.recipe, options.idf_file));
  NEARDUP_ASSIGN(auto inner, recipe::Fingerprinter::create(options.recipe, std::move(idf)));
  return Fingerprinter(std::make_unique<Impl>(Impl{std::move(inner), {}}));
}

Result<Fingerprinter> Fingerprinter::create(const Recipe& recipe) { return create(Matching{.recipe = recipe}); }

TextPrint Fingerprinter::fingerprint(std::string_view text) {
  if (impl_ == nullptr) die_of_error({Code::kInvalidArgument, "this Fingerprinter was moved from; use the other one"});
  const recipe::TextFingerprint& text_fingerprint = impl_->text_fingerprint;
  impl_->inner.fingerprint(text, impl_->text_fingerprint);
  return {.fingerprints = text_fingerprint.fingerprints,
          .signature = text_fingerprint.signature,
          .checksum = to_hex(text_fingerprint.checksum),
          .num_tokens = text_fingerprint.tokens.size(),
          .has_features = text_fingerprint.has_features};
}

int distance(uint64_t a, uint64_t b) { return std::popcount(a ^ b); }

double similarity(const std::vector<uint16_t>& a, const std::vector<uint16_t>& b) {
  if (a.size() != b.size() || a.empty()) return 0;
  return fingerprint::estimated_jaccard(fingerprint::count_equal(a, b), a.size());
}

}  // namespace neardup
