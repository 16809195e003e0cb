// A dictionary or a table of phrases counts the tokens of one recipe, and means nothing for others. So files carry the
// part of the recipe's JSON form that tokens depend on, and it is compared key by key. Everything counts that is not
// known to say nothing about tokens: a key that is new is rather an error than a silent mixture.
#include "neardup/recipe/recipe_tokens.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "neardup/base/parse_json.h"

namespace neardup::recipe {
namespace {

using Json = nlohmann::ordered_json;

// New keys of a recipe change its tokens until they stand here: a dictionary is rather refused than misused.
constexpr const char* kOtherKeys[] = {"name",         "fingerprints", "idf",      "idf_id", "min_tokens",
                                      "short_tokens", "bits",         "checksum", "family", "minhash"};

std::string value_of(const Json& tree, const std::string& key) {
  return tree.contains(key) ? tree[key].dump(-1, ' ', false, Json::error_handler_t::replace) : "nothing";
}

/// Returns "tokenizer is "words" there and "chars" in the recipe" for each key that differs.
std::vector<std::string> differences(const Json& there, const Json& here) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : here.items()) {
    if (there.is_object() && there.contains(key) && there[key] == value) continue;
    texts.push_back(
        fmt::format("\"{}\" is {} there and {} in the recipe", key, value_of(there, key), value_of(here, key)));
  }
  return texts;
}

}  // namespace

std::string tokens_json(const Recipe& recipe) {
  Json tree = *parse_json<Json>(to_json(recipe));  // of a valid recipe's own form
  for (const char* key : kOtherKeys) tree.erase(key);
  return tree.dump();
}

Status check_tokens(const Recipe& recipe, const std::string& tokens, const std::string& where) {
  const std::string wanted = tokens_json(recipe);
  if (tokens == wanted) return {};
  if (tokens.empty()) {
    return fail(Code::kMismatch,
                fmt::format("'{}' does not say which tokens it counts; train it again with 'neardup idf'", where));
  }
  const auto there = parse_json<Json>(tokens);
  const auto texts = differences(there.value_or(Json()), *parse_json<Json>(wanted));
  return fail(Code::kMismatch,
              fmt::format("'{}' counts other tokens than the recipe '{}' makes: {}; train one with --recipe {}{}",
                          where, recipe.name,
                          texts.empty() ? "it was made by another version" : fmt::format("{}", fmt::join(texts, ", ")),
                          recipe.name, recipe.phrases == "file" ? ",phrases=FILE" : ""));
}

Status check_dictionary_id(const std::string& key, const std::string& wanted, const std::string& found,
                           const std::string& where) {
  if (wanted.empty() || wanted == found) return {};
  return fail(Code::kMismatch,
              fmt::format("the recipe's \"{}\" is {}, but '{}' has the id {}; give the file that it names, "
                          "or take \"{}\" out of the recipe",
                          key, wanted, where, found, key));
}

Status use_phrases(Recipe& recipe, const std::string& path, uint64_t memory_bytes) {
  NEARDUP_ASSIGN(auto phrases, feature::Phrases::load(path, memory_bytes));
  NEARDUP_TRY(check_dictionary_id("phrases_id", recipe.phrases_id, phrases->id(), path));
  Recipe plain = recipe;
  plain.phrases = "none";
  plain.phrases_id.clear();
  NEARDUP_TRY(check_tokens(plain, phrases->head().tokens, path));
  recipe.phrases = "file";
  recipe.phrases_id = phrases->id();
  recipe.phrase_set.object = std::move(phrases);
  return {};
}

}  // namespace neardup::recipe
