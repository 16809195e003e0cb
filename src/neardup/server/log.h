// The log: one JSON object a line.
#pragma once

#include <functional>
#include <initializer_list>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace neardup::server {

/// A member of a line: its name and its value as JSON.
struct LogField {
  LogField(std::string_view field_name, std::string_view text);
  LogField(std::string_view field_name, double number);
  std::string_view name;
  std::string json;
};

/// Threads: any.
class Log {
 public:
  /// `write` takes whole lines, one call at a time.
  explicit Log(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

  void info(std::string_view event, std::initializer_list<LogField> fields = {}) {
    line("info", event, {fields.begin(), fields.end()});
  }
  void error(std::string_view event, std::initializer_list<LogField> fields = {}) {
    line("error", event, {fields.begin(), fields.end()});
  }
  /// Where memory is refused for it there is no such line.
  void line(std::string_view level, std::string_view event, std::span<const LogField> fields) noexcept;

 private:
  std::mutex mutex_;
  std::function<void(std::string_view)> write_;
};

}  // namespace neardup::server
