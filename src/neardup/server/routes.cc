#include <fmt/format.h>

#include <array>
#include <vector>

#include "neardup/base/sizes.h"
#include "neardup/server/handlers.h"
#include "neardup/server/page.h"
#include "neardup/server/route.h"

namespace neardup::server {
namespace {

constexpr std::string_view kTextSchema = R"({"type":"string"})";
constexpr ParameterRow kWithin = {"within", kTextSchema, "Category of documents that do not say themselves"};
constexpr ParameterRow kTag = {"tag", kTextSchema, "Tag of documents that do not say themselves"};
constexpr ParameterRow kTime = {"time", R"({"type":"integer","minimum":0,"maximum":9007199254740992})",
                                "Time of documents that do not say themselves, in seconds since 1970-01-01"};
constexpr std::array kOfDocuments = {kWithin, kTag, kTime};
constexpr std::array kOfChecks = {kWithin, kTag, kTime};
constexpr std::array kOfQueries = {
    ParameterRow{"limit", R"({"type":"integer","minimum":1,"maximum":1000,"default":10})",
                 "How many are found for each"},
    kWithin, kTag};
constexpr std::array kOfClusters = {
    ParameterRow{"limit", R"({"type":"integer","minimum":1,"maximum":500,"default":50})", "How many clusters"},
    ParameterRow{"after", R"({"type":"string","pattern":"^[0-9a-f]{16}$"})", "The \"next\" of the page before"},
    ParameterRow{"kept", kTextSchema, "Id of a kept document: its cluster alone"}};

constexpr std::span<const ParameterRow> kNoParameters = {};

std::vector<Route> service_routes() {
  using enum Method;
  using enum Place;
  return {
      {kPost, "/v1/check-and-insert", "checkAndInsert", "A verdict for each document, which is stored", Access::kFull,
       kArrivals, kOfDocuments, "Documents", "Verdicts", nullptr, check_and_insert_documents, true},
      {kPost, "/v1/check", "check", "The verdict that each document would get if it came alone", Access::kRead, kTasks,
       kOfChecks, "Documents", "Verdicts", nullptr, check_documents, false},
      {kPost, "/v1/query", "query", "The stored documents that are similar to each", Access::kRead, kTasks, kOfQueries,
       "Documents", "Neighbours", nullptr, query_documents, false},
      {kPost, "/v1/insert", "insert", "Stores each document, whatever it repeats", Access::kFull, kTasks, kOfDocuments,
       "Documents", "Insertions", nullptr, insert_documents, true},
      {kGet, "/v1/documents/{id*}", "getDocument", "What is stored of a document", Access::kRead, kTasks, kNoParameters,
       "", "Document", get_document},
      {kDelete, "/v1/documents/{id*}", "deleteDocument", "Erases a document", Access::kFull, kTasks, kNoParameters, "",
       "Deleted", delete_document},
      {kPost, "/v1/delete", "deleteDocuments", "Erases documents", Access::kFull, kTasks, kNoParameters, "Ids",
       "Deleted", delete_documents},
      {kPost, "/v1/explain", "explain", "How two texts differ, and why they are duplicates or not", Access::kRead,
       kSlow, kNoParameters, "Pair", "Explanation", explain_pair},
      {kGet, "/v1/clusters", "listClusters", "Kept documents with their duplicates, a page at a time", Access::kRead,
       kSlow, kOfClusters, "", "Clusters", list_clusters},
      {kGet, "/v1/tags", "listTags", "The tags", Access::kRead, kSlow, kNoParameters, "", "Tags", list_tags},
      {kPost, "/v1/tags/{tag}/begin", "beginTag", "Opens a tag: its documents do not count for others yet",
       Access::kFull, kSlow, kNoParameters, "", "Tag", begin_tag},
      {kPost, "/v1/tags/{tag}/commit", "commitTag", "Makes the documents of an open tag count for all", Access::kFull,
       kSlow, kNoParameters, "", "Tag", commit_tag},
      {kPost, "/v1/tags/{tag}/cancel", "cancelTag", "Erases the documents of an open tag", Access::kFull, kSlow,
       kNoParameters, "", "Tag", cancel_tag},
      {kDelete, "/v1/tags/{tag}", "deleteTag", "Erases the documents of a tag", Access::kFull, kSlow, kNoParameters, "",
       "Deleted", delete_tag},
      {kPost, "/v1/expire", "expire", "Erases the documents of before a time", Access::kFull, kSlow, kNoParameters,
       "Expiry", "Deleted", expire_documents},
      {kPost, "/v1/snapshot", "snapshot", "Copies the store while it is written to", Access::kFull, kSlow,
       kNoParameters, "SnapshotName", "Snapshot", make_snapshot},
      {kGet, "/v1/recipe", "getRecipe", "What fingerprints and signatures have to be made with", Access::kRead, kTasks,
       kNoParameters, "", "Recipe", get_recipe},
      {kGet, "/v1/stats", "getStats", "Figures, for people and pages", Access::kRead, kTasks, kNoParameters, "",
       "Stats", get_stats},
      {kGet, "/metrics", "getMetrics", "Figures, for Prometheus", Access::kRead, kTasks, kNoParameters, "",
       "text/plain", get_metrics, nullptr, false, true},
      {kGet, "/healthz", "getHealth", "Whether the process answers, and the server that keeps the store", Access::kNone,
       kAtOnce, kNoParameters, "", "text/plain", get_health},
      {kGet, "/livez", "getLive", "Whether the process answers", Access::kNone, kAtOnce, kNoParameters, "",
       "text/plain", get_live},
      {kGet, "/readyz", "getReady", "Whether requests are served: the log is replayed", Access::kNone, kAtOnce,
       kNoParameters, "", "text/plain", get_ready},
      {kGet, "/openapi.json", "getOpenapi", "This description", Access::kNone, kAtOnce, kNoParameters, "", "Openapi",
       get_openapi},
  };
}

const std::vector<Route>& table() {
  static const std::vector<Route> rows = [] {
    std::vector<Route> all = service_routes();
    for (const Route& route : page_routes()) all.push_back(route);
    return all;
  }();
  return rows;
}

}  // namespace

std::span<const Route> routes() { return table(); }

std::string shown_path(const Route& route) {
  std::string path(route.path);
  std::erase(path, '*');
  return path;
}

RouteMatch find_route(Method method, std::string_view path) {
  RouteMatch match;
  for (const Route& route : table()) {
    auto places = match_path(route.path, path);
    if (!places) continue;
    if (route.method == method) return {&route, std::move(*places), {}};
    match.allowed += fmt::format("{}{}", match.allowed.empty() ? "" : ", ", method_name(route.method));
  }
  return match;
}

Result<int64_t> whole_parameter(const Parameters& parameters, std::string_view name, int64_t least, int64_t most,
                                int64_t otherwise) {
  const std::string* text = find_parameter(parameters, name);
  if (text == nullptr) return otherwise;
  const auto number = parse_whole(*text, least, most);
  if (number) return *number;
  return fail(Code::kInvalidArgument, fmt::format("the parameter \"{}\": {}", name, number.error().message));
}

}  // namespace neardup::server
