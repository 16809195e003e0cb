// Recipe: everything that changes a fingerprint, with a canonical JSON form and a short id.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/feature/feature_spec.h"
#include "neardup/feature/phrases.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/token/jieba.h"

namespace neardup::recipe {

using Weight = feature::Weight;

/// How one of a document's fingerprints is made.
using FingerprintSpec = feature::FeatureSpec;

/// What stands for a document: SimHash fingerprints, or a MinHash signature.
enum class Family { kSimHash, kMinHash };

/// How a document's MinHash signature is made, and which of its values make a candidate.
struct MinHashSpec {
  int ngram = 3;        // tokens in a feature, 1..feature::kMaxNgram
  int long_ngram = 0;   // with them, features of so many tokens
  int blind_ngram = 0;  // of "code": with them, features of so many tokens whose names and literals count as equal
  int num_values = fingerprint::kDefaultSignatureValues;
  int bands = 64;     // documents that agree in all values of a band are candidates; 1..(num_values / rows)^2
  int rows = 4;       // values in a band; see join::make_bands() for which
  uint64_t seed = 0;  // of the feature hash and of the signature
  bool operator==(const MinHashSpec&) const = default;
};

inline constexpr int kRecipeVersion = 1;
inline constexpr size_t kMaxFingerprints = 16;
inline constexpr int kMostShortTokens = 100;

/// A shared object that belongs to a recipe's fields and is no field itself: all compare equal.
template <class T>
struct Attached {
  std::shared_ptr<const T> object;
  bool operator==(const Attached&) const { return true; }
};

/// An object that nothing was set in (`Recipe{}`) says neither what is hashed nor by which family, and no operation
/// takes it: begin with default_recipe() or find_recipe().
struct Recipe {
  std::string name = "custom";                  // for people; not part of the id
  int version = kRecipeVersion;                 // of the meaning of the fields below
  std::string extraction = "none";              // or "html", "auto": the main text of pages (text/extract.h)
  std::vector<std::string> mask = {};           // kinds of parts that count as equal: "dates", ... (text/mask.h)
  std::string quotes = "all";                   // or "own": answers without the lines that they quote (text/quotes.h)
  std::string normalization = "nfkc_casefold";  // or "folded", "none" (text/text.h)
  bool fold_han = false;                        // traditional Chinese characters count as simplified ones
  std::string tokenizer = "words";              // "words", "uax29", "chars", "code" or "jieba" (token/token.h)
  std::string dictionary_id = {};               // of "jieba": JiebaDictionary::id(), filled when it is known
  std::string cjk = "bigrams";                  // or "characters", "syllables": scripts without spaces (token/token.h)
  std::string stop_words = "none";              // or a language of the stop word lists ("english"), or "auto"
  std::string stemmer = "none";                 // or a Snowball algorithm ("english"), or "auto" (token/language.h)
  Family family = Family::kSimHash;             // of the two below, the one that is made
  bool either_family = false;                   // "family": "auto": kSimHash until take_family() chooses
  std::vector<FingerprintSpec> fingerprints = {};  // 1..kMaxFingerprints; for kMinHash there may be none
  MinHashSpec minhash = {};
  std::string idf = "none";  // "none", "corpus" (learnt from the input first), "file", or "jieba" (the dictionary's)
  std::string idf_id = {};   // Idf::id() of the dictionary that was used; filled when it is known
  std::string phrases = "none";  // or "file": pairs of tokens that count as one in features
  std::string phrases_id = {};   // Phrases::id() of the file that was used; filled when it is known
  uint64_t hash_seed = 0;        // of the token hash
  int min_tokens = 1;            // fewer: no fingerprint
  int short_tokens = 0;          // fewer words: compared with other such texts by characters (short_text.h)
  int bits = 64;
  std::string checksum = "xxh3";  // "xxh3" (XXH3-128) or "md5": of the normalised text
  /// The phrases that phrases_id stands for: not in the JSON form, set by use_phrases().
  Attached<feature::Phrases> phrase_set = {};

  /// What dictionary_id names, once it is open; not part of the JSON form.
  Attached<token::JiebaDictionary> dictionary = {};

  /// Whether TextFingerprint::tokens tell numbers from other tokens. No part of the JSON form: fingerprints stay the
  /// same.
  bool mark_numbers = false;

  bool operator==(const Recipe&) const = default;
  /// Returns whether it says what is hashed: it has fingerprints, or is of MinHash.
  [[nodiscard]] bool is_set() const { return family == Family::kMinHash || !fingerprints.empty(); }
  /// Returns whether tokens are made with a dictionary.
  [[nodiscard]] bool needs_dictionary() const { return tokenizer == "jieba" || idf == "jieba"; }
  /// Returns whether any fingerprint that is made has IDF weights.
  [[nodiscard]] bool needs_idf() const;
  /// Returns whether these are learnt from the documents, unless a file of them is given.
  [[nodiscard]] bool learns_idf() const { return needs_idf() && idf == "corpus"; }
  /// Returns how many fingerprints a document has: none for kMinHash.
  [[nodiscard]] size_t num_fingerprints() const;
  /// Returns how many signature values a document has: none for kSimHash.
  [[nodiscard]] size_t num_signature_values() const;
};

/// Returns "simhash" or "minhash".
[[nodiscard]] std::string_view family_name(Family family);

/// Makes `family` the recipe's, for good; clears what only the other uses. Errors: kInvalidArgument: no fingerprints,
/// or nothing is set.
[[nodiscard]] Status take_family(Recipe& recipe, Family family);

/// Sets recipe.dictionary and dictionary_id. Errors: kMismatch where the recipe names another dictionary.
[[nodiscard]] Status attach_dictionary(Recipe& recipe, std::shared_ptr<const token::JiebaDictionary> dictionary);

/// Errors: kInvalidArgument naming the key, what was found and what is allowed.
[[nodiscard]] Status validate(const Recipe& recipe);

/// Loads phrases from the file `path` for `recipe`, and sets its phrases_id. Errors: those of Phrases::load();
/// kMismatch where they were learnt from other tokens than the recipe's, or are not those of recipe.phrases_id.
[[nodiscard]] Status use_phrases(Recipe& recipe, const std::string& path, uint64_t memory_bytes = ~uint64_t{0});

/// Returns the canonical JSON form: fixed order of keys, no white space, all fields present.
[[nodiscard]] std::string to_json(const Recipe& recipe);
/// Errors: kInvalidArgument naming the key and what is allowed. Unknown keys are errors; missing ones take the default,
/// only "fingerprints" must be there where the family is simhash.
[[nodiscard]] Result<Recipe> recipe_from_json(std::string_view json);
/// Returns 12 hexadecimal digits that stand for all fields but name, short_tokens, and bands and rows of minhash.
[[nodiscard]] std::string recipe_id(const Recipe& recipe);
/// Returns the recipe that the command line takes where none is named: find_recipe("default").
[[nodiscard]] Recipe default_recipe();
/// Returns the recipe of that name ("default", "grams", "paper", ...) or the recipe in the JSON file of that path.
/// Errors: kNotFound listing the names that exist; those of recipe_from_json.
[[nodiscard]] Result<Recipe> find_recipe(const std::string& name_or_path);
/// Returns the names that find_recipe knows, "default" first.
[[nodiscard]] std::vector<std::string> recipe_names();
/// Returns one sentence for people about the recipe of that name; empty for unknown names.
[[nodiscard]] std::string_view recipe_summary(std::string_view name);

}  // namespace neardup::recipe
