// A recipe has one canonical text, and its id is a hash of that text: two fingerprints may be compared exactly if the
// ids are equal. So the order of keys is part of the format. A key that came later is written only where it differs
// from what was before, so that older recipes keep their ids. What the program itself decides by (tables of characters,
// a detector of languages, the cut of source code) is written down too, and a recipe made with another one is refused.
// Not in the id: what changes no fingerprint (name, short_tokens, and bands and rows, which only choose among the
// values).
// Recipes come from files, fingerprint files included: every key is known or an error, every number is read by its type
// and checked against its range. docs/formats/recipe.md.
#include "neardup/recipe/spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "neardup/base/hash.h"
#include "neardup/base/parse_json.h"
#include "neardup/fingerprint/value.h"
#include "neardup/recipe/weight_names.h"
#include "neardup/text/han_fold.h"
#include "neardup/text/mask.h"
#include "neardup/token/language.h"
#include "neardup/token/tokenizer.h"

namespace neardup::recipe {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kEitherFamily = "auto";

Json spec_to_json(const FingerprintSpec& spec) {
  return {{"ngram", spec.ngram}, {"weight", weight_name(spec.weight)}, {"top_n", spec.top_n}, {"seed", spec.seed}};
}

Json minhash_to_json(const MinHashSpec& spec) {
  Json tree = {{"ngram", spec.ngram},
               {"values", spec.num_values},
               {"bands", spec.bands},
               {"rows", spec.rows},
               {"seed", spec.seed}};
  if (spec.long_ngram != 0) tree["long_ngram"] = spec.long_ngram;  // recipes without keep their ids
  if (spec.blind_ngram != 0) tree["blind_ngram"] = spec.blind_ngram;
  return tree;
}

/// What chooses the languages of "auto": another version may choose another one.
std::string detector_of(const Recipe& recipe) {
  const bool asks = recipe.stop_words == token::kAutoLanguage || recipe.stemmer == token::kAutoLanguage;
  return asks ? std::string(token::language_detector_version()) : "";
}

/// What folds traditional characters: the tables of another build may fold others.
std::string han_table_of(const Recipe& recipe) { return recipe.fold_han ? std::string(text::han_table_id()) : ""; }

/// How source code is cut: its tokens have changed once.
std::string code_tokens_of(const Recipe& recipe) { return recipe.tokenizer == "code" ? "2" : ""; }

// The order of keys is part of the format: recipe_id() is a hash of this text.
Json to_tree(const Recipe& recipe) {
  Json fingerprints = Json::array();
  for (const FingerprintSpec& spec : recipe.fingerprints) fingerprints.push_back(spec_to_json(spec));
  Json tree = {{"name", recipe.name},
               {"version", recipe.version},
               {"extraction", recipe.extraction},
               {"mask", recipe.mask},
               {"normalization", recipe.normalization},
               {"fold_han", recipe.fold_han},
               {"han_table", han_table_of(recipe)},
               {"tokenizer", recipe.tokenizer},
               {"dictionary_id", recipe.dictionary_id},
               {"cjk", recipe.cjk},
               {"stop_words", recipe.stop_words},
               {"stemmer", recipe.stemmer},
               {"language_detector", detector_of(recipe)},
               {"phrases", recipe.phrases},
               {"phrases_id", recipe.phrases_id},
               {"family", recipe.either_family ? kEitherFamily : family_name(recipe.family)},
               {"fingerprints", fingerprints},
               {"minhash", minhash_to_json(recipe.minhash)},
               {"idf", recipe.idf},
               {"idf_id", recipe.idf_id},
               {"hash_seed", recipe.hash_seed},
               {"min_tokens", recipe.min_tokens},
               {"short_tokens", recipe.short_tokens},
               {"bits", recipe.bits},
               {"checksum", recipe.checksum}};
  if (recipe.tokenizer == "code") tree["code_tokens"] = code_tokens_of(recipe);  // other recipes keep their ids
  if (recipe.quotes != "all") tree["quotes"] = recipe.quotes;
  return tree;
}

std::string dump(const Json& tree) { return tree.dump(-1, ' ', false, Json::error_handler_t::replace); }

tl::unexpected<Error> wrong(std::string_view key, const std::string& found, std::string_view allowed) {
  return fail(Code::kInvalidArgument, fmt::format("recipe: \"{}\" is {}, but must be {}", key, found, allowed));
}

Status read(const Json& value, std::string_view key, std::string& out) {
  if (!value.is_string()) return wrong(key, dump(value), "a string");
  out = value.get<std::string>();
  return {};
}

Status read(const Json& value, std::string_view key, std::vector<std::string>& out) {
  const auto is_string = [](const Json& element) { return element.is_string(); };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_string)) {
    return wrong(key, dump(value), "an array of strings");
  }
  out = value.get<std::vector<std::string>>();
  return {};
}

