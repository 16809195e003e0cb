// What the program says on standard error, as --progress json has it: one JSON object a line.
#pragma once

#include <string>
#include <string_view>

namespace neardup::cli {

/// Returns {"event":EVENT,"message":MESSAGE} and a line end.
[[nodiscard]] std::string event_line(std::string_view event, std::string_view message);

/// Returns that line of a message for people: "neardup: " or "neardup NAME: " before it, and empty lines around it, are
/// no part of it; what begins with "warning: " is the event "warning", all else "message".
[[nodiscard]] std::string message_event(std::string_view text);

}  // namespace neardup::cli
