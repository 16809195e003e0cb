// Requests that can be read in two ways: what stands in front of this server (a proxy, a filter) may read them in the
// other one, and take for one request what is two. They are refused, as RFC 9112 wants it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "neardup/server/http.h"

namespace neardup::server {

struct HeaderField {
  std::string_view name, value;
};

/// A request before its body, as it came.
struct RequestForm {
  std::string_view method, target, version;  // "GET", "/v1/stats?x=1", "HTTP/1.1"
  std::span<const HeaderField> fields;
  /// Every line ended in CRLF and stood for itself; single blanks cut the first one.
  bool is_plain = true;
};

/// Returns what is answered, whereupon the connection is to be closed, where the request is not of one meaning: a line
/// that is folded, or ends without CRLF; a name that is no token (also: a blank before the colon); control characters;
/// a Host that is missing (HTTP/1.1), there twice or none; more than one length: two Content-Length, one beside
/// Transfer-Encoding, a Transfer-Encoding that does not end in "chunked", is there twice or in HTTP/1.0 (400). Blanks
/// around values are no part of them, but for those behind these two, which libmicrohttpd 0.9.75 does not read then.
/// Known codings before "chunked", which nobody takes off here: 501. RFC 9112, sections 2.2, 3, 5.1, 5.2, 6.1 to 6.3.
[[nodiscard]] std::optional<Refusal> check_form(const RequestForm& request);

/// The same of the fields behind a chunked body.
[[nodiscard]] std::optional<Refusal> check_trailers(std::span<const HeaderField> fields);

/// A target in the form that is asked of proxies ("http://host:7464/v1/stats"), which a server has to take, too: its
/// authority counts in the place of Host (RFC 9112, section 3.2.2).
struct TargetForm {
  std::string_view authority;  // "host:7464"; empty where the target has none
  std::string path;            // with its query: "/v1/stats"
};
[[nodiscard]] TargetForm take_target_apart(std::string_view target);

}  // namespace neardup::server
