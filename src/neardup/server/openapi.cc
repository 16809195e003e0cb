#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "neardup/base/version.h"
#include "neardup/server/json_pieces.h"
#include "neardup/server/openapi_schemas.h"
#include "neardup/server/route.h"

namespace neardup::server {
namespace {

std::string schema_of(std::string_view name) { return fmt::format("{{\"$ref\":\"#/components/schemas/{}\"}}", name); }

void append_parameter(std::string& out, std::string_view place, const ParameterRow& row) {
  if (out.back() != '[') out += ',';
  out += '{';
  append_text(out, "name", row.name);
  append_text(out, "in", place);
  if (place == "path") append_bool(out, "required", true);
  append_text(out, "description", row.summary);
  append_key(out, "schema");
  out += row.schema;
  out += '}';
}

/// The places in braces of a path, and what comes behind "?".
void append_parameters(std::string& out, const Route& route) {
  append_key(out, "parameters");
  out += '[';
  const std::string path = shown_path(route);
  std::string_view rest = path;
  for (size_t begin = rest.find('{'); begin != std::string_view::npos; begin = rest.find('{')) {
    const size_t end = rest.find('}');
    append_parameter(out, "path", {rest.substr(begin + 1, end - begin - 1), R"({"type":"string","minLength":1})", ""});
    rest.remove_prefix(end + 1);
  }
  for (const ParameterRow& row : route.parameters) append_parameter(out, "query", row);
  if (route.needs_id)
    append_parameter(out, "header",
                     {"Idempotency-Key", R"({"type":"string","maxLength":992})",
                      "Id of a document that has none; of several each gets /0, /1, ... behind it"});
  out += ']';
}

void append_content(std::string& out, std::string_view type, std::string_view schema) {
  append_key(out, type);
  out += fmt::format("{{\"schema\":{}}}", schema);
}

void append_request(std::string& out, const Route& route) {
  if (route.request.empty()) return;
  append_key(out, "requestBody");
  out += "{\"required\":true,\"content\":{";
  append_content(out, kJsonType, schema_of(route.request));
  if (route.operation != nullptr) {
    append_content(out, kLinesType, R"({"type":"string","description":"One document a line"})");
    append_content(out, "application/octet-stream",
                   R"({"type":"string","format":"binary","description":"A file of fingerprints"})");
  }
  out += "}}";
}

void append_answers(std::string& out, const Route& route) {
  append_key(out, "responses");
  out += R"({"200":{"description":"Done","content":{)";
  const bool is_json = route.answer.find('/') == std::string_view::npos;
  append_content(out, is_json ? kJsonType : route.answer, is_json ? schema_of(route.answer) : R"({"type":"string"})");
  if (route.operation != nullptr)
    append_content(out, kLinesType, R"({"type":"string","description":"A line for each"})");
  out += R"(}},"default":{"description":"What went wrong","content":{)";
  append_content(out, kJsonType, schema_of("Error"));
  out += "}}}";
}

void append_operation(std::string& out, const Route& route) {
  std::string method(method_name(route.method));
  std::ranges::transform(method, method.begin(), [](char c) { return static_cast<char>(c + ('a' - 'A')); });
  append_key(out, method);
  out += '{';
  append_text(out, "operationId", route.name);
  append_text(out, "summary", route.summary);
  append_key(out, "security");
  out += route.access == Access::kNone ? "[]" : R"([{},{"key":[]}])";
  append_parameters(out, route);
  append_request(out, route);
  append_answers(out, route);
  out += '}';
}

std::vector<std::string> different_paths() {
  std::vector<std::string> paths;
  for (const Route& route : routes()) {
    if (route.name.empty()) continue;
    if (std::ranges::find(paths, shown_path(route)) == paths.end()) paths.push_back(shown_path(route));
  }
  return paths;
}

std::string make_document() {
  std::string out = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"neardup\"";
  append_text(out, "version", kVersion);
  append_text(out, "description", "Have I seen this? docs/http.md says more");
  out += "},\"paths\":{";
  for (const std::string& path : different_paths()) {
    append_key(out, path);
    out += '{';
    for (const Route& route : routes()) {
      if (shown_path(route) == path) append_operation(out, route);
    }
    out += '}';
  }
  out += "},\"components\":{\"securitySchemes\":{\"key\":{\"type\":\"http\",\"scheme\":\"bearer\"}},\"schemas\":{";
  out += kOpenapiSchemas;
  return out + "}}}\n";
}

}  // namespace

const std::string& openapi_document() {
  static const std::string document = make_document();
  return document;
}

}  // namespace neardup::server
