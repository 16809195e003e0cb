#include "neardup/recipe/typed_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "neardup/base/disk/file.h"
#include "neardup/base/near_match.h"
#include "neardup/base/sizes.h"
#include "neardup/recipe/keyword_recipe.h"
#include "neardup/recipe/weight_names.h"
#include "neardup/text/mask.h"

namespace neardup::recipe {
namespace {

using Setter = Status (*)(const std::string& typed, Recipe& recipe, RecipeFiles& files);

/// What was changed makes of a named recipe one of its own.
Status checked_custom(Recipe& recipe) {
  recipe.name = "custom";
  return validate(recipe);
}

/// One of the words of a recipe as it is typed: validate() knows which there are.
template <std::string Recipe::*word>
Status set_word(const std::string& typed, Recipe& recipe, RecipeFiles&) {
  recipe.*word = typed;
  return checked_custom(recipe);
}

Status set_mask(const std::string& typed, Recipe& recipe, RecipeFiles&) {
  NEARDUP_ASSIGN(recipe.mask, parse_mask(typed));
  return checked_custom(recipe);
}

Status set_fold_han(const std::string& typed, Recipe& recipe, RecipeFiles&) {
  if (typed != "true" && typed != "false")
    return fail(Code::kInvalidArgument, expected_one_of({"true", "false"}, typed));
  recipe.fold_han = typed == "true";
  return checked_custom(recipe);
}

Status set_weight(const std::string& typed, Recipe& recipe, RecipeFiles&) {
  const auto weight = weight_from_name(typed == "tfidf" ? "tf_idf" : typed);
  if (weight) return use_single_tokens(recipe, {.weight = *weight});
  const auto names = weight_names();
  return fail(Code::kInvalidArgument, expected_one_of({names.begin(), names.end()}, typed));
}

Status set_top_n(const std::string& typed, Recipe& recipe, RecipeFiles&) {
  NEARDUP_ASSIGN(const int64_t top_n, parse_whole(typed, 0, std::numeric_limits<int>::max()));
  return use_single_tokens(recipe, {.top_n = static_cast<int>(top_n)});
}

Status set_dictionary(const std::string& typed, Recipe&, RecipeFiles& files) {
  files.dictionary.path = typed;
  return {};
}

Status add_user_words(const std::string& typed, Recipe&, RecipeFiles& files) {
  files.dictionary.user_words.push_back(typed);
  return {};
}

Status set_phrases(const std::string& typed, Recipe&, RecipeFiles& files) {
  files.phrases = typed;
  return {};
}

Status set_idf(const std::string& typed, Recipe& recipe, RecipeFiles& files) {
  if (typed == "jieba") return use_jieba_idf(recipe);
  files.idf = typed;
  return {};
}

struct KeyRow {
  const char *key, *value;
  Setter set;
};

constexpr KeyRow kRows[] = {{"extraction", "none|html|auto", set_word<&Recipe::extraction>},
                            {"mask", "KIND,...", set_mask},
                            {"quotes", "own|all", set_word<&Recipe::quotes>},
                            {"fold_han", "true|false", set_fold_han},
                            {"weight", "WEIGHT", set_weight},
                            {"top_n", "N", set_top_n},
                            {"dictionary", "PATH", set_dictionary},
                            {"user-dictionary", "FILE", add_user_words},
                            {"phrases", "FILE", set_phrases},
                            {"idf", "FILE|jieba", set_idf}};

/// Returns the key that stands at `at` with "=" behind it, or "".
std::string key_at(const std::string& typed, size_t at, std::span<const RecipeKey> keys) {
  for (const auto& [key, value] : keys) {
    if (typed.compare(at, key.size(), key) == 0 && typed.compare(at + key.size(), 1, "=") == 0) return key;
  }
  return {};
}

/// A name with ",WORD=" in it is a change that there is not, unless a file is called so.
Status check_name(const std::string& name, std::span<const RecipeKey> keys) {
  const size_t equals = name.find('=');
  if (equals == std::string::npos || file_info(name)) return {};
  const size_t comma = name.rfind(',', equals);
  const size_t begin = comma == std::string::npos ? 0 : comma + 1;
  std::vector<std::string> names;
  for (const RecipeKey& each : keys) names.push_back(each.key);
  return fail(Code::kInvalidArgument, expected_one_of(names, name.substr(begin, equals - begin)));
}

/// A change twice would leave one of the two aside; one without a value says nothing, but for "mask=", which is no
/// mask.
Status check_changes(const std::vector<RecipeKey>& changes) {
  for (auto change = changes.begin(); change != changes.end(); ++change) {
    if (change->value.empty() && change->key != "mask")
      return fail(Code::kInvalidArgument,
                  fmt::format("{0}= has no value: give {0}=VALUE, or leave it out", change->key));
    const auto before =
        std::find_if(changes.begin(), change, [&](const auto& each) { return each.key == change->key; });
    if (before == change) continue;
    const std::string cure = change->key == "mask" && !before->value.empty() && !change->value.empty()
                                 ? fmt::format(", such as mask={},{}", before->value, change->value)
                                 : "";
    return fail(Code::kInvalidArgument, fmt::format("{0}= is given twice, as \"{1}\" and \"{2}\": give it once{3}",
                                                    change->key, before->value, change->value, cure));
  }
  return {};
}

}  // namespace

std::vector<RecipeKey> recipe_keys(bool with_idf) {
  std::vector<RecipeKey> keys;
  for (const KeyRow& row : kRows) keys.push_back({row.key, row.value});
  if (!with_idf) keys.pop_back();
  return keys;
}

RecipeWords split_recipe(const std::string& typed, std::span<const RecipeKey> keys) {
  RecipeWords words;
  std::string* into = &words.name;
  for (size_t at = 0; at <= typed.size();) {
    const size_t end = std::min(typed.find(',', at), typed.size());
    if (const std::string key = key_at(typed, at, keys); !key.empty()) {
      const size_t value = at + key.size() + 1;
      words.changes.push_back({key, typed.substr(value, end - value)});
      into = &words.changes.back().value;
    } else {
      *into += (at > 0 ? "," : "") + typed.substr(at, end - at);
    }
    at = end + 1;
  }
  return words;
}

Status change_recipe(std::string_view key, const std::string& value, Recipe& recipe, RecipeFiles& files) {
  return std::ranges::find(kRows, key, &KeyRow::key)->set(value, recipe, files);
}

Result<RecipeWords> parse_recipe(const std::string& typed, std::span<const RecipeKey> keys) {
  RecipeWords words = split_recipe(typed, keys);
  NEARDUP_TRY(check_name(words.name, keys));
  NEARDUP_TRY(check_changes(words.changes));
  return words;
}

Status make_recipe(const RecipeWords& words, const std::string& unnamed, Recipe& recipe, RecipeFiles& files) {
  NEARDUP_ASSIGN(recipe, find_recipe(words.name.empty() ? unnamed : words.name));
  for (const auto& [key, value] : words.changes) {
    if (auto status = change_recipe(key, value, recipe, files); !status)
      return fail(status.error().code, fmt::format("{}: {}", key, status.error().message));
  }
  return {};
}

Status complete_recipe(const RecipeFiles& files, const DictionaryPlaces& places, uint64_t memory_bytes,
                       Recipe& recipe) {
  NEARDUP_TRY(provide_dictionary(files.dictionary, places, recipe));
  return files.phrases.empty() ? Status{} : use_phrases(recipe, files.phrases, memory_bytes);
}

Result<std::vector<std::string>> parse_mask(const std::string& typed) {
  const std::vector<std::string> names = text::mask_names();
  std::vector<bool> wanted(names.size(), false);
  for (size_t at = 0; at <= typed.size() && !typed.empty();) {
    const size_t end = std::min(typed.find(',', at), typed.size());
    const std::string name = typed.substr(at, end - at);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return fail(Code::kInvalidArgument, expected_one_of(names, name));
    wanted[static_cast<size_t>(found - names.begin())] = true;
    at = end + 1;
  }
  std::vector<std::string> mask;
  for (size_t i = 0; i < names.size(); ++i) {
    if (wanted[i]) mask.push_back(names[i]);
  }
  return mask;
}

}  // namespace neardup::recipe
