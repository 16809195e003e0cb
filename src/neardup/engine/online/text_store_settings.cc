#include "neardup/engine/online/text_store_settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "neardup/base/disk/file.h"
#include "neardup/base/parse_json.h"
#include "neardup/engine/match/given_commonness.h"

namespace neardup::engine {
namespace {

constexpr std::string_view kIdf = "idf.bin", kCommonness = "commonness.bin", kPhrases = "phrases.bin",
                           kDictionary = "dictionary.bin";
constexpr std::string_view kTemplates = " --templates";  // verify::to_string() has it behind the rule

Status add_file(std::string_view name, const std::string& path, std::vector<store::GivenFile>& files) {
  NEARDUP_ASSIGN(std::string bytes, read_file(path));
  files.push_back({std::string(name), std::move(bytes)});
  return {};
}

bool has_file(const store::Store& store, std::string_view name) {
  const auto& files = store.settings().files;
  return std::ranges::any_of(files, [name](const store::OwnFile& file) { return file.name == name; });
}

Result<verify::Rule> rule_of(std::string_view text) {
  const bool templates = text.ends_with(kTemplates);
  if (templates) text.remove_suffix(kTemplates.size());
  NEARDUP_ASSIGN(verify::Rule rule, verify::rule_from_string(text));
  rule.templates = templates;
  return rule;
}

Status read_files(const store::Store& store, DedupOptions& matching) {
  if (has_file(store, kIdf)) matching.idf_file = store.file_path(kIdf);
  if (has_file(store, kCommonness)) matching.commonness_file = store.file_path(kCommonness);
  if (has_file(store, kPhrases)) NEARDUP_TRY(recipe::use_phrases(matching.recipe, store.file_path(kPhrases)));
  if (!has_file(store, kDictionary)) return {};
  NEARDUP_ASSIGN(auto dictionary, token::JiebaDictionary::open_compiled(store.file_path(kDictionary)));
  return recipe::attach_dictionary(matching.recipe, std::move(dictionary));
}

}  // namespace

store::StoreSettings store_settings(const TextStoreSettings& settings, const Matcher& matcher) {
  nlohmann::ordered_json matching = {{"verify", verify::to_string(matcher.decision.rule())},
                                     {"records", name_of(settings.records)},
                                     {"keep_texts", settings.keep_texts}};
  if (settings.matching.contained) matching["contained"] = *settings.matching.contained;
  if (matcher.learns) matching["learns"] = true;
  return {.num_fingerprints = static_cast<uint32_t>(matcher.recipe.num_fingerprints()),
          .has_passages = settings.matching.contained.has_value(),
          .max_distance = matcher.decision.bounds().max_distance,
          .recipe_id = recipe::recipe_id(matcher.recipe),
          .recipe_json = recipe::to_json(matcher.recipe),
          .matching_json = matching.dump()};
}

Result<std::vector<store::GivenFile>> files_of(const TextStoreSettings& settings, const Matcher& matcher) {
  const DedupOptions& matching = settings.matching;
  std::vector<store::GivenFile> files;
  if (!matching.idf_file.empty()) NEARDUP_TRY(add_file(kIdf, matching.idf_file, files));
  if (!matching.commonness_file.empty() && matching.commonness_file != kNoCommonness)
    NEARDUP_TRY(add_file(kCommonness, matching.commonness_file, files));
  if (matcher.recipe.phrase_set.object != nullptr)
    files.push_back({std::string(kPhrases), matcher.recipe.phrase_set.object->to_bytes()});
  if (matcher.recipe.dictionary.object != nullptr)
    files.push_back({std::string(kDictionary), std::string(matcher.recipe.dictionary.object->bytes())});
  return files;
}

Result<TextStoreSettings> text_store_settings(const store::Store& store) {
  const auto parsed = parse_json<nlohmann::json>(store.settings().matching_json);
  const nlohmann::json json = parsed ? *parsed : nlohmann::json();
  const auto records = records_of_name(json_string(json_member(json, "records")));
  if (!records)
    return fail(Code::kInvalidArgument,
                "the store does not say how its texts are compared: it was not made for texts, but for fingerprints");
  TextStoreSettings settings;
  settings.records = *records;
  settings.keep_texts = json_member(json, "keep_texts") == true;
  DedupOptions& matching = settings.matching;
  NEARDUP_ASSIGN(matching.recipe, recipe::recipe_from_json(store.settings().recipe_json));
  NEARDUP_ASSIGN(matching.verify, rule_of(json_string(json_member(json, "verify"))));
  matching.verify_is_given = true;
  if (const nlohmann::json contained = json_member(json, "contained"); contained.is_number())
    matching.contained = contained.get<double>();
  const bool is_simhash = matching.recipe.family == recipe::Family::kSimHash;
  matching.family = is_simhash ? FamilyChoice::kSimHash : FamilyChoice::kMinHash;
  if (is_simhash) matching.distance = store.settings().max_distance;
  NEARDUP_TRY(read_files(store, matching));
  const bool weighs = matching.verify.kind == verify::Rule::Kind::kContent;
  if (weighs && matching.commonness_file.empty() && json_member(json, "learns") != true)
    matching.commonness_file = kNoCommonness;
  return settings;
}

}  // namespace neardup::engine
