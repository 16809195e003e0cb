#include "neardup/base/flag_words.h"

#include <algorithm>

namespace neardup {
namespace {

bool is_of_flag(char c) {
  return c == '-' || c == '_' || c == '/' || c == '.' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z');
}

/// Whether message[at..] stands alone: no letter before it, none behind it but after "=".
bool stands_alone(std::string_view message, size_t at, std::string_view flag) {
  const size_t end = at + flag.size();
  const bool begins = at == 0 || !is_of_flag(message[at - 1]);
  const bool dot_ends = end + 1 == message.size() || (end + 1 < message.size() && message[end + 1] == ' ');
  const bool ends =
      end >= message.size() || flag.back() == '=' || !is_of_flag(message[end]) || (message[end] == '.' && dot_ends);
  return begins && ends;
}

}  // namespace

std::string replace_flags(std::string_view message, std::span<const FlagWords> table) {
  std::string words;
  for (size_t at = 0; at < message.size();) {
    const auto found = std::ranges::find_if(table, [&](const FlagWords& each) {
      return message.substr(at).starts_with(each.flag) && stands_alone(message, at, each.flag);
    });
    if (found == table.end()) {
      words += message[at++];
    } else {
      words += found->word;
      at += found->flag.size();
    }
  }
  return words;
}

}  // namespace neardup
