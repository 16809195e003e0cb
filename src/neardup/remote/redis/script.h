// Scripts: calls of them, whether or not the server has them already.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/remote/redis/connection.h"

namespace neardup::remote::redis {

struct ScriptCall {
  std::string_view script;  // as long as the program runs
  std::vector<std::string> keys, words;
};

struct ScriptAnswer {
  bool is_error = false;
  std::string text;  // of the answer, or the error; empty where it answered false
};

/// Runs scripts one after the other in one exchange; a server that has lost them (a restart, SCRIPT FLUSH) is given
/// them again. Errors: kIo where the connection was lost, and nobody knows what happened; kCorruption.
[[nodiscard]] Result<std::vector<ScriptAnswer>> run_scripts(ConnectionPool& pool, std::span<const ScriptCall> calls);

/// Returns the SHA-1 of a script as the server names it: 40 hexadecimal digits.
[[nodiscard]] const std::string& digest_of(std::string_view script);

}  // namespace neardup::remote::redis
