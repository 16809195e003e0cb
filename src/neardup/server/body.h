// The body of a request as it comes.
#pragma once

#include <optional>
#include <string_view>

#include "neardup/server/exchange.h"
#include "neardup/server/service_state.h"

namespace neardup::server {

/// Lines are worked on once there are so many bytes of them, or the body ends.
inline constexpr size_t kStreamBytes = size_t{1} << 20;

/// Appends bytes to what is held of the body. Returns the answer where it is too much.
[[nodiscard]] std::optional<Refusal> add_to_body(ServiceState& state, Exchange& exchange, std::string_view bytes);

/// What is answered where more bytes would be held than may be; counts it.
[[nodiscard]] Refusal too_many_bytes(ServiceState& state);

/// Counts the answer among what is held. Where there is no room for it another one takes its place, unless the request
/// changed the store: what was done must be told.
void count_answer(ServiceState& state, Exchange& exchange);

/// Returns whether what is held has lines that are to be worked on before more is read.
[[nodiscard]] bool has_due_lines(const Exchange& exchange);

}  // namespace neardup::server
