#include "neardup/cli/store_facts.h"

#include <fmt/format.h>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/index_outcomes.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::cli {

std::string store_facts_text(const engine::TextStore& store, const store::Statistics& statistics) {
  std::string out;
  const auto row = [&](const char* name, const std::string& value) { out += fmt::format("{:<27}{}\n", name, value); };
  row("documents", human_count(statistics.documents));
  row("of them duplicates", human_count(statistics.duplicates));
  row("erased, not yet left out", human_count(statistics.erased));
  row("open tags", human_count(statistics.open_tags));
  row("recipe", recipe::recipe_words(store.recipe_id()));
  row("family", std::string(recipe::family_name(store.recipe().family)));
  row("rule", verify::to_string(store.settings().matching.verify));
  if (const auto& share = store.settings().matching.contained) row("contained", fmt::format("{}", *share));
  row("records", std::string(name_of(store.settings().records)));
  row("texts", store.settings().keep_texts ? "kept" : "not kept");
  row("on disk", bytes_text(statistics.disk_bytes));
  row("indexes in memory", bytes_text(statistics.memory_bytes));
  row("log to be read at a start", bytes_text(statistics.log_bytes));
  return out;
}

std::string store_facts_json(const engine::TextStore& store, const store::Statistics& statistics) {
  std::string out = fmt::format("{{\"documents\":{},\"duplicates\":{},\"erased\":{},\"open_tags\":{},\"recipe\":",
                                statistics.documents, statistics.duplicates, statistics.erased, statistics.open_tags);
  append_json_string(out, store.recipe_id());
  out += fmt::format(",\"family\":\"{}\",\"rule\":", recipe::family_name(store.recipe().family));
  append_json_string(out, verify::to_string(store.settings().matching.verify));
  if (const auto& share = store.settings().matching.contained) out += fmt::format(",\"contained\":{}", *share);
  out += fmt::format(",\"records\":\"{}\",\"keep_texts\":{},\"disk_bytes\":{},\"memory_bytes\":{},\"log_bytes\":{}}}\n",
                     name_of(store.settings().records), store.settings().keep_texts, statistics.disk_bytes,
                     statistics.memory_bytes, statistics.log_bytes);
  return out;
}

}  // namespace neardup::cli
