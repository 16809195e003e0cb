// Why a text has its fingerprints: every feature with its vote.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/fingerprint/value.h"
#include "neardup/token/tokenizer.h"

namespace neardup::recipe {

struct ExplainedFeature {
  uint64_t hash = 0;
  double weight = 1;   // as it votes: in the fixed point of counters.h
  uint32_t count = 0;  // how often it occurs in the text
  uint64_t begin = 0;  // of its first occurrence in the normalised text, in bytes
  std::string text;    // of its first occurrence
};

struct ExplainedFingerprint {
  std::vector<ExplainedFeature> features;                // heaviest first, then in order of the text
  std::array<double, fingerprint::kNumBits> counters{};  // counters[i] belongs to bit i (the least significant is 0)
  fingerprint::Fingerprint fingerprint = 0;              // bit i is 1 where counters[i] > 0
};

/// A part of the text that a recipe's mask made equal to others of its kind.
struct MaskedText {
  std::string_view kind;  // as recipes name it: "dates"
  std::string text;
};

/// The text that is cut into tokens, and the tokens, those that are left out too.
struct CutText {
  std::string normalized;
  token::ExplainedTokens tokens;  // of `normalized`, phrases not joined
};

struct Explanation {
  uint64_t given_bytes = 0;        // of the document as it came
  uint64_t extracted_bytes = 0;    // of its text, before masks and normalisation
  uint64_t quoted_lines = 0;       // of others that the text repeats: left out
  bool is_page = false;            // HTML of which the main text was taken
  uint64_t preamble_bytes = 0;     // that were left out: text/preamble.h
  bool is_manual = false;          // the source of a manual page, of which what man shows was taken
  std::string encoding;            // that the document was in, where extraction found out
  std::vector<MaskedText> masked;  // in order of the text
  std::string normalized;          // the text that was cut into tokens
  token::ExplainedTokens tokens;   // of `normalized`, those that are left out too
  Hash128 checksum;
  uint64_t num_tokens = 0;
  bool whole = true;                               // TextFingerprint::whole
  bool cut = false;                                // TextFingerprint::cut
  bool has_features = false;                       // TextFingerprint::has_features
  std::vector<ExplainedFingerprint> fingerprints;  // recipe.num_fingerprints() of them; empty without features
};

}  // namespace neardup::recipe
