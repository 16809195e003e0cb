#include "neardup/server/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "neardup/base/json.h"
#include "neardup/base/tried.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

std::string time_text() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(second)),
                     (now - second).count());
}

}  // namespace

LogField::LogField(std::string_view field_name, std::string_view text) : name(field_name) {
  append_json_string(json, text);
}

LogField::LogField(std::string_view field_name, double number) : name(field_name) { append_json_number(json, number); }

void Log::line(std::string_view level, std::string_view event, std::span<const LogField> fields) noexcept {
  static_cast<void>(tried([&] {
    std::string line = "{";
    append_text(line, "time", time_text());
    append_text(line, "level", level);
    append_text(line, "event", event);
    for (const LogField& field : fields) {
      append_key(line, field.name);
      line += field.json;
    }
    line += "}\n";
    const std::lock_guard lock(mutex_);
    write_(line);
  }));
}

}  // namespace neardup::server
