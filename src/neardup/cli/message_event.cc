#include "neardup/cli/message_event.h"

#include "neardup/base/json.h"

namespace neardup::cli {
namespace {

std::string_view without_line_ends(std::string_view text) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

/// Takes "neardup: " or "neardup dedup: " off the front.
std::string_view without_who_speaks(std::string_view text) {
  constexpr std::string_view kName = "neardup";
  const size_t colon = text.find(": ");
  if (!text.starts_with(kName) || colon == std::string_view::npos) return text;
  const std::string_view command = text.substr(kName.size(), colon - kName.size());
  const bool is_name = command.empty() || (command.starts_with(' ') && command.find(' ', 1) == std::string_view::npos);
  return is_name ? text.substr(colon + 2) : text;
}

}  // namespace

std::string event_line(std::string_view event, std::string_view message) {
  std::string line = "{\"event\":";
  append_json_string(line, event);
  line += ",\"message\":";
  append_json_string(line, message);
  return line + "}\n";
}

std::string message_event(std::string_view text) {
  constexpr std::string_view kWarning = "warning: ";
  const std::string_view message = without_who_speaks(without_line_ends(text));
  if (message.starts_with(kWarning)) return event_line("warning", message.substr(kWarning.size()));
  return event_line("message", message);
}

}  // namespace neardup::cli
