// What is checked of a request before its body is read.
#pragma once

#include <optional>

#include "neardup/server/exchange.h"
#include "neardup/server/service_state.h"

namespace neardup::server {

/// Finds out what `exchange` wants. Returns the answer where it is refused.
[[nodiscard]] std::optional<Response> admit(ServiceState& state, const Head& head, Exchange& exchange);

/// Returns whether a browser that shows a page of `origin` may speak to `host`: only its own.
[[nodiscard]] bool is_own_origin(std::string_view origin, std::string_view host);
/// Returns whether `host` ("name:port") is an address or localhost: no name that somebody may have bent to us.
[[nodiscard]] bool is_plain_host(std::string_view host);

}  // namespace neardup::server
