#include <fmt/format.h>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/index_actions.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::cli {

namespace {

const char* codec_name(hamming::Codec codec) {
  return codec == hamming::Codec::kPacked ? "packed" : codec == hamming::Codec::kPlain ? "plain" : "delta";
}

/// What is shown: the figures of an index and of its files.
struct Facts {
  store::DirectoryFigures figures;
  store::IndexSettings settings;
  uint64_t commits = 0;
  uint64_t segment_bytes = 0;
  std::string plan;  // of the largest segment

  [[nodiscard]] double bytes_per_fingerprint() const {
    const uint64_t count = figures.index.sealed_entries;
    return count == 0 ? 0 : static_cast<double>(segment_bytes) / static_cast<double>(count);
  }
};

Facts facts_of(const Index& index) {
  Facts facts{index.figures(), index.settings(), index.manifest().commit, 0, ""};
  uint64_t most = 0;
  for (const store::SegmentFiles& segment : index.manifest().segments) facts.segment_bytes += segment.index_bytes;
  for (const auto& segment : index.segments()) {
    if (segment.index.size() < most) continue;
    most = segment.index.size();
    facts.plan = segment.index.plan().name;
  }
  return facts;
}

std::string text_of(const Facts& facts) {
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

std::string json_of(const Facts& facts) {
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

}  // namespace

Status show_index(const IndexArguments& arguments, Io& io) {
  store::DirectoryOptions options = directory_options(arguments, io);
  options.verify = false;
  NEARDUP_ASSIGN(const Index index, Index::open_to_read(arguments.folder, options));
  const Facts facts = facts_of(index);
  io.print(arguments.json ? json_of(facts) : text_of(facts));
  return {};
}

}  // namespace neardup::cli
