// minhash: sets of features -> MinHash signatures, from which the Jaccard similarity of two sets can be read.
//
//   minhash::Signer signer({.num_values = 128});
//   std::vector<uint16_t> signature(128);
//   signer.sign(ngram_hashes, signature);                                             // feature/ngrams.h
//   double j = fingerprint::estimated_jaccard(fingerprint::count_equal(signature, other), 128);  // signature.h
//
// See: docs/design/minhash.md.
#pragma once

#include "neardup/minhash/signer.h"
