// ServerFacts: what a server says of itself that a store depends on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/remote/redis/connection.h"

namespace neardup::remote::redis {

using Facts = std::map<std::string, std::string, std::less<>>;
/// Returns the lines of an answer to INFO.
[[nodiscard]] Facts lines_of(std::string_view text);

struct ServerFacts {
  Facts info;    // INFO; empty where it is forbidden
  Facts config;  // some of CONFIG GET; likewise

  /// Empty where it is not known.
  [[nodiscard]] std::string_view of(std::string_view name) const;
  [[nodiscard]] std::optional<uint64_t> number(std::string_view name) const;
  /// What it does against losses: "append-only file, synced every second", "unknown".
  [[nodiscard]] std::string persistence() const;
};

/// Errors: those of the connection.
[[nodiscard]] Result<ServerFacts> ask_facts(ConnectionPool& pool);
/// Errors: kUnsupported where the server is too old, or evicts what a store wrote and the URI does not allow that.
[[nodiscard]] Status check_server(const RemoteUri& uri, const ServerFacts& facts);

}  // namespace neardup::remote::redis
