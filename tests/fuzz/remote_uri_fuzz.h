// URIs of stores on servers from outside: what is read is shown as a URI that is read as the same.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/remote/remote_uri.h"

inline int fuzz_remote_uri(const uint8_t* data, size_t size) {
  using namespace neardup::remote;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto uri = parse_remote_uri(text);
  if (!uri) {
    if (uri.error().code != neardup::Code::kInvalidArgument || uri.error().message.empty()) std::abort();
    return 0;
  }
  if (!is_remote_uri(text) || uri->host.empty() || uri->name.empty() || uri->name.size() > 64 || uri->port == 0)
    std::abort();
  uri->password.clear();
  const std::string shown = uri->shown();
  const auto again = parse_remote_uri(shown);
  if (!again || again->shown() != shown || again->kind != uri->kind || again->tls != uri->tls ||
      again->user != uri->user || again->host != uri->host || again->port != uri->port || again->name != uri->name ||
      again->options != uri->options)
    std::abort();
  return 0;
}
