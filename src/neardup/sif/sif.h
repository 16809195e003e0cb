// sif: which files share passages: fingerprints of substrings, all against all or against a reference.
//
// Manber's question (Finding similar files in a large file system, 1994): every substring of 50 bytes has a
// fingerprint; a few are kept of each file, chosen by what they are and not by where they stand; files that have some
// in common are similar. find_similar() is the whole work, in this order:
//
//   file trees -> find_files() -> Selector: fingerprints of each -> PostingLists: who else has them
//     -> SharedCounter: what pairs share, estimated -> WindowSet: the same counted exactly, where it is asked for
//
// docs/similar.md says what the numbers mean.
#pragma once

#include "neardup/sif/options.h"
#include "neardup/sif/similar.h"
