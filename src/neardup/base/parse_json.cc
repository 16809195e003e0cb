#include "neardup/base/parse_json.h"

#include <fmt/format.h>

namespace neardup {

Status check_json_depth(std::string_view text) {
  int depth = 0;
  bool is_inside = false;  // a string
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_inside && c == '\\') ++i;
    if (c == '"') is_inside = !is_inside;
    if (is_inside) continue;
    if (c == ']' || c == '}') --depth;
    if (c != '[' && c != '{') continue;
    if (++depth > kMaxJsonDepth)
      return fail(Code::kInvalidArgument,
                  fmt::format("more than {} arrays and objects within one another at byte {}", kMaxJsonDepth, i + 1));
  }
  return {};
}

std::string json_problem(std::string_view message) {
  const size_t at = message.find("] ");
  return std::string(message.substr(at == std::string_view::npos ? 0 : at + 2));
}

}  // namespace neardup
