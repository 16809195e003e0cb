#include "neardup/cli/recipe_flag.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Option.hpp>
#include <algorithm>
#include <limits>

#include "neardup/base/disk/file.h"
#include "neardup/cli/dictionary_flags.h"
#include "neardup/recipe/keyword_recipe.h"
#include "neardup/recipe/weight_names.h"
#include "neardup/text/mask.h"

namespace neardup::cli {
namespace {

std::vector<std::string> keys_of(const std::vector<RecipeOverride>& overrides) {
  std::vector<std::string> keys;
  for (const RecipeOverride& each : overrides) keys.push_back(each.key);
  return keys;
}

/// Returns the key that stands at `at` with "=" behind it, or "".
std::string key_at(const std::string& typed, size_t at, std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    if (typed.compare(at, key.size(), key) == 0 && typed.compare(at + key.size(), 1, "=") == 0) return key;
  }
  return {};
}

/// A name with ",WORD=" in it is a change that there is not, unless a file is called so.
Status check_name(const std::string& name, const std::vector<std::string>& keys) {
  const size_t equals = name.find('=');
  if (equals == std::string::npos || file_info(name)) return {};
  const size_t comma = name.rfind(',', equals);
  const size_t begin = comma == std::string::npos ? 0 : comma + 1;
  return fail(Code::kInvalidArgument, expected_one_of(keys, name.substr(begin, equals - begin)));
}

/// A change twice would leave one of the two aside; one without a value says nothing, but for "mask=", which is no
/// mask.
Status check_changes(const std::vector<RecipeWords::Change>& changes) {
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

Status read_recipe(recipe::Recipe& recipe, const std::vector<RecipeOverride>& overrides, const std::string& typed) {
  const std::vector<std::string> keys = keys_of(overrides);
  const RecipeWords words = split_recipe(typed, keys);
  NEARDUP_TRY(check_name(words.name, keys));
  NEARDUP_TRY(check_changes(words.changes));
  NEARDUP_ASSIGN(recipe, recipe::find_recipe(words.name.empty() ? "default" : words.name));
  for (const RecipeWords::Change& change : words.changes) {
    const auto found = std::ranges::find(overrides, change.key, &RecipeOverride::key);
    if (auto status = found->set(change.value); !status)
      return fail(status.error().code, fmt::format("{}: {}", change.key, status.error().message));
  }
  return {};
}

bool starts_with_change(const std::string& typed, const std::vector<RecipeOverride>& overrides) {
  return split_recipe(typed, keys_of(overrides)).name.empty();
}

/// What makes of a named recipe one of its own.
RecipeOverride custom_override(recipe::Recipe& recipe, std::string key, std::string value,
                               const std::function<Status(recipe::Recipe&, const std::string& typed)>& set) {
  return {std::move(key), std::move(value), [&recipe, set](const std::string& typed) -> Status {
            NEARDUP_TRY(set(recipe, typed));
            recipe.name = "custom";
            return recipe::validate(recipe);
          }};
}

Status set_mask(recipe::Recipe& recipe, const std::string& typed) {
  NEARDUP_ASSIGN(recipe.mask, parse_mask(typed));
  return {};
}

Status set_fold_han(recipe::Recipe& recipe, const std::string& typed) {
  if (typed != "true" && typed != "false")
    return fail(Code::kInvalidArgument, expected_one_of({"true", "false"}, typed));
  recipe.fold_han = typed == "true";
  return {};
}

/// One of the words of a recipe as it is typed: validate() knows which there are.
std::function<Status(recipe::Recipe&, const std::string&)> set_word(std::string recipe::Recipe::*word) {
  return [word](recipe::Recipe& recipe, const std::string& typed) { return recipe.*word = typed, Status{}; };
}

RecipeOverride weight_override(recipe::Recipe& recipe) {
  return {"weight", "WEIGHT", [&recipe](const std::string& typed) -> Status {
            const auto weight = recipe::weight_from_name(typed == "tfidf" ? "tf_idf" : typed);
            if (!weight) {
              const auto names = recipe::weight_names();
              return fail(Code::kInvalidArgument, expected_one_of({names.begin(), names.end()}, typed));
            }
            return recipe::use_single_tokens(recipe, {.weight = *weight});
          }};
}

RecipeOverride top_n_override(recipe::Recipe& recipe) {
  return {"top_n", "N", [&recipe](const std::string& typed) -> Status {
            NEARDUP_ASSIGN(const int64_t top_n, parse_whole(typed, 0, std::numeric_limits<int>::max()));
            return recipe::use_single_tokens(recipe, {.top_n = static_cast<int>(top_n)});
          }};
}

RecipeOverride idf_override(recipe::Recipe& recipe, std::string& file) {
  return {"idf", "FILE|jieba", [&recipe, &file](const std::string& typed) -> Status {
            if (typed == "jieba") return recipe::use_jieba_idf(recipe);
            file = typed;
            return {};
          }};
}

RecipeOverride phrases_override(Flags& flags, recipe::Recipe& recipe, const uint64_t* memory_bytes) {
  const auto file = std::make_shared<std::string>();
  flags.before_run([file, memory_bytes, &recipe](const Io&) -> Status {
    if (file->empty()) return {};
    return recipe::use_phrases(recipe, *file, memory_bytes == nullptr ? ~uint64_t{0} : *memory_bytes);
  });
  return {"phrases", "FILE", [file](const std::string& typed) { return *file = typed, Status{}; }};
}

std::string help_of(bool with_idf) {
  return fmt::format(
      "How texts become fingerprints; neardup recipes lists the names. Changes follow it: extraction=none|html|auto "
      "(main text of pages), mask=KIND,... (counts as equal: {}), quotes=own|all (of answers to mails), "
      "fold_han=true|false (traditional Chinese characters count as simplified ones), "
      "dictionary=PATH, user-dictionary=FILE (of jieba), "
      "phrases=FILE, weight=W (one SimHash fingerprint of tokens by their {}), top_n=N (of the N heaviest){}",
      fmt::join(text::mask_names(), ", "), fmt::join(recipe::weight_names(), ", "),
      with_idf ? ", idf=FILE|jieba (jieba: its words and their IDF)" : "");
}

/// The names of before, each a flag of its own. They come behind --recipe, so that they change the recipe it names.
void define_hidden(Flags& flags, const RecipeOverride& change) {
  const std::string help = fmt::format("As --recipe NAME,{}={}", change.key, change.value);
  flags.each({"--" + change.key, change.value, help}, change.set)->group("");
}

void define(Flags& flags, recipe::Recipe& recipe, const std::vector<RecipeOverride>& overrides, bool with_idf,
            bool* names_recipe = nullptr, const std::string& shown_default = recipe::default_recipe().name) {
  recipe = recipe::default_recipe();
  flags.value({"--recipe", kRecipeValue, help_of(with_idf)}, shown_default,
              [&recipe, overrides, names_recipe](const std::string& typed) {
                if (names_recipe != nullptr) *names_recipe = !starts_with_change(typed, overrides);
                return read_recipe(recipe, overrides, typed);
              });
  for (const RecipeOverride& each : overrides) define_hidden(flags, each);
}

std::vector<RecipeOverride> overrides_of(Flags& flags, recipe::Recipe& recipe, const uint64_t* memory_bytes) {
  std::vector<RecipeOverride> overrides = {
      custom_override(recipe, "extraction", "none|html|auto", set_word(&recipe::Recipe::extraction)),
      custom_override(recipe, "mask", "KIND,...", set_mask),
      custom_override(recipe, "quotes", "own|all", set_word(&recipe::Recipe::quotes)),
      custom_override(recipe, "fold_han", "true|false", set_fold_han),
      weight_override(recipe),
      top_n_override(recipe)};
  for (RecipeOverride& each : dictionary_overrides(flags, recipe)) overrides.push_back(std::move(each));
  overrides.push_back(phrases_override(flags, recipe, memory_bytes));
  return overrides;
}

}  // namespace

RecipeWords split_recipe(const std::string& typed, std::span<const std::string> keys) {
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

void define_recipe_flag(Flags& flags, recipe::Recipe& recipe, const uint64_t* memory_bytes) {
  define(flags, recipe, overrides_of(flags, recipe, memory_bytes), false);
}

void define_recipe_flags(Flags& flags, recipe::Recipe& recipe, std::string& idf_file, const uint64_t* memory_bytes,
                         bool* names_recipe, const std::string& shown_default) {
  std::vector<RecipeOverride> overrides = overrides_of(flags, recipe, memory_bytes);
  overrides.push_back(idf_override(recipe, idf_file));
  define(flags, recipe, overrides, true, names_recipe, shown_default);
}

void take_kept_recipe(recipe::Recipe& recipe) {
  const recipe::Recipe kept = *recipe::find_recipe(kKeptRecipe);
  recipe.fingerprints = kept.fingerprints;
  recipe.idf = kept.idf;
  recipe.either_family = false;
  recipe.short_tokens = kept.short_tokens;
  if (recipe.name == recipe::default_recipe().name) recipe.name = kept.name;
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

}  // namespace neardup::cli
