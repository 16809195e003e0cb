#include <algorithm>

#include "neardup/base/json.h"
#include "neardup/server/handlers.h"
#include "neardup/server/json_object.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

constexpr size_t kMostPieces = 2000;

/// Copies what it says: the padding that a nested object needs is that of the whole.
Result<ExplainedSide> read_side(std::string_view json) {
  NEARDUP_ASSIGN(const JsonObject object, JsonObject::parse(json, {"id", "text", "html"}));
  if (object.has(1) && object.has(2)) return fail(Code::kInvalidArgument, "give \"text\" or \"html\", not both");
  std::string id;
  if (object.has(0) || (!object.has(1) && !object.has(2))) {
    NEARDUP_ASSIGN(id, object.id(0));
  }
  if (!object.has(1) && !object.has(2)) return ExplainedSide{.id = std::move(id)};
  NEARDUP_ASSIGN(const std::string_view text, object.text(object.has(2) ? 2 : 1));
  return ExplainedSide{.text = std::string(text), .is_html = object.has(2)};
}

void append_side(std::string& out, std::string_view name, const ExplainedSide& side) {
  append_key(out, name);
  out += '{';
  append_text_or_null(out, "id", side.id.value_or(""));
  out += '}';
}

void append_piece(std::string& out, const ExplainedPiece& piece) {
  if (out.back() != '[') out += ',';
  out += '{';
  append_text(out, "kind", piece.kind);
  if (!piece.a.empty()) append_text(out, "a", piece.a);
  if (!piece.b.empty()) append_text(out, "b", piece.b);
  out += '}';
}

std::string explanation_json(const Explanation& explanation, const ExplainedSide& a, const ExplainedSide& b) {
  std::string out = "{";
  append_text(out, "verdict", explanation.verdict);
  append_number_or_null(out, "similarity", explanation.similarity);
  append_number_or_null(out, "distance", explanation.distance);
  append_side(out, "a", a);
  append_side(out, "b", b);
  append_key(out, "why");
  out += '[';
  for (const std::string& sentence : explanation.why) {
    if (out.back() != '[') out += ',';
    append_json_string(out, sentence);
  }
  out += ']';
  append_key(out, "pieces");
  out += '[';
  const size_t shown = std::min(explanation.pieces.size(), kMostPieces);
  for (size_t i = 0; i < shown; ++i) append_piece(out, explanation.pieces[i]);
  out += ']';
  append_bool(out, "truncated", explanation.truncated || shown < explanation.pieces.size());
  return out;
}

}  // namespace

Response explain_pair(ServiceState& state, const Request& request) {
  const auto object = JsonObject::parse(request.body, {"a", "b"});
  if (!object) return refuse(object.error());
  ExplainedSide sides[2];
  for (size_t i = 0; i < 2; ++i) {
    const auto json = object->object(i);
    auto side = json ? read_side(*json) : Result<ExplainedSide>(tl::unexpected<Error>(json.error()));
    if (!side) return refuse(side.error());
    sides[i] = std::move(*side);
  }
  const auto explanation = state.backend->explain(sides[0], sides[1]);
  if (!explanation) return refuse(explanation.error());
  return answer_with_recipe(state, explanation_json(*explanation, sides[0], sides[1]));
}

}  // namespace neardup::server
