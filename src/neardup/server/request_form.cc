#include "neardup/server/request_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "neardup/base/trim.h"
#include "neardup/server/ascii.h"

namespace neardup::server {
namespace {

using FormRefusal = std::optional<Refusal>;

Refusal bad_form(std::string message) { return {400, "invalid_argument", std::move(message)}; }

bool is_alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_token(std::string_view text) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_alphanumeric(c) || kSigns.find(c) != std::string_view::npos;
  });
}

/// Bytes from 0x80 on are opaque (RFC 9110, section 5.5).
bool is_control(char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }

bool is_value(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return c != '\t' && is_control(c); });
}

bool are_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// uri-host [":" port] of RFC 3986; empty where a target has no authority.
bool is_host_form(std::string_view host) {
  std::string_view name = host, rest;
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    if (end == std::string_view::npos) return false;
    name = host.substr(1, end - 1);
    rest = host.substr(end + 1);
    if (name.empty() || name.find('[') != std::string_view::npos) return false;
  } else {
    name = host.substr(0, std::min(host.find(':'), host.size()));
    rest = host.substr(name.size());
    if (name.find(':') != std::string_view::npos) return false;
  }
  if (!rest.empty() && (rest.front() != ':' || !are_digits(rest.substr(1)))) return false;
  constexpr std::string_view kSigns = "-._~%!$&'()*+;=:";  // no comma: it would join two
  return std::ranges::all_of(name,
                             [&](char c) { return is_alphanumeric(c) || kSigns.find(c) != std::string_view::npos; });
}

FormRefusal check_first_line(const RequestForm& request) {
  if (!is_token(request.method)) return bad_form("the method is no token");
  const bool is_clean = std::ranges::none_of(request.target, [](char c) { return c == ' ' || is_control(c); });
  if (request.target.empty() || !is_clean)
    return bad_form("the target holds blanks or control characters: encode them (%20)");
  if (request.is_plain) return {};
  return bad_form(
      "a line of the header is folded, holds a zero byte, or does not end in CR LF; or more than single blanks "
      "cut the first one");
}

FormRefusal check_field_form(std::span<const HeaderField> fields) {
  for (const HeaderField& field : fields) {
    if (!is_token(field.name)) return bad_form("the name of a header is no token, or a blank stands before its colon");
    if (!is_value(field.value)) return bad_form(fmt::format("the header {} holds control characters", field.name));
  }
  return {};
}

/// What is there of a header.
struct FoundField {
  size_t count = 0;
  std::string_view value;  // the last one
};

FoundField find_field(std::span<const HeaderField> fields, std::string_view lower_name) {
  FoundField found;
  for (const HeaderField& field : fields) {
    if (!is_equal_but_case(field.name, lower_name)) continue;
    ++found.count;
    found.value = field.value;
  }
  return found;
}

FormRefusal check_host_form(const RequestForm& request) {
  const FoundField host = find_field(request.fields, "host");
  if (host.count > 1) return bad_form("Host is there more than once");
  if (host.count == 0 && request.version != "HTTP/1.0") return bad_form("Host is missing");
  const std::string authority(take_target_apart(request.target).authority);
  if (is_host_form(trim_blanks(host.value)) && is_host_form(authority)) return {};
  return bad_form("Host is no host and port");
}

/// Whether it is a list of codings that are registered, and ends in "chunked".
bool is_known_and_chunked(std::string_view codings) {
  constexpr std::array kKnown = {"gzip", "x-gzip", "deflate", "compress", "x-compress"};
  const size_t last = codings.rfind(',');
  if (last == std::string_view::npos || !is_equal_but_case(trim_blanks(codings.substr(last + 1)), "chunked"))
    return false;
  for (std::string_view rest = codings.substr(0, last); !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::string_view coding = trim_blanks(rest.substr(0, end));
    if (std::ranges::none_of(kKnown, [&](std::string_view known) { return is_equal_but_case(coding, known); }))
      return false;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

FormRefusal check_framing(const RequestForm& request) {
  const FoundField length = find_field(request.fields, "content-length");
  const FoundField coding = find_field(request.fields, "transfer-encoding");
  if (length.count > 1) return bad_form("Content-Length is there more than once");
  if (length.count == 1 && (length.value.empty() || !are_digits(length.value)))
    return bad_form("Content-Length is no whole number");
  if (coding.count == 0) return {};
  if (length.count > 0) return bad_form("Transfer-Encoding and Content-Length are both there");
  if (coding.count > 1) return bad_form("Transfer-Encoding is there more than once");
  if (request.version == "HTTP/1.0") return bad_form("HTTP/1.0 knows no Transfer-Encoding");
  if (is_equal_but_case(coding.value, "chunked")) return {};
  if (is_known_and_chunked(coding.value))
    return Refusal{501, "unsupported", "expected Transfer-Encoding: chunked alone; send the body without compression"};
  return bad_form("expected Transfer-Encoding: chunked");
}

}  // namespace

std::optional<Refusal> check_form(const RequestForm& request) {
  if (auto refusal = check_first_line(request)) return refusal;
  if (auto refusal = check_field_form(request.fields)) return refusal;
  if (auto refusal = check_host_form(request)) return refusal;
  return check_framing(request);
}

std::optional<Refusal> check_trailers(std::span<const HeaderField> fields) { return check_field_form(fields); }

TargetForm take_target_apart(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!is_equal_but_case(target.substr(0, scheme.size()), scheme)) continue;
    const std::string_view rest = target.substr(scheme.size());
    const size_t end = std::min(rest.find_first_of("/?#"), rest.size());
    const std::string_view path = rest.substr(end);
    return {rest.substr(0, end), path.starts_with('/') ? std::string(path) : fmt::format("/{}", path)};
  }
  return {{}, std::string(target)};
}

}  // namespace neardup::server
