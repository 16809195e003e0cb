// The web page at "/": what the program holds of it, as answers.
#pragma once

#include <string_view>
#include <vector>

#include "neardup/server/route.h"

namespace neardup::server {

/// Returns the routes of the page: "/" and its files, for all. Where the program was built without it, "/" alone, which
/// is answered 404 and says so.
[[nodiscard]] std::vector<Route> page_routes();

/// Returns the file of request.path, as gzip where that is accepted, or 304 where the client has it.
[[nodiscard]] Response get_page_file(ServiceState& state, const Request& request);

/// Returns whether a client that sends this Accept-Encoding takes gzip. See: RFC 9110, section 12.5.3.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

}  // namespace neardup::server
