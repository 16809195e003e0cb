#include "neardup/bench/serve_requests.h"

#include <fmt/format.h>

#include "neardup/base/json.h"
#include "neardup/base/parse_json.h"

namespace neardup::bench {
namespace {

using Json = nlohmann::json;

constexpr const char* kJsonBody = "application/json";
constexpr const char* kFileBody = "application/octet-stream";

Result<Json> ask(const LoopbackAddress& server, std::string_view path) {
  constexpr int kGood = 200;
  NEARDUP_ASSIGN(const HttpAnswer answer, get(server, path));
  auto json = parse_json<Json>(answer.body);
  if (answer.status == kGood && json && json->is_object()) return std::move(*json);
  return fail(Code::kIo, fmt::format("{} answers {} with status {}: no neardup serve, or one that wants a key",
                                     server.host(), path, answer.status));
}

template <class Count = uint64_t>
Count count_of(const Json& json, const std::string& key) {
  return json_integer<Count>(json_member(json, key)).value_or(0);
}

std::string request_of(const LoopbackAddress& server, std::string_view route, const char* type, std::string_view body) {
  return fmt::format("POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", route,
                     server.host(), type, body.size(), body);
}

std::string text_body(const engine::ArrivingText& document) {
  std::string body = "{\"id\":";
  append_json_string(body, document.id);
  body += ",\"text\":";
  append_json_string(body, document.text);
  return body + "}";
}

Result<std::string> file_body(const ArrivingDocuments& documents, const fingerprint::FileHeader& header) {
  NEARDUP_ASSIGN(auto writer, fingerprint::FileWriter::in_memory(header));
  for (const engine::ArrivingText& document : documents.all()) {
    fingerprint::Record record;
    record.id = document.id;
    record.fingerprints = document.fingerprints;
    record.signature = document.signature;
    NEARDUP_TRY(writer.add(record));
  }
  NEARDUP_TRY(writer.commit());
  return writer.take_bytes();
}

}  // namespace

ArrivingContent ServedRecipe::ready_values() const {
  return {.num_fingerprints = header.num_columns, .num_signature_values = header.num_values};
}

Result<ServedRecipe> ask_recipe(const LoopbackAddress& server) {
  NEARDUP_ASSIGN(const Json json, ask(server, "/v1/recipe"));
  ServedRecipe recipe;
  recipe.header.recipe_id = json_string(json_member(json, "recipe"));
  recipe.header.num_columns = count_of<uint32_t>(json, "fingerprints");
  recipe.header.num_values = count_of<uint32_t>(json, "signature_values");
  return recipe;
}

Result<ServedStore> ask_store(const LoopbackAddress& server) {
  NEARDUP_ASSIGN(const Json json, ask(server, "/v1/stats"));
  return ServedStore{count_of(json, "documents"), count_of(json, "store_memory_bytes"), count_of(json, "disk_bytes")};
}

Result<std::vector<std::string>> make_requests(const RequestRow& row, const LoopbackAddress& server,
                                               const ServedRecipe& recipe) {
  const bool has_texts = row.content.num_fingerprints == 0 && row.content.num_signature_values == 0;
  std::vector<std::string> requests;
  requests.reserve(row.num_requests);
  for (uint64_t i = 0; i < row.num_requests; ++i) {
    const ArrivingDocuments documents(row.content, row.seed, row.first + i * row.batch, row.batch);
    if (has_texts) {
      requests.push_back(request_of(server, row.route, kJsonBody, text_body(documents.all().front())));
    } else {
      NEARDUP_ASSIGN(const std::string body, file_body(documents, recipe.header));
      requests.push_back(request_of(server, row.route, kFileBody, body));
    }
  }
  return requests;
}

}  // namespace neardup::bench
