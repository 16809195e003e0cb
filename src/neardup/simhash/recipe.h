// Recipe: everything that changes a fingerprint, with a canonical JSON form and a short id.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/feature/feature.h"

namespace neardup::simhash {

using Weight = feature::Weight;

/// How one of a document's fingerprints is made.
using FingerprintSpec = feature::FeatureSpec;

inline constexpr int kRecipeVersion = 1;
inline constexpr size_t kMaxFingerprints = 16;

struct Recipe {
  std::string name = "default";                 // for people; not part of the id
  int version = kRecipeVersion;                 // of the meaning of the fields below
  std::string normalization = "nfkc_casefold";  // or "none"
  bool fold_han = false;                        // traditional Chinese characters count as simplified ones
  std::string tokenizer = "words";              // "words", "uax29" or "chars" (token/token.h)
  std::string cjk = "bigrams";                  // "bigrams" or "characters": scripts without spaces, in words and uax29
  std::string stop_words = "none";              // or a language of the stop word lists ("english")
  std::string stemmer = "none";                 // or a Snowball algorithm ("english")
  std::vector<FingerprintSpec> fingerprints = {};  // 1..kMaxFingerprints
  std::string idf = "none";                        // "none", "corpus" (learnt from the input first) or "file"
  std::string idf_id = {};                         // Idf::id() of the dictionary that was used; filled when it is known
  uint64_t hash_seed = 0;                          // of the token hash
  int min_tokens = 1;                              // fewer: no fingerprint
  int bits = 64;
  std::string checksum = "xxh3";  // "xxh3" (XXH3-128) or "md5": of the normalised text

  bool operator==(const Recipe&) const = default;
  /// Returns whether any fingerprint has IDF weights.
  [[nodiscard]] bool needs_idf() const;
};

/// Errors: kInvalidArgument naming the key, what was found and what is allowed.
[[nodiscard]] Status validate(const Recipe& recipe);

/// Returns the canonical JSON form: fixed order of keys, no white space, all fields present.
[[nodiscard]] std::string to_json(const Recipe& recipe);
/// Errors: kInvalidArgument naming the key and what is allowed. Unknown keys are errors; missing ones take the default,
/// only "fingerprints" must be there.
[[nodiscard]] Result<Recipe> recipe_from_json(std::string_view json);
/// Returns 12 hexadecimal digits that stand for all fields but the name.
[[nodiscard]] std::string recipe_id(const Recipe& recipe);
/// Returns the recipe of that name ("default", "grams", "paper", ...) or the recipe in the JSON file of that path.
/// Errors: kNotFound listing the names that exist; those of recipe_from_json.
[[nodiscard]] Result<Recipe> find_recipe(const std::string& name_or_path);
/// Returns the names that find_recipe knows, "default" first.
[[nodiscard]] std::vector<std::string> recipe_names();
/// Returns one sentence for people about the recipe of that name; empty for unknown names.
[[nodiscard]] std::string_view recipe_summary(std::string_view name);

}  // namespace neardup::simhash
