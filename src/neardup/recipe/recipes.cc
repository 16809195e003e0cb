// The recipes that have a name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "neardup/base/disk/file.h"
#include "neardup/recipe/spec.h"

namespace neardup::recipe {
namespace {

constexpr uint64_t kMaxRecipeBytes = uint64_t{1} << 20;

struct NamedRecipe {
  std::string_view name;
  std::string_view summary;
  Recipe (*make)();
};

// Single words find what was edited in many places, pairs of words what shares passages: see docs/quality.md.
// Characters of Chinese and Japanese stand for words, so that one recipe serves every script.
// Where texts are prose, pages among them are compared by their main text, and answers by what is their own; source
// code, single lines and titles are no pages, and the recipe of a paper is what the paper says.
Recipe make_default() {
  return {.extraction = "auto",
          .quotes = "own",
          .normalization = "folded",
          .fold_han = true,
          .cjk = "syllables",
          .either_family = true,
          .fingerprints = {{.ngram = 1, .weight = Weight::kLogTfIdf}, {.ngram = 2}},
          .idf = "corpus",
          .short_tokens = 16};
}

Recipe make_grams() {
  return {.extraction = "auto",
          .quotes = "own",
          .normalization = "folded",
          .fold_han = true,
          .cjk = "syllables",
          .fingerprints = {{.ngram = 2}, {.ngram = 3}}};
}

Recipe make_thorough() {
  Recipe recipe = make_default();
  recipe.either_family = false;
  recipe.fingerprints.push_back({.ngram = 3});
  return recipe;
}

/// Dates and times of day are what differs between two visits to one page.
Recipe make_web() {
  Recipe recipe = make_default();
  recipe.mask = {"dates", "times"};
  return recipe;
}

Recipe make_paper() { return {.fingerprints = {{.ngram = 1, .weight = Weight::kLogTfIdf}}, .idf = "corpus"}; }

// Twice the signature of the default, so that candidates are hardly ever missed: docs/recipes.md.
constexpr MinHashSpec kLongSignature = {.ngram = 3, .num_values = 256, .bands = 128, .rows = 4};

Recipe make_news() {
  Recipe recipe = make_grams();
  recipe.family = Family::kMinHash;
  recipe.minhash = kLongSignature;
  return recipe;
}

// Characters find more than words of a dictionary do: docs/chinese.md.
Recipe make_chinese() {
  Recipe recipe = make_default();
  recipe.minhash = kLongSignature;
  return recipe;
}

// The features are those that the rule `code` compares. It accepts from a quarter in common on: many bands find those.
Recipe make_code() {
  return {.normalization = "none",
          .tokenizer = "code",
          .cjk = "characters",
          .family = Family::kMinHash,
          .fingerprints = {{.ngram = 2}, {.ngram = 3}},
          .minhash = {.ngram = 2, .long_ngram = 4, .blind_ngram = 8, .num_values = 256, .bands = 512, .rows = 4}};
}

// A changed word takes a sixth of the words of a line, but only a few of its runs of characters.
Recipe make_lines() {
  return {.normalization = "folded",
          .fold_han = true,
          .tokenizer = "chars",
          .family = Family::kMinHash,
          .fingerprints = {{.ngram = 3}, {.ngram = 4}},
          .minhash = {.ngram = 5}};
}

Recipe make_short() {
  return {.normalization = "folded", .tokenizer = "chars", .fingerprints = {{.ngram = 3}, {.ngram = 4}}};
}

// Words of a dictionary in place of single characters.
Recipe make_jieba() {
  Recipe recipe = make_default();
  recipe.tokenizer = "jieba";
  return recipe;
}

Recipe make_minhash() {
  return {.extraction = "auto",
          .quotes = "own",
          .normalization = "folded",
          .fold_han = true,
          .cjk = "syllables",
          .family = Family::kMinHash};
}

constexpr NamedRecipe kRecipes[] = {
    {"default", "MinHash of word 3-grams; SimHash: words weighted by log tf x idf, and 2-grams; any language",
     &make_default},
    {"grams", "word 2-grams and 3-grams: one pass, nothing learnt from the input", &make_grams},
    {"thorough", "SimHash as the default has it, and word 3-grams: finds a little more, a third slower",
     &make_thorough},
    {"web", "the default with dates and times masked: visits to the same HTML pages", &make_web},
    {"paper", "one fingerprint of words weighted by log tf x idf, for distance 3 (Manku, Jain, Das Sarma 2007)",
     &make_paper},
    {"minhash", "a MinHash signature of word 3-grams: finds most, takes 256 bytes a document, nothing learnt",
     &make_minhash},
    {"short", "character 3-grams and 4-grams, for titles and messages of a few words", &make_short},
    {"chinese", "the default with a MinHash signature of 256 values: Chinese by characters, without a dictionary",
     &make_chinese},
    {"jieba", "the default with Chinese words, cut with jieba's dictionary (docs/chinese.md), for characters",
     &make_jieba},
    {"news", "MinHash of word 3-grams, 256 values: reprints that were cut, retitled and mixed; any language",
     &make_news},
    {"code", "MinHash of runs of tokens, and of longer ones with names blinded; no comments: source code", &make_code},
    {"lines", "MinHash of character 5-grams: single lines, log records, sentences", &make_lines},
};

const NamedRecipe* find_named(std::string_view name) {
  for (const NamedRecipe& named : kRecipes) {
    if (named.name == name) return &named;
  }
  return nullptr;
}

}  // namespace

Recipe default_recipe() {
  Recipe recipe = make_default();
  recipe.name = kRecipes[0].name;
  return recipe;
}

Result<Recipe> find_recipe(const std::string& name_or_path) {
  if (const NamedRecipe* named = find_named(name_or_path)) {
    Recipe recipe = named->make();
    recipe.name = named->name;
    return recipe;
  }
  Result<std::string> json = read_file(name_or_path, kMaxRecipeBytes);
  if (!json && json.error().code == Code::kNotFound) {
    return fail(Code::kNotFound, fmt::format("no recipe and no file is called '{}'; recipes are {}", name_or_path,
                                             fmt::join(recipe_names(), ", ")));
  }
  NEARDUP_TRY(json);
  Result<Recipe> recipe = recipe_from_json(*json);
  if (!recipe) return fail(recipe.error().code, fmt::format("'{}': {}", name_or_path, recipe.error().message));
  return recipe;
}

std::vector<std::string> recipe_names() {
  std::vector<std::string> names;
  for (const NamedRecipe& named : kRecipes) names.emplace_back(named.name);
  return names;
}

std::string_view recipe_summary(std::string_view name) {
  const NamedRecipe* named = find_named(name);
  return named == nullptr ? std::string_view() : named->summary;
}

}  // namespace neardup::recipe
