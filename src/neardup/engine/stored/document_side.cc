#include "neardup/engine/stored/document_side.h"

#include "neardup/engine/match/short_texts.h"

namespace neardup::engine {

Status DocumentSide::read(const Documents& documents, uint32_t document, const recipe::Recipe& recipe) {
  const Row& row = documents.row(document);
  fingerprints_.resize(recipe.num_fingerprints());
  for (size_t i = 0; i < fingerprints_.size(); ++i) fingerprints_[i] = documents.fingerprint_of(document, i);
  memory_.signature.resize(recipe.num_signature_values());
  NEARDUP_TRY(documents.read_signatures(document, 1, memory_.signature.data()));
  NEARDUP_TRY(documents.read_tokens(document, memory_.tokens));
  NEARDUP_TRY(documents.read_short_text(document, memory_.short_text));
  memory_.short_signature.clear();
  if (!memory_.short_text.empty()) memory_.short_signature = short_text_signature(memory_.short_text);
  side_ = memory_.side(row.checksum, (row.flags & kHasFeatures) != 0, fingerprints_);
  return {};
}

}  // namespace neardup::engine
