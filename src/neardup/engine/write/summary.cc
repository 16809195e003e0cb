#include "neardup/engine/write/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "neardup/base/hash.h"
#include "neardup/base/parse_json.h"
#include "neardup/base/utf8.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/write/bar.h"
#include "neardup/engine/write/explain_command.h"
#include "neardup/engine/write/lists.h"
#include "neardup/engine/write/shown_text.h"
#include "neardup/report/tally.h"

namespace neardup::engine {
namespace {

constexpr size_t kNumClusters = 20;
constexpr size_t kNumMembers = 12;
constexpr size_t kExamplesPerBand = 50;
constexpr size_t kNumBins = 20;
constexpr size_t kExcerptBytes = 300;

size_t similarity_bin(float similarity) {
  const auto bin = static_cast<size_t>(std::max(0.0F, similarity) * static_cast<float>(kNumBins));
  return std::min(bin, kNumBins - 1);
}

void count(report::Tally& tally, const Row& row, const DocumentFate& fate) {
  ++tally.read;
  tally.bytes_read += row.text_bytes;
  if (fate.fate == Fate::kKept) ++tally.kept;
  if (fate.fate == Fate::kExact) ++tally.exact;
  if (fate.fate == Fate::kNear) ++tally.near;
  if (fate.fate == Fate::kContained) ++tally.contained;
  if (is_removed(fate.fate)) tally.bytes_removed += row.text_bytes;
}

void sort_tallies(std::vector<report::Tally>& tallies) {
  std::stable_sort(tallies.begin(), tallies.end(), [](const report::Tally& a, const report::Tally& b) {
    return report::removed(a) != report::removed(b) ? report::removed(a) > report::removed(b) : a.read > b.read;
  });
}

class Summarizer {
 public:
  Summarizer(const Documents& documents, const Outcome& outcome, const Clusters& clusters, const DedupOptions& options)
      : documents_(documents), outcome_(outcome), clusters_(clusters), options_(options) {}

  Result<report::Report> run(const ShownDocuments& shown, const ShownTexts& texts) {
    settings();
    tallies();
    NEARDUP_TRY(rejections());
    duplicate_ids();
    cluster_sizes();
    largest_clusters(shown, texts);
    examples(shown, texts);
    return std::move(report_);
  }

 private:
  void settings();
  void tallies();
  void count_distance(uint32_t document);
  Status rejections();
  [[nodiscard]] std::string describe(const Documents::Rejected& rejected) const;
  void duplicate_ids();
  void cluster_sizes();
  void largest_clusters(const ShownDocuments& shown, const ShownTexts& texts);
  void examples(const ShownDocuments& shown, const ShownTexts& texts);

