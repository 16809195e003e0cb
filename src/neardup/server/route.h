// What the service answers: one table, by which it routes and of which /openapi.json is made.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/raw_buffer.h"
#include "neardup/server/document_operations.h"
#include "neardup/server/http.h"
#include "neardup/server/keys.h"
#include "neardup/server/service_state.h"
#include "neardup/server/uri.h"

namespace neardup::server {

/// A request as a handler sees it.
struct Request {
  std::vector<std::string> places;  // values of the route's places in braces
  Parameters parameters;
  std::string_view body;  // with corpus::RawBuffer's padding behind it
  std::string if_none_match;
  std::string_view path;      // not decoded
  bool accepts_gzip = false;  // in the answer
};

/// Translates: reads the request, asks the backend, writes its answer.
using Handler = Response (*)(ServiceState& state, const Request& request);

/// Who works on a request.
enum class Place : uint8_t {
  kAtOnce,    // the thread that read it: it takes microseconds and needs no store
  kTasks,     // a worker
  kSlow,      // one of few workers for what takes long
  kArrivals,  // a worker, together with others of its kind
};

/// A parameter behind "?".
struct ParameterRow {
  std::string_view name;
  std::string_view schema;  // JSON schema of its value
  std::string_view summary;
};

struct Route {
  Method method;
  std::string_view path;  // "/v1/tags/{tag}", see match_path()
  std::string_view name;  // of the operation; empty: openapi.json does not tell of it
  std::string_view summary;
  Access access;
  Place place;
  std::span<const ParameterRow> parameters;
  std::string_view request;               // name of the schema of its body; empty: it has none
  std::string_view answer;                // name of the schema of its answer, or its content type where it is no JSON
  Handler handler = nullptr;              // one of the two
  DocumentOperation operation = nullptr;  // of documents: single, batch, lines, file
  bool needs_id = false;                  // of documents
  bool answers_early = false;             // also before the store is open
};

/// All routes, those that are asked most first.
[[nodiscard]] std::span<const Route> routes();

/// What a method and a path lead to.
struct RouteMatch {
  const Route* route = nullptr;     // null where there is none
  std::vector<std::string> places;  // see match_path()
  std::string allowed;              // "GET, DELETE": methods of the path, where there is one but not this method
};
[[nodiscard]] RouteMatch find_route(Method method, std::string_view path);

/// Returns the path of a route as others write it: "/v1/documents/{id}".
[[nodiscard]] std::string shown_path(const Route& route);

/// Returns /openapi.json.
[[nodiscard]] const std::string& openapi_document();

/// Returns the whole number that a parameter holds, or `otherwise` where it is not there. Errors: kInvalidArgument.
[[nodiscard]] Result<int64_t> whole_parameter(const Parameters& parameters, std::string_view name, int64_t least,
                                              int64_t most, int64_t otherwise);

}  // namespace neardup::server
