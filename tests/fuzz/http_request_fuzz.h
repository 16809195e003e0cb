// A request of the HTTP service: any target, any body in any form. What is answered is JSON, a line for each line, and
// the same however the lines are cut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/base/parse_json.h"
#include "neardup/server/document_batch.h"
#include "neardup/server/json_pieces.h"
#include "neardup/server/uri.h"

namespace neardup::server {

/// Answers each document with its id. Returns the answer, or that of a refusal.
inline std::string fuzz_answer(const BatchRequest& request, std::string_view body, size_t cut) {
  static const BackendFacts facts{.recipe_id = "0123456789ab", .values = {.fingerprints = 2, .signature = 0}};
  DocumentReader reader(facts.values);
  StreamPlace place;
  std::string out;
  for (const std::string_view part : {body.substr(0, cut), body.substr(cut)}) {
    corpus::RawBuffer bytes;
    bytes.reserve(part.size());
    std::copy(part.begin(), part.end(), bytes.data());
    bytes.set_size(part.size());
    DocumentBatch batch(request, facts, reader);
    if (request.form != BodyForm::kLines && part.empty()) continue;
    if (const auto refusal = batch.read(bytes.view(), place)) return refusal->body;
    batch.append_answer(out, [&](std::string& answer, size_t i) {
      answer += '{';
      append_text(answer, "id", batch.texts()[i].id);
      return i % 2 == 1;
    });
    reader.clear();
  }
  return out;
}

inline void check_lines_are_json(std::string_view answer) {
  while (!answer.empty()) {
    const size_t end = answer.find('\n');
    if (end == std::string_view::npos || !parse_json<nlohmann::json>(answer.substr(0, end))) std::abort();
    answer.remove_prefix(end + 1);
  }
}

}  // namespace neardup::server

inline int fuzz_http_request(const uint8_t* data, size_t size) {
  using namespace neardup::server;
  if (size < 2 || size > 100000) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 2, size - 2);
  BatchRequest request;
  request.form = static_cast<BodyForm>(data[0] % 3);
  request.idempotency_key = data[0] % 5 == 0 ? "key" : "";
  request.defaults.needs_id = data[0] % 7 != 0;
  request.most_documents = 100;
  request.most_document_bytes = 5000;
  const std::string whole = fuzz_answer(request, body, 0);
  check_lines_are_json(whole);
  if (request.form == BodyForm::kLines) {
    const size_t end = body.find('\n', data[1]);
    const size_t cut = end == std::string_view::npos ? 0 : end + 1;
    if (fuzz_answer(request, body, cut) != whole) std::abort();
  }
  const Target target = split_target(body);
  static_cast<void>(parse_parameters(target.query));
  for (const char* pattern : {"/v1/stats", "/v1/tags/{tag}/commit", "/v1/documents/{id*}"})
    if (const auto places = match_path(pattern, target.path); places && places->size() > 1) std::abort();
  return 0;
}
