// neardup: the public door of the library. #include "neardup/neardup.h", link neardup::neardup; nothing else is
// installed.
//
//   api/fingerprinter.h   Fingerprinter   a text -> fingerprints or signature, and checksum
//   api/compare.h         compare()       two texts -> duplicates or not, similarity, distance, and why
//   api/dedup.h           dedup_files()   files -> those that stay, lists, a report; what `neardup dedup` does
//                         dedup_texts(), dedup_range()   texts in memory -> the fate of each
//   api/deduplicator.h    Deduplicator    texts one after the other -> new, exact copy, near-duplicate of which
//   api/lines.h           unique_lines()  files of lines, or lines in memory -> each different line once, by bytes
//   api/store.h           Store           the same, kept in a folder for good, for many threads
//   api/index.h           Index           a folder of fingerprints: add, query, erase
//   api/similar.h         similar_files() files -> pairs that share passages, and how much
//   api/recipe.h, api/matching.h          how texts are fingerprinted, and what makes two of them duplicates
//
// Example: what of the documents is new?
//
//   auto seen = neardup::Deduplicator::create().value();  // of an error: ends the program with its message
//   for (const auto& [id, text] : documents)
//     if (const auto arrival = seen.add(id, text); arrival && !arrival->is_new())
//       std::printf("%s repeats %s, similarity %.2f\n", id.c_str(), arrival->duplicate_of.c_str(),
//       arrival->similarity);
//
// More, each a whole program: docs/api/.
//
// Errors are values: every function that can fail for a reason outside the program returns a Result (base/result.h),
// with a code and one sentence that says what, where, and the cure. Using the value of an error ends the program with
// that sentence. Nothing is thrown but std::bad_alloc, nothing printed, the environment is not read. Threads: results
// are the same for any number of them; each class says what may be called at once. Memory: dedup_files() and
// dedup_texts() keep to memory_bytes; the others say what a document takes.
#pragma once

#include "neardup/api/compare.h"
#include "neardup/api/dedup.h"
#include "neardup/api/deduplicator.h"
#include "neardup/api/fingerprinter.h"
#include "neardup/api/index.h"
#include "neardup/api/lines.h"
#include "neardup/api/matching.h"
#include "neardup/api/recipe.h"
#include "neardup/api/similar.h"
#include "neardup/api/store.h"
#include "neardup/base/context.h"
#include "neardup/base/result.h"
