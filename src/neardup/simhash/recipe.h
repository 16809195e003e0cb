// Recipe: everything that changes a fingerprint, with a canonical JSON form and a short id.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::simhash {

enum class Weight { kBinary, kTf, kLogTf, kTfIdf, kLogTfIdf };

/// How one of a document's fingerprints is made.
struct FingerprintSpec {
  int ngram = 1;                    // tokens in a feature, 1..16
  Weight weight = Weight::kBinary;  // IDF kinds only with ngram 1
  int top_n = 0;                    // only the N heaviest features vote; 0 = all
  uint64_t seed = 0;                // mixed into every feature hash
  bool operator==(const FingerprintSpec&) const = default;
};

struct Recipe {
  std::string name = "default";            // for people; not part of the id
  int version = 1;
  std::string normalization = "nfkc_casefold";  // or "none"
  std::string tokenizer = "words";         // "words" (runs of letters, marks and digits; CJK and Thai as bigrams), "uax29", "chars" (see token/)
  std::string stop_words = "none";         // "none" or a language of the stop word lists ("english")
  std::string stemmer = "none";            // "none" or a Snowball algorithm ("english")
  std::vector<FingerprintSpec> fingerprints;
  std::string idf = "none";                // "none", "corpus" (learnt from the input first) or "file"
  std::string idf_id;                      // hash of the IDF that was used, hexadecimal; filled when it is known
  uint64_t hash_seed = 0;                  // of the token hash
  int min_tokens = 1;                      // fewer: no fingerprint
  int bits = 64;

  bool operator==(const Recipe&) const = default;
  [[nodiscard]] bool needs_idf() const;
};

/// Returns the canonical JSON form: fixed order of keys, no white space, all fields present.
[[nodiscard]] std::string to_json(const Recipe& recipe);
/// Errors: kInvalidArgument naming the key and what is allowed. Unknown keys are errors; missing ones take the default.
[[nodiscard]] Result<Recipe> recipe_from_json(std::string_view json);
/// Returns 12 hexadecimal digits that stand for all fields but the name.
[[nodiscard]] std::string recipe_id(const Recipe& recipe);
/// Returns the recipe of that name ("default", "chinese", "paper", ...) or the recipe in the JSON file of that path.
/// Errors: kNotFound listing the names that exist.
[[nodiscard]] Result<Recipe> find_recipe(const std::string& name_or_path);
[[nodiscard]] std::vector<std::string> recipe_names();

}  // namespace neardup::simhash
