#include "neardup/engine/stored/document_side.h"

#include "neardup/engine/match/short_texts.h"

namespace neardup::engine {

Status DocumentSide::read(const Documents& documents, uint32_t document, const recipe::Recipe& recipe) {
  const Row& row = documents.row(document);
  fingerprints_.resize(recipe.num_fingerprints());
  for (size_t i = 0; i < fingerprints_.size(); ++i) fingerprints_[i] = documents.fingerprint_of(document, i);
  signature_.resize(recipe.num_signature_values());
  NEARDUP_TRY(documents.read_signatures(document, 1, signature_.data()));
  NEARDUP_TRY(documents.read_tokens(document, tokens_));
  NEARDUP_TRY(documents.read_short_text(document, short_text_));
  short_signature_.clear();
  if (!short_text_.empty()) short_signature_ = short_text_signature(short_text_);
  side_ = {.checksum = row.checksum,
           .has_features = (row.flags & kHasFeatures) != 0,
           .fingerprints = fingerprints_,
           .signature = signature_,
           .tokens = tokens_,
           .short_text = short_text_,
           .short_signature = short_signature_};
  return {};
}

}  // namespace neardup::engine
