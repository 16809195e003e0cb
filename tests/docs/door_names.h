// What the examples in the doors of the rooms use and do not declare.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "neardup/feature/idf.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/fingerprint/value.h"
#include "neardup/join/in_memory.h"
#include "neardup/verify/verifier.h"

namespace neardup {

extern std::shared_ptr<const feature::Idf> idf;
extern std::vector<uint64_t> token_hashes, ngram_hashes;
extern std::vector<fingerprint::SignatureValue> other;
extern std::vector<fingerprint::Fingerprint> set;
extern join::PairSink sink;
extern verify::TokenSource tokens_of_document;
extern std::vector<std::pair<std::string, std::string>> documents;  // id, text

}  // namespace neardup