Status read(const Json& value, std::string_view key, bool& out) {
  if (!value.is_boolean()) return wrong(key, dump(value), "true or false");
  out = value.get<bool>();
  return {};
}

Status read(const Json& value, std::string_view key, uint64_t& out) {
  const auto number = json_integer<uint64_t>(value);
  if (!number) return wrong(key, dump(value), "a whole number from 0 to 2^64 - 1");
  out = *number;
  return {};
}

Status read(const Json& value, std::string_view key, int& out) {
  const auto number = json_integer<int>(value);
  if (!number || *number < 0) return wrong(key, dump(value), "a whole number from 0 to 2147483647");
  out = *number;
  return {};
}

Status read(const Json& value, std::string_view key, Weight& out) {
  std::string name;
  NEARDUP_TRY(read(value, key, name));
  const std::optional<Weight> weight = weight_from_name(name);
  if (!weight) return wrong(key, dump(value), fmt::format("one of {}", fmt::join(weight_names(), ", ")));
  out = *weight;
  return {};
}

// Both fields of a recipe that "family" fills.
struct FamilyFields {
  Family& family;
  bool& either;
};

Status read(const Json& value, std::string_view key, const FamilyFields& out) {
  std::string name;
  NEARDUP_TRY(read(value, key, name));
  if (name != "simhash" && name != "minhash" && name != kEitherFamily)
    return wrong(key, dump(value), "auto, simhash or minhash");
  out.family = name == "minhash" ? Family::kMinHash : Family::kSimHash;
  out.either = name == kEitherFamily;
  return {};
}

Status read(const Json& value, std::string_view key, std::vector<FingerprintSpec>& out);
Status read(const Json& value, std::string_view key, MinHashSpec& out);

/// One key of a JSON object and the variable that it fills.
template <class Read>
struct Field {
  std::string_view key;
  Read read;
};
// clang 14 does not deduce aggregates.
template <class Read>
Field(std::string_view key, Read read) -> Field<Read>;

template <class T>
auto field(std::string_view key, T& out) {
  return Field{key, [key, &out](const Json& value) { return read(value, key, out); }};
}

/// Fills the fields from `object`. Errors: kInvalidArgument for keys that no field has, and those of read().
template <class... Fields>
Status read_object(const Json& object, std::string_view what, const Fields&... fields) {
  if (!object.is_object()) return wrong(what, dump(object), "an object");
  for (const auto& [key, value] : object.items()) {
    Status status = fail(Code::kInvalidArgument, fmt::format("recipe: unknown key \"{}\" in {}; known are {}", key,
                                                             what, fmt::join(std::array{fields.key...}, ", ")));
    ((fields.key == key ? void(status = fields.read(value)) : void()), ...);
    NEARDUP_TRY(status);
  }
  return {};
}

Status read(const Json& value, std::string_view key, std::vector<FingerprintSpec>& out) {
  if (!value.is_array()) return wrong(key, dump(value), "an array of objects");
  out.clear();
  for (const Json& element : value) {
    FingerprintSpec& spec = out.emplace_back();
    NEARDUP_TRY(read_object(element, key, field("ngram", spec.ngram), field("weight", spec.weight),
                            field("top_n", spec.top_n), field("seed", spec.seed)));
  }
  return {};
}

Status read(const Json& value, std::string_view key, MinHashSpec& out) {
  return read_object(value, key, field("ngram", out.ngram), field("values", out.num_values), field("bands", out.bands),
                     field("rows", out.rows), field("seed", out.seed), field("long_ngram", out.long_ngram),
                     field("blind_ngram", out.blind_ngram));
}

Status check_name(std::string_view key, const std::string& found, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), found) != allowed.end()) return {};
  return wrong(key, fmt::format("\"{}\"", found), fmt::format("one of {}", fmt::join(allowed, ", ")));
}

/// Each kind once, in the order of their names' list: so one set has one form.
Status check_mask(const std::vector<std::string>& mask) {
  const std::vector<std::string> names = text::mask_names();
  size_t from = 0;
  for (const std::string& kind : mask) {
    NEARDUP_TRY(check_name("mask", kind, names));
    const auto at = static_cast<size_t>(std::find(names.begin(), names.end(), kind) - names.begin());
    if (at < from) {
      return wrong("mask", fmt::format("\"{}\" behind a kind that comes later", kind),
                   fmt::format("each kind once, in the order {}", fmt::join(names, ", ")));
    }
    from = at + 1;
  }
  return {};
}

Status check_number(std::string_view key, int64_t found, int64_t least, int64_t most) {
  if (found >= least && found <= most) return {};
  return wrong(key, fmt::format("{}", found),
               least == most ? fmt::format("{}", least) : fmt::format("from {} to {}", least, most));
}

