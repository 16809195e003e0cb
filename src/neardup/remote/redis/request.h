// Request: commands as a server reads them, one after the other.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

namespace neardup::remote::redis {

/// Threads: as a string.
class Request {
 public:
  /// Begins a command of so many words; as many add() follow.
  void begin(size_t num_words) {
    append_length('*', num_words);
    ++num_commands_;
  }
  void add(std::string_view word) {
    append_length('$', word.size());
    bytes_ += word;
    bytes_ += "\r\n";
  }
  Request& command(std::initializer_list<std::string_view> words) {
    begin(words.size());
    for (const std::string_view word : words) add(word);
    return *this;
  }

  [[nodiscard]] size_t num_commands() const { return num_commands_; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  void append_length(char kind, size_t length) {
    bytes_ += kind;
    const fmt::format_int digits(length);
    bytes_.append(digits.data(), digits.size());
    bytes_ += "\r\n";
  }

  std::string bytes_;
  size_t num_commands_ = 0;
};

}  // namespace neardup::remote::redis
