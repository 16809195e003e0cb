// feature: tokens -> weighted features.
//
//   feature::Extractor extractor(idf);                        // feature/extractor.h
//   feature::FeatureSet set = extractor.extract({.ngram = 2}, token_hashes);
//
// Besides: ngrams.h (hashes of token n-grams), distinct.h (distinct hashes of one document), idf.h (dictionaries),
// idf_merge.h (merging their files), phrases.h (pairs of tokens that count as one).
#pragma once

#include "neardup/feature/extractor.h"
#include "neardup/feature/feature_spec.h"
#include "neardup/feature/idf.h"
#include "neardup/feature/ngrams.h"
