#include "neardup/remote/remote_uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

namespace neardup::remote {
namespace {

struct Scheme {
  std::string_view prefix;
  ServerKind kind;
  bool tls;
  uint16_t port;
};
constexpr Scheme kSchemes[] = {{"redis://", ServerKind::kRedis, false, 6379},
                               {"rediss://", ServerKind::kRedis, true, 6379},
                               {"hbase://", ServerKind::kHBase, false, 9090}};
constexpr size_t kLongestName = 64;

const Scheme* scheme_of(std::string_view text) {
  for (const Scheme& scheme : kSchemes)
    if (text.starts_with(scheme.prefix)) return &scheme;
  return nullptr;
}

// Messages show no part of the URI but the one that is wrong: it may hold a password.
template <class... Parts>
auto wrong(fmt::format_string<Parts...> format, Parts&&... parts) {
  return fail(Code::kInvalidArgument, "the URI of a store: " + fmt::format(format, std::forward<Parts>(parts)...));
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

Result<std::string> decoded(std::string_view text, std::string_view part) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
    if (high < 0 || low < 0) return wrong("its {} has a '%' without two hexadecimal digits behind it", part);
    bytes += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return bytes;
}

// What is before the first `mark` and what is behind it; nothing where it is not there.
std::optional<std::pair<std::string_view, std::string_view>> split_at(std::string_view text, char mark) {
  const size_t place = text.find(mark);
  if (place == std::string_view::npos) return {};
  return std::pair(text.substr(0, place), text.substr(place + 1));
}

Status take_user(std::string_view text, RemoteUri& uri) {
  const auto both = split_at(text, ':');
  NEARDUP_ASSIGN(uri.user, decoded(both ? both->first : text, "user"));
  if (!both) return {};
  NEARDUP_ASSIGN(uri.password, decoded(both->second, "password"));
  return {};
}

Status take_port(std::string_view text, RemoteUri& uri) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), uri.port);
  if (error == std::errc() && end == text.data() + text.size() && uri.port != 0) return {};
  const bool is_number = text.find_first_not_of("0123456789") == text.npos;  // else perhaps of a password
  return wrong("expected a port of 1 to 65535{}", is_number ? fmt::format(", found '{}'", text) : std::string());
}

// host, host:port, [::1], [::1]:port
Status take_host(std::string_view text, RemoteUri& uri) {
  std::string_view host = text, behind;
  if (text.starts_with('[')) {
    const auto both = split_at(text.substr(1), ']');
    if (!both) return wrong("an address of IPv6 that begins with '[' has no ']'");
    std::tie(host, behind) = *both;
    if (!behind.empty() && !behind.starts_with(':')) return wrong("expected a port behind ']', found '{}'", behind);
  } else if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
    host = text.substr(0, colon), behind = text.substr(colon);
  }
  NEARDUP_ASSIGN(uri.host, decoded(host, "host"));
  const auto is_part_of_name = [](char c) { return static_cast<unsigned char>(c) > ' ' && c != 0x7f && c != '/'; };
  if (uri.host.empty()) return wrong("it has no host: redis://HOST:PORT/PREFIX, hbase://HOST:PORT/TABLE");
  if (!std::ranges::all_of(uri.host, is_part_of_name)) return wrong("its host has a character that no host has");
  return behind.empty() ? Status() : take_port(behind.substr(1), uri);
}

Status take_name(std::string_view text, RemoteUri& uri) {
  NEARDUP_ASSIGN(uri.name, decoded(text, "name"));
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  if (uri.name.empty()) return wrong("it has no name of a store behind the host: .../NAME");
  if (uri.name.size() > kLongestName || !std::ranges::all_of(uri.name, is_allowed))
    return wrong("expected a name of 1 to {} letters, digits, '.', '_' and '-', found '{}'", kLongestName, uri.name);
  return {};
}

Status take_options(std::string_view text, RemoteUri& uri) {
  while (!text.empty()) {
    const auto more = split_at(text, '&');
    const std::string_view one = more ? more->first : text;
    text = more ? more->second : std::string_view();
    const auto both = split_at(one, '=');
    if (!both || both->first.empty()) return wrong("expected an option NAME=VALUE behind '?', found '{}'", one);
    NEARDUP_ASSIGN(std::string name, decoded(both->first, "option"));
    NEARDUP_ASSIGN(std::string value, decoded(both->second, "option '" + name + "'"));
    if (!uri.options.emplace(name, std::move(value)).second) return wrong("it has the option '{}' twice", name);
  }
  return {};
}

// What would end a part, or begin an escape. `plain`: what ends none there.
std::string encoded(std::string_view text, std::string_view plain = {}) {
  std::string bytes;
  for (const char c : text) {
    const bool is_plain =
        static_cast<unsigned char>(c) > ' ' && c != 0x7f &&
        (std::string_view("%/?#[]@:&=").find(c) == std::string_view::npos || plain.find(c) != std::string_view::npos);
    bytes += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return bytes;
}

}  // namespace

std::string RemoteUri::shown() const {
  const bool is_redis = kind == ServerKind::kRedis;
  std::string text = is_redis ? (tls ? "rediss://" : "redis://") : "hbase://";
  if (!user.empty()) text += encoded(user) + "@";
  text += host.find(':') == std::string::npos ? encoded(host) : "[" + host + "]";
  text += fmt::format(":{}/{}", port, name);
  char mark = '?';
  for (const auto& [option, value] : options)
    text += std::exchange(mark, '&') + encoded(option) + "=" + encoded(value, "/:");
  return text;
}

bool is_remote_uri(std::string_view text) { return scheme_of(text) != nullptr; }

Result<RemoteUri> parse_remote_uri(std::string_view text) {
  const Scheme* scheme = scheme_of(text);
  if (scheme == nullptr) return wrong("expected redis://, rediss:// or hbase:// at its beginning");
  RemoteUri uri{.kind = scheme->kind,
                .tls = scheme->tls,
                .user = {},
                .password = {},
                .host = {},
                .port = scheme->port,
                .name = {},
                .options = {}};
  text.remove_prefix(scheme->prefix.size());
  if (const size_t end = text.find_first_of("/?#"); end != text.npos && text.find('@', end) != text.npos)
    return wrong(
        "an '@' stands behind the host; '/', '?', '#' and '@' in a user, password or option are written %2F, %3F, %23 "
        "and %40");
  if (text.find('#') != std::string_view::npos)
    return wrong("it has a '#', behind which a server is told nothing: write %23");
  if (const auto both = split_at(text, '?')) {
    NEARDUP_TRY(take_options(both->second, uri));
    text = both->first;
  }
  const auto both = split_at(text, '/');
  std::string_view authority = both ? both->first : text;
  if (const size_t at = authority.rfind('@'); at != std::string_view::npos) {
    NEARDUP_TRY(take_user(authority.substr(0, at), uri));
    authority.remove_prefix(at + 1);
  }
  NEARDUP_TRY(take_host(authority, uri));
  NEARDUP_TRY(take_name(both ? both->second : std::string_view(), uri));
  return uri;
}

}  // namespace neardup::remote
