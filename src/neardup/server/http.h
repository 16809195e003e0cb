// What goes over HTTP, as plain values: nothing here knows of sockets.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::server {

enum class Method : uint8_t { kGet, kPost, kDelete, kOther };

/// Returns kGet for "HEAD", too: the transport sends its answer without the body.
[[nodiscard]] Method method_of(std::string_view word);
[[nodiscard]] std::string_view method_name(Method method);

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kLinesType = "application/x-ndjson";
inline constexpr std::string_view kTextType = "text/plain; charset=utf-8";

/// An answer.
struct Response {
  int status = 200;
  std::string_view code = {};  // of an error: what its body says
  std::string_view content_type = kJsonType;
  std::string body = {};
  std::vector<std::pair<std::string_view, std::string>> headers = {};  // beside those that every answer has
};

/// What a request is answered instead, where something is wrong with it that is no Error of the library.
struct Refusal {
  int status;
  std::string_view code;  // stable, in lower case
  std::string message;
};

[[nodiscard]] Response refuse(const Refusal& refusal);
/// The same for an Error: base/code_table.h says which status stands for it.
[[nodiscard]] Response refuse(const Error& error);
/// Appends {"code":...,"message":...}.
void append_error(std::string& out, std::string_view code, std::string_view message);

}  // namespace neardup::server
