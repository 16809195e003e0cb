// recipe: text -> fingerprints, signature, checksum and tokens: the whole words tower in one call, under one Recipe.
//
//   NEARDUP_ASSIGN(const recipe::Recipe grams, recipe::find_recipe("grams"));
//   NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(grams, nullptr));
//   recipe::TextFingerprint text_fingerprint;
//   fingerprinter.fingerprint("any text", text_fingerprint);
#pragma once

#include "neardup/recipe/explain.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/recipe/recipe_tokens.h"
#include "neardup/recipe/spec.h"
