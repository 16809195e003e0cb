#include "neardup/server/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "neardup/fingerprint/file.h"

namespace neardup::server {
namespace {

/// Appends without filling first; room doubles.
void append(corpus::RawBuffer& buffer, std::string_view bytes) {
  if (bytes.empty()) return;
  const size_t size = buffer.size() + bytes.size();
  if (size > buffer.capacity()) buffer.reserve(std::max(size, buffer.capacity() * 2));
  std::memcpy(buffer.data() + buffer.size(), bytes.data(), bytes.size());
  buffer.set_size(size);
}

/// What a body is whose type says nothing.
void find_form(Exchange& exchange) {
  constexpr size_t kMagicBytes = 8;
  if (exchange.form || exchange.body.size() < kMagicBytes) return;
  exchange.is_form_found = true;
  exchange.form = fingerprint::is_fingerprint_file(exchange.body.view()) ? BodyForm::kFile : BodyForm::kLines;
}

/// Looks for the ends of lines in what is new: a long line must not be read again for each piece of it.
void scan_lines(Exchange& exchange) {
  const size_t end = exchange.body.view().substr(exchange.scanned_bytes).rfind('\n');
  if (end != std::string_view::npos) exchange.line_begin = exchange.scanned_bytes + end + 1;
  exchange.scanned_bytes = exchange.body.size();
}

/// Of a line that is too long its begin stays, by which it will be refused in its place; the rest is passed over.
void cut_long_line(Exchange& exchange, size_t most) {
  scan_lines(exchange);
  if (exchange.body.size() - exchange.line_begin <= most) return;
  exchange.body.set_size(exchange.line_begin + most + 1);
  append(exchange.body, "\n");
  exchange.scanned_bytes = exchange.line_begin = exchange.body.size();
  exchange.skips_line = true;
}

/// Returns what is left of `bytes` behind the end of a line that is passed over.
std::string_view pass_over(Exchange& exchange, std::string_view bytes) {
  if (!exchange.skips_line) return bytes;
  const size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return {};
  exchange.skips_line = false;
  return bytes.substr(end + 1);
}

}  // namespace

Refusal too_many_bytes(ServiceState& state) {
  state.metrics.refused("bytes");
  return {429, "busy", "too many bytes are waiting (--max-waiting-bytes)"};
}

void count_answer(ServiceState& state, Exchange& exchange) {
  const uint64_t bytes = exchange.body.size() + exchange.response.body.size();
  if (exchange.route->access == Access::kFull) return exchange.share.count(bytes);
  if (!exchange.share.grow_to(bytes)) exchange.response = refuse(too_many_bytes(state));
}

std::optional<Refusal> add_to_body(ServiceState& state, Exchange& exchange, std::string_view bytes) {
  bytes = pass_over(exchange, bytes);
  append(exchange.body, bytes);
  find_form(exchange);
  const Limits& limits = state.options.limits;
  if (exchange.form == BodyForm::kLines) cut_long_line(exchange, limits.document_bytes);
  if (exchange.form != BodyForm::kLines && exchange.body.size() > limits.body_bytes)
    return Refusal{413, "too_large", fmt::format("the body has more than --max-body {} bytes", limits.body_bytes)};
  if (!exchange.share.grow_to(exchange.body.size())) return too_many_bytes(state);
  return {};
}

bool has_due_lines(const Exchange& exchange) {
  return exchange.form == BodyForm::kLines && exchange.body.size() >= kStreamBytes && exchange.line_begin > 0;
}

}  // namespace neardup::server
