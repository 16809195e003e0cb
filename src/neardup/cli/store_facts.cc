#include "neardup/cli/store_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/index_outcomes.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::cli {
namespace {

double by_document(uint64_t bytes, const store::Statistics& statistics) {
  return static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(statistics.documents, 1));
}

void append_row(std::string_view name, const std::string& value, std::string& out) {
  out += fmt::format("{:<27}{}\n", name, value);
}

std::string server_json(const store::Statistics& statistics, const std::string& place) {
  std::string out = ",\"place\":";
  append_json_string(out, engine::shown_place(place));
  out += fmt::format(",\"memory_bytes_per_document\":{:.1f},\"disk_bytes_per_document\":{:.1f},\"facts\":{{",
                     by_document(statistics.memory_bytes, statistics), by_document(statistics.disk_bytes, statistics));
  for (const store::StoreFact& fact : statistics.facts) {
    if (out.back() != '{') out += ',';
    append_json_string(out, fact.name);
    out += ':';
    append_json_string(out, fact.value);
  }
  return out + "}";
}

void append_rows_of_texts(const engine::TextStore& store, std::string& out) {
  append_row("recipe", recipe::recipe_words(store.recipe_id()), out);
  append_row("family", std::string(recipe::family_name(store.recipe().family)), out);
  append_row("rule", verify::to_string(store.settings().matching.verify), out);
  if (const auto& share = store.settings().matching.contained) append_row("contained", fmt::format("{}", *share), out);
  append_row("records", std::string(name_of(store.settings().records)), out);
  append_row("texts", store.settings().keep_texts ? "kept" : "not kept", out);
}

std::string json_of_texts(const engine::TextStore& store) {
  std::string out = ",\"recipe\":";
  append_json_string(out, store.recipe_id());
  out += fmt::format(",\"family\":\"{}\",\"rule\":", recipe::family_name(store.recipe().family));
  append_json_string(out, verify::to_string(store.settings().matching.verify));
  if (const auto& share = store.settings().matching.contained) out += fmt::format(",\"contained\":{}", *share);
  return out + fmt::format(",\"records\":\"{}\",\"keep_texts\":{}", name_of(store.settings().records),
                           store.settings().keep_texts);
}

}  // namespace

std::string store_facts_text(const StoreFacts& facts) {
  const store::Statistics& statistics = facts.statistics;
  std::string out;
  const auto row = [&](std::string_view name, const std::string& value) { append_row(name, value, out); };
  row("documents", human_count(statistics.documents));
  row("of them duplicates", human_count(statistics.duplicates));
  row("erased, not yet left out", human_count(statistics.erased));
  row("open tags", human_count(statistics.open_tags));
  if (facts.texts != nullptr) {
    append_rows_of_texts(*facts.texts, out);
  } else {
    const store::StoreSettings& settings = facts.store.settings();
    row("fingerprints", fmt::format("{} of {} bits, compared within {}; no texts", settings.num_fingerprints,
                                    settings.num_bits, settings.max_distance));
  }
  if (engine::is_on_server(facts.place)) {
    const auto size = [&](const char* name, uint64_t bytes) {
      row(name, fmt::format("{}, {:.1f} bytes a document", bytes_text(bytes), by_document(bytes, statistics)));
    };
    row("place", engine::shown_place(facts.place));
    if (statistics.memory_bytes > 0) size("memory of the server", statistics.memory_bytes);
    if (statistics.disk_bytes > 0) size("disk of the server", statistics.disk_bytes);
    for (const store::StoreFact& fact : statistics.facts) row(fact.name, fact.value);
    return out;
  }
  row("on disk", bytes_text(statistics.disk_bytes));
  row("indexes in memory", bytes_text(statistics.memory_bytes));
  row("log to be read at a start", bytes_text(statistics.log_bytes));
  return out;
}

std::string store_facts_json(const StoreFacts& facts) {
  const store::Statistics& statistics = facts.statistics;
  const store::StoreSettings& settings = facts.store.settings();
  std::string out = fmt::format("{{\"documents\":{},\"duplicates\":{},\"erased\":{},\"open_tags\":{}",
                                statistics.documents, statistics.duplicates, statistics.erased, statistics.open_tags);
  out += facts.texts != nullptr ? json_of_texts(*facts.texts)
                                : fmt::format(",\"fingerprints\":{},\"bits\":{},\"distance\":{}",
                                              settings.num_fingerprints, settings.num_bits, settings.max_distance);
  out += fmt::format(",\"disk_bytes\":{},\"memory_bytes\":{},\"log_bytes\":{}", statistics.disk_bytes,
                     statistics.memory_bytes, statistics.log_bytes);
  if (engine::is_on_server(facts.place)) out += server_json(statistics, facts.place);
  return out + "}\n";
}

}  // namespace neardup::cli