Status check_minhash(const MinHashSpec& spec) {
  NEARDUP_TRY(check_number("ngram", spec.ngram, 1, feature::kMaxNgram));
  NEARDUP_TRY(check_number("long_ngram", spec.long_ngram, 0, feature::kMaxNgram));
  NEARDUP_TRY(check_number("blind_ngram", spec.blind_ngram, 0, feature::kMaxNgram));
  if (!fingerprint::is_signature_size(spec.num_values)) {
    return wrong(
        "values", fmt::format("{}", spec.num_values),
        fmt::format("a multiple of {} up to {}", fingerprint::kSignatureStep, fingerprint::kMaxSignatureValues));
  }
  NEARDUP_TRY(check_number("rows", spec.rows, 1, spec.num_values));
  const int most = (spec.num_values / spec.rows) * (spec.num_values / spec.rows);
  return check_number("bands", spec.bands, 1, most);
}

// MinHash could do without fingerprints, but nobody has asked for it: what is missing is the recipe.
Status check_set(const Recipe& recipe) {
  if (recipe.is_set()) return {};
  return fail(
      Code::kInvalidArgument,
      fmt::format("recipe: nothing is set that says what is hashed: give \"fingerprints\" an array of 1 to {}, or "
                  "\"family\" minhash, or begin with default_recipe() or find_recipe(NAME)",
                  kMaxFingerprints));
}

Status check_fingerprints(const Recipe& recipe) {
  const bool none_needed = recipe.family == Family::kMinHash;
  if ((recipe.fingerprints.empty() && !none_needed) || recipe.fingerprints.size() > kMaxFingerprints) {
    return wrong("fingerprints", fmt::format("an array of {}", recipe.fingerprints.size()),
                 fmt::format("an array of 1 to {} objects", kMaxFingerprints));
  }
  for (const FingerprintSpec& spec : recipe.fingerprints) {
    NEARDUP_TRY(check_number("ngram", spec.ngram, 1, feature::kMaxNgram));
    NEARDUP_TRY(check_number("top_n", spec.top_n, 0, std::numeric_limits<int>::max()));
    if (feature::uses_idf(spec.weight) && spec.ngram != 1) {
      return wrong("weight", fmt::format("\"{}\" with \"ngram\" {}", weight_name(spec.weight), spec.ngram),
                   "binary, tf or log_tf where ngram is not 1");
    }
  }
  return {};
}

/// Of a key that the program fills in: what it had when the recipe was written, if it was, and what it has now.
Status check_same(std::string_view key, const std::string& then, const std::string& now, std::string_view effect) {
  if (then.empty() || then == now) return {};
  return fail(Code::kMismatch, fmt::format("recipe: \"{}\" is \"{}\", but this program has \"{}\": it may {}; make the "
                                           "fingerprints again",
                                           key, then, now, effect));
}

Result<Json> parse(std::string_view json) {
  auto tree = parse_json<Json>(json);
  if (!tree) return fail(tree.error().code, "recipe: " + tree.error().message);
  return tree;
}

}  // namespace

bool Recipe::needs_idf() const {
  return family == Family::kSimHash &&
         std::any_of(fingerprints.begin(), fingerprints.end(),
                     [](const FingerprintSpec& spec) { return feature::uses_idf(spec.weight); });
}

size_t Recipe::num_fingerprints() const { return family == Family::kSimHash ? fingerprints.size() : 0; }

size_t Recipe::num_signature_values() const {
  return family == Family::kMinHash ? static_cast<size_t>(minhash.num_values) : 0;
}

std::string_view family_name(Family family) { return family == Family::kMinHash ? "minhash" : "simhash"; }

Status take_family(Recipe& recipe, Family family) {
  NEARDUP_TRY(check_set(recipe));
  if (family == Family::kSimHash && recipe.fingerprints.empty()) {
    return fail(Code::kInvalidArgument, fmt::format("the recipe '{}' has no SimHash fingerprints; take --family "
                                                    "minhash, or another --recipe",
                                                    recipe.name));
  }
  recipe.family = family;
  recipe.either_family = false;
  if (family == Family::kMinHash) {
    recipe.fingerprints.clear();
    recipe.idf = "none";
    recipe.idf_id.clear();
  } else {
    recipe.minhash = {};
  }
  return {};
}

Status attach_dictionary(Recipe& recipe, std::shared_ptr<const token::JiebaDictionary> dictionary) {
  const std::string id = dictionary->id();
  if (!recipe.dictionary_id.empty() && recipe.dictionary_id != id) {
    return fail(Code::kMismatch,
                fmt::format("recipe '{}' is made with the dictionary {}, but the one given is {}; give "
                            "the same files, or set \"dictionary_id\" to \"\"",
                            recipe.name, recipe.dictionary_id, id));
  }
  recipe.dictionary_id = id;
  recipe.dictionary.object = std::move(dictionary);
  return {};
}

