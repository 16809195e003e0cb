// verify: is a candidate pair really similar? Exact similarity of the two texts' token n-gram sets.
//
//   verify::Verifier verifier(verify::Rule{}, tokens_of_document, 256 << 20);
//   NEARDUP_ASSIGN(const verify::Verdict verdict, verifier.compare(17, 42));
//   if (verdict.similar) std::puts("one text is enough");
#pragma once

#include "neardup/verify/definition.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"
#include "neardup/verify/verifier.h"
