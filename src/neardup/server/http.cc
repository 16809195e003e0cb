#include "neardup/server/http.h"

#include "neardup/base/code_table.h"
#include "neardup/base/json.h"

namespace neardup::server {

Method method_of(std::string_view word) {
  if (word == "POST") return Method::kPost;
  if (word == "GET" || word == "HEAD") return Method::kGet;
  return word == "DELETE" ? Method::kDelete : Method::kOther;
}

std::string_view method_name(Method method) {
  switch (method) {
    case Method::kGet:
      return "GET";
    case Method::kPost:
      return "POST";
    case Method::kDelete:
      return "DELETE";
    case Method::kOther:
      break;
  }
  return "OTHER";
}

void append_error(std::string& out, std::string_view code, std::string_view message) {
  out += "{\"code\":";
  append_json_string(out, code);
  out += ",\"message\":";
  append_json_string(out, message);
  out += '}';
}

Response refuse(const Refusal& refusal) {
  Response response{.status = refusal.status, .code = refusal.code};
  response.body = "{\"error\":";
  append_error(response.body, refusal.code, refusal.message);
  response.body += "}\n";
  const bool may_come_again = refusal.status == 429 || refusal.status == 503 || refusal.status == 507;
  if (may_come_again) response.headers.emplace_back("Retry-After", refusal.status == 507 ? "10" : "1");
  return response;
}

Response refuse(const Error& error) {
  return refuse(Refusal{http_status(error.code), code_name(error.code), error.message});
}

}  // namespace neardup::server