Status validate(const Recipe& recipe) {
  NEARDUP_TRY(check_number("version", recipe.version, kRecipeVersion, kRecipeVersion));
  NEARDUP_TRY(check_name("extraction", recipe.extraction, {"none", "html", "auto"}));
  NEARDUP_TRY(check_mask(recipe.mask));
  NEARDUP_TRY(check_name("quotes", recipe.quotes, {"own", "all"}));
  NEARDUP_TRY(check_name("normalization", recipe.normalization, {"folded", "nfkc_casefold", "none"}));
  NEARDUP_TRY(check_name("tokenizer", recipe.tokenizer, token::tokenizer_names()));
  NEARDUP_TRY(check_name("cjk", recipe.cjk, {"bigrams", "characters", "syllables"}));
  NEARDUP_TRY(check_name("stop_words", recipe.stop_words, token::stop_word_languages()));
  NEARDUP_TRY(check_name("stemmer", recipe.stemmer, token::stemmer_names()));
  NEARDUP_TRY(check_name("checksum", recipe.checksum, {"xxh3", "md5"}));
  NEARDUP_TRY(check_name("phrases", recipe.phrases, {"none", "file"}));
  NEARDUP_TRY(check_name("idf", recipe.idf, {"none", "corpus", "file", "jieba"}));
  NEARDUP_TRY(check_number("min_tokens", recipe.min_tokens, 0, std::numeric_limits<int>::max()));
  NEARDUP_TRY(check_number("short_tokens", recipe.short_tokens, 0, kMostShortTokens));
  NEARDUP_TRY(check_number("bits", recipe.bits, fingerprint::kNumBits, fingerprint::kNumBits));
  NEARDUP_TRY(check_set(recipe));
  NEARDUP_TRY(check_fingerprints(recipe));
  NEARDUP_TRY(check_minhash(recipe.minhash));
  if (recipe.minhash.blind_ngram != 0 && recipe.tokenizer != "code")
    return wrong("blind_ngram", fmt::format("{}", recipe.minhash.blind_ngram), "0 where the tokenizer is not code");
  if (recipe.minhash.blind_ngram != 0 && recipe.phrases != "none")
    return wrong("phrases", fmt::format("\"{}\"", recipe.phrases), "none where \"minhash\" has a \"blind_ngram\"");
  if (recipe.needs_idf() && recipe.idf == "none") {
    return wrong("idf", "\"none\"", "corpus, file or jieba, as a fingerprint has tf_idf or log_tf_idf weights");
  }
  return {};
}

std::string to_json(const Recipe& recipe) { return dump(to_tree(recipe)); }

Result<Recipe> recipe_from_json(std::string_view json) {
  NEARDUP_ASSIGN(const Json tree, parse(json));
  Recipe recipe;
  recipe.name = "custom";
  std::string detector, han_table, code_tokens;
  const FamilyFields families{recipe.family, recipe.either_family};
  NEARDUP_TRY(read_object(
      tree, "the recipe", field("name", recipe.name), field("version", recipe.version),
      field("extraction", recipe.extraction), field("mask", recipe.mask), field("normalization", recipe.normalization),
      field("fold_han", recipe.fold_han), field("han_table", han_table), field("tokenizer", recipe.tokenizer),
      field("dictionary_id", recipe.dictionary_id), field("cjk", recipe.cjk), field("stop_words", recipe.stop_words),
      field("stemmer", recipe.stemmer), field("language_detector", detector), field("phrases", recipe.phrases),
      field("phrases_id", recipe.phrases_id), field("family", families), field("fingerprints", recipe.fingerprints),
      field("minhash", recipe.minhash), field("idf", recipe.idf), field("idf_id", recipe.idf_id),
      field("hash_seed", recipe.hash_seed), field("min_tokens", recipe.min_tokens),
      field("short_tokens", recipe.short_tokens), field("bits", recipe.bits), field("checksum", recipe.checksum),
      field("code_tokens", code_tokens), field("quotes", recipe.quotes)));
  NEARDUP_TRY(validate(recipe));
  NEARDUP_TRY(check_same("language_detector", detector, detector_of(recipe), "take texts for other languages"));
  NEARDUP_TRY(check_same("code_tokens", code_tokens, code_tokens_of(recipe), "cut source code otherwise"));
  if (recipe.fold_han)
    NEARDUP_TRY(check_same("han_table", han_table, han_table_of(recipe), "fold other Chinese characters"));
  return recipe;
}

std::string recipe_id(const Recipe& recipe) {
  Json tree = to_tree(recipe);
  for (const char* key : {"name", "short_tokens"}) tree.erase(key);
  for (const char* key : {"bands", "rows"}) tree["minhash"].erase(key);
  return to_hex(hash128(dump(tree))).substr(0, 12);
}

}  // namespace neardup::recipe
