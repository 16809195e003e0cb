#include "neardup/server/admission.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "neardup/server/body.h"
#include "neardup/server/page.h"

namespace neardup::server {
namespace {

using Refused = std::optional<Response>;

constexpr uint64_t kLeastBody = uint64_t{64} << 10;  // of a request that needs none

Response refused(int status, std::string_view code, std::string message) {
  return refuse(Refusal{status, code, std::move(message)});
}

Response invalid(std::string message) { return refuse(Error{Code::kInvalidArgument, std::move(message)}); }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return out;
}

Refused check_route(const Head& head, Exchange& exchange) {
  const Target target = split_target(exchange.uri);
  exchange.method = method_of(head.method);
  RouteMatch match = find_route(exchange.method, target.path);
  exchange.route = match.route;
  exchange.request.places = std::move(match.places);
  if (match.route != nullptr) return {};
  if (match.allowed.empty()) return refused(404, "not_found", "no such path; /openapi.json lists the paths");
  Response response = refused(405, "method_not_allowed", fmt::format("this path supports only {}", match.allowed));
  response.headers.emplace_back("Allow", match.allowed);
  return response;
}

Refused check_phase(const ServiceState& state, Exchange& exchange) {
  if (exchange.route->access == Access::kNone) return {};
  const Phase phase = state.phase;
  if (phase == Phase::kStopping) {
    exchange.closes = true;
    return refused(503, "stopping", "the server stops");
  }
  if (phase == Phase::kReady || exchange.route->answers_early) return {};
  return refused(503, "not_ready", "the log is being read; /readyz tells when that is done");
}

Refused check_browser(const ServiceState& state, const Head& head) {
  const std::string_view origin = head.header("Origin"), host = head.header("Host");
  if (!origin.empty() && !is_own_origin(origin, host))
    return refused(403, "forbidden", "a page of another origin may not ask");
  if (state.keys.any() || host.empty() || is_plain_host(host)) return {};
  return refused(403, "forbidden", "without keys the Host must be an address or localhost");
}

Refused check_key(const ServiceState& state, const Head& head, const Route& route) {
  if (route.access == Access::kNone || !state.keys.any()) return {};
  const Access given = state.keys.access_of(head.header("Authorization"));
  if (given >= route.access) return {};
  if (given == Access::kRead) return refused(403, "forbidden", "the key is good for reading alone");
  Response response = refused(401, "unauthorized", "send Authorization: Bearer KEY");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

Refused check_parameters(Exchange& exchange) {
  auto parameters = parse_parameters(split_target(exchange.uri).query);
  if (!parameters) return refuse(parameters.error());
  for (const auto& [name, value] : *parameters) {
    const auto is_it = [&name = name](const ParameterRow& row) { return row.name == name; };
    if (std::ranges::none_of(exchange.route->parameters, is_it))
      return invalid(fmt::format("{} takes no parameter \"{}\"", exchange.route->path, name));
  }
  exchange.request.parameters = std::move(*parameters);
  return {};
}

/// Tags in paths: bytes that no answer could hold are no name.
Refused check_tag(const Exchange& exchange) {
  if (exchange.route->path.find("{tag}") == std::string_view::npos) return {};
  const Status fits = check_label("tag", exchange.request.places.front());
  return fits ? Refused() : refuse(fits.error());
}

Refused check_recipe(const ServiceState& state, const Head& head) {
  const std::string_view wanted = head.header("Neardup-Recipe");
  if (wanted.empty() || state.phase == Phase::kStarting || wanted == state.backend->facts().recipe_id) return {};
  return refuse(Error{Code::kMismatch, fmt::format("the store has recipe {}, asked for is {}",
                                                   state.backend->facts().recipe_id, wanted)});
}

/// What holds for all documents of the request.
Refused read_defaults(const ServiceState& state, const Head& head, Exchange& exchange) {
  const Parameters& parameters = exchange.request.parameters;
  BatchRequest& batch = exchange.batch;
  const auto text = [&](std::string_view name) {
    const std::string* value = find_parameter(parameters, name);
    return value == nullptr ? std::string() : *value;
  };
  batch.defaults = {.within = text("within"), .tag = text("tag"), .needs_id = exchange.route->needs_id};
  if (const Status fits = check_label("within", batch.defaults.within); !fits) return refuse(fits.error());
  if (const Status fits = check_label("tag", batch.defaults.tag); !fits) return refuse(fits.error());
  const auto time = whole_parameter(parameters, "time", 0, int64_t{1} << 53, 0);
  if (!time) return refuse(time.error());
  batch.defaults.time = *time;
  constexpr int64_t kMostFound = 1000, kUsual = 10;
  const auto limit = whole_parameter(parameters, "limit", 1, kMostFound, kUsual);
  if (!limit) return refuse(limit.error());
  exchange.query_limit = static_cast<size_t>(*limit);
  batch.idempotency_key = head.header("Idempotency-Key");
  constexpr size_t kMostKeyBytes = kMostIdBytes - 32;  // what is put behind it has room
  if (batch.idempotency_key.size() > kMostKeyBytes)
    return invalid(fmt::format("Idempotency-Key has more than {} characters", kMostKeyBytes));
  if (!std::ranges::all_of(batch.idempotency_key, [](char c) { return c > ' ' && c <= '~'; }))
    return invalid("Idempotency-Key may hold visible ASCII characters alone");
  batch.wants_lines = lower(head.header("Accept")).find("ndjson") != std::string::npos;
  batch.most_documents = state.options.limits.batch_documents;
  batch.most_document_bytes = state.options.limits.document_bytes;
  return {};
}

/// Finds out how the body is sent; where the type says nothing its first bytes will tell.
Refused check_type(const Head& head, Exchange& exchange) {
  const std::string encoding = lower(head.header("Content-Encoding"));
  if (!encoding.empty() && encoding != "identity")
    return refused(415, "unsupported_media_type", "the body must come without Content-Encoding");
  const std::string_view header = head.header("Content-Type");
  std::string type = lower(header.substr(0, std::min(header.find(';'), header.size())));
  while (type.ends_with(' ')) type.pop_back();
  if (type == "application/json") return exchange.form = BodyForm::kJson, Refused();
  const bool says_nothing = type.empty() || type == "application/x-www-form-urlencoded";
  if (exchange.route->operation == nullptr) {
    if (says_nothing) return exchange.form = BodyForm::kJson, Refused();
    return refused(415, "unsupported_media_type", fmt::format("expected application/json, found {}", type));
  }
  if (says_nothing) return {};
  for (const std::string_view lines : {"application/x-ndjson", "application/ndjson", "application/jsonl"}) {
    if (type == lines) return exchange.form = BodyForm::kLines, Refused();
  }
  if (type == "application/octet-stream") return exchange.form = BodyForm::kFile, Refused();
  return refused(
      415, "unsupported_media_type",
      fmt::format("expected application/json, application/x-ndjson or application/octet-stream, found {}", type));
}

/// Refuses what is too long by what its header says.
Refused check_length(ServiceState& state, const Head& head, Exchange& exchange) {
  const std::string_view header = head.header("Content-Length");
  uint64_t length = 0;
  std::from_chars(header.data(), header.data() + header.size(), length);
  if (exchange.form == BodyForm::kLines || !exchange.form) return {};
  const uint64_t most = exchange.route->request.empty() ? kLeastBody : state.options.limits.body_bytes;
  if (length > most)
    return refused(413, "too_large",
                   fmt::format("the body has {} bytes, more than --max-body {}; lines (application/x-ndjson) "
                               "have no limit",
                               length, most));
  if (state.budget.has_room(length)) return {};  // it is taken as it comes: who only announces bytes takes none
  return refuse(too_many_bytes(state));
}

}  // namespace

bool is_own_origin(std::string_view origin, std::string_view host) {
  const size_t scheme = origin.find("://");
  return scheme != std::string_view::npos && !host.empty() && lower(origin.substr(scheme + 3)) == lower(host);
}

bool is_plain_host(std::string_view host) {
  std::string name(host);
  if (name.starts_with('[')) {
    name = name.substr(1, std::min(name.find(']'), name.size()) - 1);
  } else {
    name.resize(std::min(name.find(':'), name.size()));
  }
  in6_addr address{};
  return lower(name) == "localhost" || inet_pton(AF_INET, name.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, name.c_str(), &address) == 1;
}

std::optional<Response> admit(ServiceState& state, const Head& head, Exchange& exchange) {
  if (auto response = check_route(head, exchange)) return response;
  if (auto response = check_browser(state, head)) return response;
  if (auto response = check_key(state, head, *exchange.route)) return response;
  if (auto response = check_phase(state, exchange)) return response;
  if (auto response = check_parameters(exchange)) return response;
  if (auto response = check_tag(exchange)) return response;
  exchange.request.if_none_match = head.header("If-None-Match");
  exchange.request.path = split_target(exchange.uri).path;
  exchange.request.accepts_gzip = accepts_gzip(head.header("Accept-Encoding"));
  if (exchange.route->access != Access::kNone) {
    if (auto response = check_recipe(state, head)) return response;
  }
  if (exchange.route->operation != nullptr) {
    if (auto response = read_defaults(state, head, exchange)) return response;
  }
  if (exchange.route->request.empty()) {
    exchange.form = BodyForm::kJson;
  } else if (auto response = check_type(head, exchange)) {
    return response;
  }
  return check_length(state, head, exchange);
}

}  // namespace neardup::server
