// RemoteUri: the name of a store on a server, as people write it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::remote {

/// Of the environment: where programs look for the password of a URI that has none. The library reads it nowhere.
inline constexpr const char* kPasswordVariable = "NEARDUP_REDIS_PASSWORD";

enum class ServerKind : uint8_t { kRedis, kHBase };

/// redis://[user:password@]host[:port]/prefix[?name=value&...], rediss:// with TLS, hbase://host[:port]/table[?...].
/// Parts may be percent-encoded. docs/operations.md lists the names.
struct RemoteUri {
  ServerKind kind = ServerKind::kRedis;
  bool tls = false;
  std::string user, password;  // empty: none
  std::string host;            // without the brackets of an IPv6 address
  uint16_t port = 0;           // 6379 or 9090 where none is given
  std::string name;            // prefix or table; 1 to 64 letters, digits, '.', '_', '-'
  std::map<std::string, std::string, std::less<>> options;

  /// Returns it without the password, for messages.
  [[nodiscard]] std::string shown() const;
};

/// Whether `text` begins as one of these does; what does not is a folder.
[[nodiscard]] bool is_remote_uri(std::string_view text);
/// Errors: kInvalidArgument, naming the part that is wrong and what is expected.
[[nodiscard]] Result<RemoteUri> parse_remote_uri(std::string_view text);

}  // namespace neardup::remote
