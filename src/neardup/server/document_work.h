// Work on requests that bring documents: together with others, alone, or a part of a stream after the other.
#pragma once

#include <vector>

#include "neardup/server/exchange.h"
#include "neardup/server/service_state.h"

namespace neardup::server {

/// Answers exchanges of one route by one call of its operation: so requests that come at once share what a call costs,
/// the sync of the log above all. What is wrong with one of them concerns that one alone. Then resumes all.
void work_on_documents(ServiceState& state, std::vector<Exchange*>& exchanges) noexcept;

/// Works on the whole lines that are held of a stream, then resumes it. Where its body has ended the answer is done.
void work_on_stream(ServiceState& state, Exchange& exchange) noexcept;

/// The stream is refused from here on: what was answered of it stays, with a last line that says so.
void end_stream(Exchange& exchange, const Refusal& refusal);

/// Lines that are worked on by one call of the store.
inline constexpr size_t kMostLinesAtOnce = 4096;

}  // namespace neardup::server
