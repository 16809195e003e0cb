// simhash: features -> fingerprint; the recipe and the Fingerprinter, which is the whole words tower in one call.
//
//   NEARDUP_ASSIGN(const simhash::Recipe recipe, simhash::find_recipe("default"));
//   NEARDUP_ASSIGN(auto fingerprinter, simhash::Fingerprinter::create(recipe, nullptr));
//   simhash::Print print;
//   fingerprinter.fingerprint("any text", print);
//
// SimHash: a counter per bit; each feature adds its weight where its hash has a 1 and subtracts it where it has a 0; a
// bit of the fingerprint is 1 where its counter is > 0 (Charikar 2002, section 3; Manku, Jain, Das Sarma 2007, section
// 2).
#pragma once

#include "neardup/simhash/counters.h"
#include "neardup/simhash/explain.h"
#include "neardup/simhash/fingerprinter.h"
#include "neardup/simhash/kernel.h"
#include "neardup/simhash/recipe.h"
#include "neardup/simhash/recipe_tokens.h"
