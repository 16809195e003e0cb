// Steps of a script as it reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/bytes.h"
#include "neardup/remote/redis/commit_script.h"

namespace neardup::remote::redis {

/// Appends a text of less than 256 bytes, or of any length, behind its length.
inline void append_short(std::string& out, std::string_view text) {
  out += static_cast<char>(text.size());
  out += text;
}
inline void append_long(std::string& out, std::string_view text) {
  append_little(out, static_cast<uint32_t>(text.size()));
  out += text;
}
/// `after`: the length, or number of members, that is expected.
inline void append_step(std::string& out, StepKind kind, uint64_t after, std::string_view key,
                        std::string_view value = {}) {
  out += static_cast<char>(kind);
  append_little(out, static_cast<uint32_t>(after));
  append_short(out, key);
  append_long(out, value);
}

}  // namespace neardup::remote::redis
