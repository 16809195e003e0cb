#include <fmt/format.h>

#include "neardup/base/hash.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/online/verdict_json.h"
#include "neardup/server/handlers.h"
#include "neardup/server/json_object.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

Error no_document(std::string_view id) { return {Code::kNotFound, fmt::format("no document \"{}\"", id)}; }

void append_fingerprints(std::string& out, std::span<const uint64_t> fingerprints) {
  append_key(out, "fingerprints");
  out += '[';
  for (const uint64_t value : fingerprints)
    fmt::format_to(std::back_inserter(out), "{}\"{:016x}\"", out.back() == '[' ? "" : ",", value);
  out += ']';
}

/// What stands behind the fate.
void append_facts(std::string& out, const store::Record& record, const std::optional<engine::StoredText>& text) {
  append_key(out, "time");
  out += fmt::format("{}", record.time);
  append_count(out, "size_bytes", record.size_bytes);
  append_text_or_null(out, "tag", record.tag);
  append_text_or_null(out, "within", record.within);
  append_text(out, "checksum", to_hex(record.checksum));
  append_fingerprints(out, record.fingerprints);
  if (text) {
    append_text(out, "text", text->text);
  } else {
    out += ",\"text\":null";
  }
}

std::string etag_of(std::string_view body) { return fmt::format("\"{}\"", to_hex(hash128(body))); }

void append_member(std::string& out, const store::Member& member) {
  if (out.back() != '[') out += ',';
  out += '{';
  append_text(out, "id", member.id);
  append_text(out, "verdict", engine::name_of(member.fate.kind));
  append_number(out, "similarity", engine::shown_similarity(member.fate.similarity));
  append_count(out, "distance", member.fate.distance);
  out += '}';
}

void append_cluster(std::string& out, const KeptCluster& cluster) {
  if (out.back() != '[') out += ',';
  out += '{';
  append_text(out, "kept", cluster.kept);
  append_count(out, "size", cluster.duplicates.size() + 1);
  append_key(out, "duplicates");
  out += '[';
  for (const store::Member& member : cluster.duplicates) append_member(out, member);
  out += ']';
  append_bool(out, "truncated", cluster.truncated);
  out += '}';
}

std::string cluster_page_json(const ClusterPage& page) {
  std::string out = "{\"clusters\":[";
  for (const KeptCluster& cluster : page.clusters) append_cluster(out, cluster);
  out += ']';
  append_text_or_null(out, "next", page.next ? to_hex(*page.next) : std::string());
  append_bool(out, "truncated", page.next.has_value());
  return out;
}

Result<ClusterQuery> cluster_query(const Parameters& parameters) {
  ClusterQuery query;
  constexpr int64_t kMost = 500, kUsual = 50;
  NEARDUP_ASSIGN(const int64_t limit, whole_parameter(parameters, "limit", 1, kMost, kUsual));
  query.most_clusters = static_cast<size_t>(limit);
  if (const std::string* kept = find_parameter(parameters, "kept")) query.kept = *kept;
  const std::string* after = find_parameter(parameters, "after");
  if (after == nullptr) return query;
  constexpr size_t kDigits = 16;
  if (after->size() != kDigits || after->find_first_not_of("0123456789abcdef") != std::string::npos)
    return fail(Code::kInvalidArgument, "\"after\" must be the \"next\" of the page before");
  query.first = std::stoull(*after, nullptr, 16);
  return query;
}

}  // namespace

Response answer_with_recipe(const ServiceState& state, std::string body) {
  append_text(body, "recipe", state.backend->facts().recipe_id);
  body += "}\n";
  return {.body = std::move(body)};
}

Response answer_deleted(const ServiceState& state, const Result<uint64_t>& deleted) {
  if (!deleted) return refuse(deleted.error());
  return answer_with_recipe(state, fmt::format("{{\"deleted\":{}", *deleted));
}

Response get_document(ServiceState& state, const Request& request) {
  const std::string& id = request.places.front();
  const Backend& backend = *state.backend;
  std::string body = "{", facts = "{";
  append_text(body, "id", id);
  store::Fate fate;
  Result<std::optional<engine::StoredText>> text;
  // One look: another document may take its place at any time. The number that its fate names stands for one document
  // for ever.
  const auto found = backend.find(id, [&](const store::Record& record) {
    fate = record.fate;
    text = backend.text_of(record);
    if (text) append_facts(facts, record, *text);
  });
  if (!found) return refuse(found.error());
  if (!*found) return refuse(no_document(id));
  if (!text) return refuse(text.error());
  const Result<std::string> kept_id = fate.kind == store::Kind::kNew ? std::string() : backend.id_of(fate.kept);
  if (!kept_id) return refuse(kept_id.error());
  body += ',';
  engine::append_fate(body, fate, *kept_id);
  body += ',' + facts.substr(1);
  Response response = answer_with_recipe(state, std::move(body));
  const std::string etag = etag_of(response.body);
  if (request.if_none_match == etag) response = {.status = 304};
  response.headers = {{"ETag", etag}, {"Cache-Control", "no-cache"}};
  return response;
}

Response delete_document(ServiceState& state, const Request& request) {
  const std::string_view id = request.places.front();
  const auto deleted = state.backend->erase(std::span(&id, 1));
  if (deleted && *deleted == 0) return refuse(no_document(id));
  return answer_deleted(state, deleted);
}

Response delete_documents(ServiceState& state, const Request& request) {
  const auto object = JsonObject::parse(request.body, {"ids"});
  if (!object) return refuse(object.error());
  const auto ids = object->ids(0, state.options.limits.batch_documents);
  if (!ids) return refuse(ids.error());
  const std::vector<std::string_view> views(ids->begin(), ids->end());
  return answer_deleted(state, state.backend->erase(views));
}

Response list_clusters(ServiceState& state, const Request& request) {
  const auto query = cluster_query(request.parameters);
  if (!query) return refuse(query.error());
  const auto page = state.backend->clusters(*query);
  if (!page) return refuse(page.error());
  return answer_with_recipe(state, cluster_page_json(*page));
}

}  // namespace neardup::server
