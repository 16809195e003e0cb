#include "neardup/cli/index_facts.h"

#include <fmt/format.h>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::cli {
namespace {

const char* codec_name(hamming::Codec codec) {
  return codec == hamming::Codec::kPacked ? "packed" : codec == hamming::Codec::kPlain ? "plain" : "delta";
}

}  // namespace

std::string index_facts_text(const engine::IndexFacts& facts) {
  const auto& settings = facts.settings;
  std::string out;
  const auto row = [&](const char* name, const std::string& value) { out += fmt::format("{:<27}{}\n", name, value); };
  row("documents", human_count(facts.figures.documents));
  row("fingerprints in segments", human_count(facts.figures.index.sealed_entries));
  row("fingerprints each", settings.num_columns == 0 ? "not known yet" : std::to_string(settings.num_columns));
  row("distance", fmt::format("up to {} of {} bits", settings.max_distance, settings.num_bits));
  row("plan",
      settings.plan.empty() ? fmt::format("auto{}{}", facts.plan.empty() ? "" : ", now ", facts.plan) : settings.plan);
  row("codec", codec_name(settings.codec));
  row("segments", std::to_string(facts.figures.index.segments));
  row("erased, not yet left out", human_count(facts.figures.index.erased));
  row("bytes per fingerprint", fmt::format("{:.2f}", facts.bytes_per_fingerprint()));
  row("segments on disk", human_bytes(static_cast<double>(facts.segment_bytes)));
  row("ids on disk", human_bytes(static_cast<double>(facts.figures.id_bytes)));
  row("recipe", settings.recipe_id.empty() ? "not known" : recipe::recipe_words(settings.recipe_id));
  row("commits", human_count(facts.commits));
  return out;
}

std::string index_facts_json(const engine::IndexFacts& facts) {
  const auto& settings = facts.settings;
  std::string out =
      fmt::format("{{\"documents\":{},\"fingerprints\":{},\"columns\":{},\"distance\":{},\"bits\":{},\"plan\":",
                  facts.figures.documents, facts.figures.index.sealed_entries, settings.num_columns,
                  settings.max_distance, settings.num_bits);
  append_json_string(out, settings.plan.empty() ? "auto" : settings.plan);
  out += ",\"plan_now\":";
  append_json_string(out, facts.plan);
  out += fmt::format(
      ",\"codec\":\"{}\",\"segments\":{},\"erased\":{},\"bytes_per_fingerprint\":{:.3f},\"segment_bytes\":{},"
      "\"id_bytes\":{},\"recipe\":",
      codec_name(settings.codec), facts.figures.index.segments, facts.figures.index.erased,
      facts.bytes_per_fingerprint(), facts.segment_bytes, facts.figures.id_bytes);
  append_json_string(out, settings.recipe_id);
  out += fmt::format(",\"commits\":{}}}\n", facts.commits);
  return out;
}

}  // namespace neardup::cli
