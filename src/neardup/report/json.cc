#include <cmath>
#include <nlohmann/json.hpp>

#include "neardup/base/parse_json.h"
#include "neardup/report/figures.h"
#include "neardup/report/render.h"
#include "neardup/report/warnings.h"

namespace neardup::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;  // raised when a key changes its meaning

// Four decimals: the figures come from 32-bit floats, whose tail digits mean nothing. JSON has no NaN.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::round(value * 1e4) / 1e4;
}

Json figures(const Tally& tally, bool has_contained) {
  // An object from the start: a null that becomes one where memory is refused cannot be destroyed by the library.
  Json json = Json::object();
  json["read"] = tally.read;
  json["kept"] = tally.kept;
  json["removed_exact"] = tally.exact;
  json["removed_near"] = tally.near;
  if (has_contained) json["removed_contained"] = tally.contained;
  json["rejected"] = tally.rejected;
  json["bytes_read"] = tally.bytes_read;
  json["bytes_removed"] = tally.bytes_removed;
  return json;
}

Json named_figures(const std::vector<Tally>& tallies, bool has_contained) {
  Json list = Json::array();
  for (const Tally& tally : tallies) {
    Json json{{"name", tally.name}};
    json.update(figures(tally, has_contained));
    list.push_back(std::move(json));
  }
  return list;
}

// The recipe is JSON itself; anything else is kept as the string that it is.
Json recipe(const Report& report) { return parse_json<Json>(report.recipe_json).value_or(Json(report.recipe_json)); }

Json settings(const Report& report) {
  Json json = Json::object();
  json["recipe_id"] = report.recipe_id;
  json["recipe"] = recipe(report);
  json["family"] = report.num_values > 0 ? "minhash" : "simhash";
  json["distance"] = report.num_values > 0 ? Json(nullptr) : Json(report.distance);
  json["verify"] = report.verify;
  json["within"] = report.within_key.empty() ? Json(nullptr) : Json(report.within_key);
  json["size_within"] = report.size_within ? Json(*report.size_within) : Json(nullptr);
  if (report.contained) json["contained"] = *report.contained;
  json["keep"] = report.keep;
  json["cluster"] = report.cluster;
  json["mode"] = report.mode;
  return json;
}

Json pairs(const Report& report) {
  Json json = Json::object();
  json["candidates"] = report.num_candidates;
  json["verified"] = report.num_verified;
  json["similar"] = report.num_similar;
  json["settled"] = report.num_settled;
  json["filtered"] = report.num_filtered;
  return json;
}

Json contained(const Report& report) {
  Json json = Json::object();
  json["share"] = *report.contained;
  json["documents"] = report.total.contained;
  json["candidates"] = report.contained_candidates;
  json["verified"] = report.contained_verified;
  json["common_passages"] = report.common_passages;
  return json;
}

Json cluster_sizes(const Report& report) {
  Json list = Json::array();
  for (const auto& [size, count] : report.cluster_sizes) list.push_back({{"size", size}, {"clusters", count}});
  return list;
}

Json thresholds(const Report& report) {
  Json list = Json::array();
  for (const Threshold& threshold : report.thresholds)
    list.push_back({{"similarity", rounded(threshold.similarity)}, {"of", threshold.of}});
  return list;
}

Json largest_clusters(const Report& report) {
  Json list = Json::array();
  for (const ClusterExample& cluster : report.largest_clusters) {
    Json json = Json::object();
    json["cluster"] = cluster.cluster;
    json["size"] = cluster.size;
    json["kept"] = cluster.kept_id;
    json["members"] = cluster.member_ids;
    list.push_back(std::move(json));
  }
  return list;
}

// Without the texts: the ids find them, and the page shows them.
Json examples(const Report& report) {
  Json list = Json::array();
  for (const PairExample& pair : report.examples) {
    Json json = Json::object();
    json["id"] = pair.removed_id;
    json["duplicate_of"] = pair.kept_id;
    json["kind"] = pair.kind;
    json["distance"] = pair.distance >= kUnknownDistance ? Json(nullptr) : Json(pair.distance);
    json["similarity"] = rounded(pair.similarity);
    list.push_back(std::move(json));
  }
  return list;
}

Json rejections(const Report& report) {
  Json list = Json::array();
  for (const auto& [reason, count] : report.rejections) list.push_back({{"reason", reason}, {"documents", count}});
  return list;
}

Json stages(const Report& report) {
  Json list = Json::array();
  for (const Stage& stage : report.stages) {
    Json json = Json::object();
    json["name"] = stage.name;
    json["seconds"] = rounded(stage.seconds);
    json["bytes"] = stage.bytes;
    json["items"] = stage.items;
    list.push_back(std::move(json));
  }
  return list;
}

Json store(const StoreUse& use) {
  Json json = Json::object();
  json["name"] = use.name;
  json["documents"] = use.num_documents;
  json["repeated"] = use.num_repeated;
  if (!use.takes_kept) return json;
  json["added"] = use.num_added;
  json["known"] = use.num_known;
  json["replaced"] = use.num_replaced;
  return json;
}

Json run(const Report& report) {
  Json json = Json::object();
  json["command"] = report.command;
  json["started"] = report.started;
  json["seconds"] = rounded(report.seconds);
  json["peak_memory_bytes"] = report.peak_memory_bytes;
  json["threads"] = report.num_threads;
  json["stages"] = stages(report);
  return json;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json = Json::object();
  json["neardup"] = report.version;
  json["format"] = kFormat;
  json["total"] = figures(report.total, report.contained.has_value());
  json["references"] = report.num_references;
  if (report.store) json["store"] = store(*report.store);
  json["clusters"] = report.num_clusters;
  json["too_short"] = report.num_too_short;
  json["short_texts"] = {{"documents", report.num_short}, {"removed_near", report.num_short_removed}};
  json["duplicate_ids"] = {{"documents", report.num_duplicate_ids}, {"examples", report.duplicate_id_examples}};
  json["pairs"] = pairs(report);
  if (report.contained) json["contained"] = contained(report);
  json["warnings"] = all_warnings(report);
  json["settings"] = settings(report);
  json["distance_histogram"] = report.distance_histogram;
  json["near_copies"] = report.num_near_copies;
  if (report.num_values > 0) json["values_histogram"] = report.values_histogram;
  json["similarity_histogram"] = report.similarity_histogram;
  json["similarity_bin"] = rounded(1.0 / static_cast<double>(report.similarity_histogram.size()));
  json["thresholds"] = thresholds(report);
  json["just_above_threshold"] = {{"within", rounded(report.just_above)}, {"documents", report.num_just_above}};
  json["cluster_sizes"] = cluster_sizes(report);
  json["by_input"] = named_figures(report.by_input, report.contained.has_value());
  json["by_group"] = {{"key", report.group_key},
                      {"values", named_figures(report.by_group, report.contained.has_value())}};
  json["rejections"] = rejections(report);
  json["largest_clusters"] = largest_clusters(report);
  json["examples"] = examples(report);
  json["run"] = run(report);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace neardup::report
