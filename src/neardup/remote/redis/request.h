// Request: commands as a server reads them, one after the other.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/remote/redis/reply.h"

namespace neardup::remote::redis {

/// Threads: as a string.
class Request {
 public:
  /// Begins a command of so many words; as many add() follow. `shape`: of its reply.
  void begin(size_t num_words, Shape shape = {}) {
    append_length('*', num_words);
    shapes_.push_back(shape);
  }
  void add(std::string_view word) {
    append_length('$', word.size());
    bytes_ += word;
    bytes_ += "\r\n";
  }
  Request& command(std::initializer_list<std::string_view> words, Shape shape = {}) {
    begin(words.size(), shape);
    for (const std::string_view word : words) add(word);
    return *this;
  }

  [[nodiscard]] size_t num_commands() const { return shapes_.size(); }
  [[nodiscard]] const std::vector<Shape>& shapes() const { return shapes_; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  void append_length(char kind, size_t length) {
    bytes_ += kind;
    const fmt::format_int digits(length);
    bytes_.append(digits.data(), digits.size());
    bytes_ += "\r\n";
  }

  std::string bytes_;
  std::vector<Shape> shapes_;
};

}  // namespace neardup::remote::redis