  const Documents& documents_;
  const Outcome& outcome_;
  const Clusters& clusters_;
  const DedupOptions& options_;
  std::vector<report::Tally> inputs_;
  report::Report report_;
};

void Summarizer::settings() {
  report_.recipe_json = recipe::to_json(options_.recipe);
  report_.recipe_id = recipe::recipe_id(options_.recipe);
  report_.distance = static_cast<int>(outcome_.distance);
  if (options_.recipe.family == recipe::Family::kMinHash) {
    report_.num_values = options_.recipe.minhash.num_values;
    report_.num_bands = options_.recipe.minhash.bands;
    report_.band_rows = options_.recipe.minhash.rows;
  }
  report_.num_settled = outcome_.num_settled;
  report_.num_filtered = outcome_.num_filtered;
  report_.contained = options_.contained;
  report_.contained_candidates = outcome_.contained.num_candidates;
  report_.contained_verified = outcome_.contained.num_verified;
  report_.common_passages = outcome_.contained.num_common;
  report_.within_key = options_.read.within_key;
  report_.size_within = options_.size_within;
  report_.verify = verify::to_string(options_.verify);
  report_.keep = cluster::to_string(options_.keep);
  report_.cluster = to_string(options_.cluster);
  report_.mode = to_string(options_.mode);
  report_.group_key = options_.read.group_key;
  report_.num_candidates = outcome_.num_candidates;
  report_.num_verified = outcome_.num_verified;
  report_.num_similar = outcome_.num_similar;
  report_.num_references = documents_.num_references() - documents_.num_stored();
}

void Summarizer::count_distance(uint32_t document) {
  const DocumentFate& fate = outcome_.fates[document];
  if (report_.num_values == 0) {
    if (fate.distance < report_.distance_histogram.size()) ++report_.distance_histogram[fate.distance];
    return;
  }
  const auto num_values = static_cast<uint32_t>(report_.num_values);
  if (fate.distance > num_values || by_characters(documents_, document, fate.kept)) return;
  const size_t steps = report_.values_histogram.size();
  ++report_.values_histogram[std::min(steps - 1, steps * fate.distance / num_values)];
}

void Summarizer::tallies() {
  report_.total.name = "total";
  inputs_.resize(documents_.num_inputs());
  std::map<std::string_view, report::Tally> groups;
  for (uint32_t document = documents_.num_references(); document < documents_.size(); ++document) {
    const Row& row = documents_.row(document);
    const DocumentFate& fate = outcome_.fates[document];
    count(report_.total, row, fate);
    count(inputs_[row.input], row, fate);
    if (!options_.read.group_key.empty()) count(groups[documents_.group(document)], row, fate);
    if ((row.flags & (kHasFeatures | kNotWhole)) == 0) ++report_.num_too_short;
    if (documents_.short_size(document) > 0) ++report_.num_short;
    if (fate.fate == Fate::kNear && by_characters(documents_, document, fate.kept)) ++report_.num_short_removed;
    if (fate.fate != Fate::kNear) continue;
    count_distance(document);
    ++report_.similarity_histogram[similarity_bin(fate.similarity)];
    report_.num_just_above += is_just_above(documents_, outcome_, options_.verify, document);
  }
  report_.thresholds = thresholds_of(options_.verify, report_.num_short_removed > 0);
  report_.just_above = kJustAbove;
  for (auto& [name, tally] : groups) {
    tally.name = name.empty() ? "(missing)" : name;
    report_.by_group.push_back(std::move(tally));
  }
  sort_tallies(report_.by_group);
}

// "FILE:LINE: MESSAGE"; messages about whole files name them.
std::string Summarizer::describe(const Documents::Rejected& rejected) const {
  const auto json = parse_json<nlohmann::json>("{" + std::string(rejected.json) + "}").value_or(nlohmann::json());
  const std::string message = json_string(json_member(json, "message"));
  if (rejected.line == 0) return message;
  return fmt::format("{}:{}: {}", documents_.input(rejected.input).name, rejected.line, message);
}

Status Summarizer::rejections() {
  std::map<std::string, uint64_t, std::less<>> reasons;
  std::map<std::string, std::string, std::less<>> firsts;
  NEARDUP_TRY(documents_.for_each_rejected([&](const Documents::Rejected& rejected) -> Status {
    if (rejected.is_note) return {};
    const std::string reason(rejected.reason);
    if (++reasons[reason] == 1) firsts[reason] = describe(rejected);
    if (rejected.is_reference) return {};
    for (report::Tally* tally : {&report_.total, &inputs_[rejected.input]}) {
      ++tally->read;
      ++tally->rejected;
    }
    return {};
  }));
  report_.rejections.assign(reasons.begin(), reasons.end());
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto most = std::max_element(reasons.begin(), reasons.end(), fewer);
  if (most != reasons.end()) report_.rejected_example = firsts[most->first];
  std::map<std::string, report::Tally> sources;
  for (uint32_t input = 0; input < inputs_.size(); ++input)
    if (inputs_[input].read != 0) report::add(sources[source_name(documents_.input(input))], inputs_[input]);
  for (auto& [name, tally] : sources) {
    tally.name = name;
    report_.by_input.push_back(std::move(tally));
  }
  sort_tallies(report_.by_input);
  return {};
}

void Summarizer::duplicate_ids() {
  std::vector<uint64_t> hashes;
  for (uint32_t document = documents_.num_references(); document < documents_.size(); ++document)
    if ((documents_.row(document).flags & kHasId) != 0) hashes.push_back(hash64(documents_.id(document)));
  std::sort(hashes.begin(), hashes.end());
  std::vector<uint64_t> repeated;
  for (size_t i = 1; i < hashes.size(); ++i) {
    if (hashes[i] != hashes[i - 1]) continue;
    ++report_.num_duplicate_ids;
    if (repeated.size() < 5 && (repeated.empty() || repeated.back() != hashes[i])) repeated.push_back(hashes[i]);
  }
  if (repeated.empty()) return;
  for (uint32_t document = documents_.num_references(); document < documents_.size() && !repeated.empty(); ++document) {
    const std::string id = documents_.id(document);
    if (std::erase(repeated, hash64(id)) != 0) report_.duplicate_id_examples.push_back(id);
  }
}

void Summarizer::cluster_sizes() {
  std::map<uint64_t, uint64_t> sizes;
  for (uint32_t cluster = 0; cluster < clusters_.size(); ++cluster) ++sizes[clusters_.removed(cluster).size() + 1];
  report_.cluster_sizes.assign(sizes.begin(), sizes.end());
  report_.num_clusters = clusters_.size();
}

std::string beginning_of(const ShownTexts& texts, uint32_t document, size_t limit) {
  const auto found = texts.find(document);
  if (found == texts.end()) return {};
  return std::string(cut_at_character(found->second, limit));
}

bool is_cut(const ShownTexts& texts, uint32_t document) {
  const auto found = texts.find(document);
  return found != texts.end() && found->second.size() > kShownBytes;
}

void Summarizer::largest_clusters(const ShownDocuments& shown, const ShownTexts& texts) {
  for (const uint32_t cluster : shown.clusters) {
    report::ClusterExample example;
    const auto members = clusters_.removed(cluster);
    example.size = members.size() + 1;
    example.cluster = std::to_string(cluster);
    example.kept_id = documents_.id(clusters_.kept(cluster));
    example.kept_excerpt = beginning_of(texts, clusters_.kept(cluster), kExcerptBytes);
    for (const uint32_t document : members.subspan(0, std::min(members.size(), kNumMembers)))
      example.member_ids.push_back(documents_.id(document));
    report_.largest_clusters.push_back(std::move(example));
  }
}

void Summarizer::examples(const ShownDocuments& shown, const ShownTexts& texts) {
  report_.fold_word = fold_word_of(options_.recipe);
  for (const uint32_t document : shown.removed) {
    const DocumentFate& fate = outcome_.fates[document];
    report_.examples.push_back({.kept_id = documents_.id(fate.kept),
                                .removed_id = documents_.id(document),
                                .kept_text = beginning_of(texts, fate.kept, kShownBytes),
                                .removed_text = beginning_of(texts, document, kShownBytes),
                                .kind = std::string(name_of(fate.fate)),
                                .distance = fate.distance,
                                .similarity = shown_similarity(fate.similarity),
                                .kept_is_cut = is_cut(texts, fate.kept),
                                .removed_is_cut = is_cut(texts, document),
                                .command = explain_command(documents_, outcome_, options_, document)});
  }
}

// Keeps the fifty of one band whose numbers mix to the least, of two clusters where there are.
void take_by_chance(std::vector<uint32_t>& taken, uint32_t document, const Outcome& outcome) {
  const auto before = [](uint32_t a, uint32_t b) { return mix64(a) < mix64(b); };
  if (taken.size() == kExamplesPerBand && !before(document, taken.back())) return;  // most are
  const uint32_t kept = outcome.fates[document].kept;
  const auto same = std::ranges::find(taken, kept, [&](uint32_t other) { return outcome.fates[other].kept; });
  if (same == taken.end()) {
    taken.push_back(document);
  } else if (before(document, *same)) {
    *same = document;
  }
  std::ranges::sort(taken, before);
  taken.resize(std::min(taken.size(), kExamplesPerBand));
}

// Band 0 is below the lowest threshold: chains of --cluster components reach there.
size_t band_of(float similarity, double threshold) {
  constexpr double kRounding = 1e-6;
  return similarity < threshold - kRounding
             ? 0
             : 1 + static_cast<size_t>((similarity - threshold + kRounding) / kBandWidth);
}

std::vector<uint32_t> examples_of(const Outcome& outcome, const verify::Rule& rule) {
  const std::vector<report::Threshold> thresholds = thresholds_of(rule, false);
  const double threshold = thresholds.empty() ? 0 : thresholds[0].similarity;
  std::map<size_t, std::vector<uint32_t>> bands;
  std::vector<uint32_t> examples, contained;
  for (uint32_t document = 0; document < outcome.fates.size(); ++document) {
    const DocumentFate& fate = outcome.fates[document];
    if (fate.fate == Fate::kNear) take_by_chance(bands[band_of(fate.similarity, threshold)], document, outcome);
    if (fate.fate == Fate::kContained) take_by_chance(contained, document, outcome);
    if (fate.fate == Fate::kExact && examples.empty()) examples.push_back(document);
  }
  examples.insert(examples.end(), contained.begin(), contained.end());
  for (const auto& [band, documents] : bands) examples.insert(examples.end(), documents.begin(), documents.end());
  return examples;
}

}  // namespace

std::string source_name(const corpus::Input& input) {
  if (input.format != corpus::Format::kText) return input.name;
  const size_t slash = input.name.rfind('/');
  if (slash == std::string::npos) return input.fault.empty() ? "(text files)" : input.name;
  return input.name.substr(0, slash + 1);
}

std::vector<uint32_t> ShownDocuments::documents(const Outcome& outcome, const Clusters& table) const {
  std::vector<uint32_t> result;
  for (const uint32_t cluster : clusters) result.push_back(table.kept(cluster));
  for (const uint32_t document : removed) {
    result.push_back(document);
    result.push_back(outcome.fates[document].kept);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

ShownDocuments choose_shown(const Outcome& outcome, const Clusters& clusters, const verify::Rule& rule) {
  ShownDocuments shown;
  shown.clusters.resize(clusters.size());
  for (uint32_t i = 0; i < clusters.size(); ++i) shown.clusters[i] = i;
  const size_t num = std::min<size_t>(kNumClusters, clusters.size());
  std::partial_sort(shown.clusters.begin(), shown.clusters.begin() + static_cast<ptrdiff_t>(num), shown.clusters.end(),
                    [&](uint32_t a, uint32_t b) {
                      const size_t size_a = clusters.removed(a).size(), size_b = clusters.removed(b).size();
                      return size_a != size_b ? size_a > size_b : a < b;
                    });
  shown.clusters.resize(num);
  shown.removed = examples_of(outcome, rule);
  const auto rank = [&outcome](uint32_t document) {  // contained documents and exact copies come last
    const DocumentFate& fate = outcome.fates[document];
    return std::tuple(fate.fate == Fate::kExact, fate.fate == Fate::kContained, fate.similarity);
  };
  std::stable_sort(shown.removed.begin(), shown.removed.end(),
                   [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); });
  return shown;
}

Result<report::Report> summarize(const Documents& documents, const Outcome& outcome, const Clusters& clusters,
                                 const ShownDocuments& shown, const ShownTexts& texts, const DedupOptions& options) {
  return Summarizer(documents, outcome, clusters, options).run(shown, texts);
}

}  // namespace neardup::engine
