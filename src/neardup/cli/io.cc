#include "neardup/cli/io.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "neardup/base/file.h"

namespace neardup::cli {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 16;

bool set_and_not_empty(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

int terminal_columns(int descriptor) {
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) > 0)
    return std::atoi(columns);
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string usual_cache_folder() {
  if (set_and_not_empty("XDG_CACHE_HOME")) return std::string(std::getenv("XDG_CACHE_HOME")) + "/neardup";
  return set_and_not_empty("HOME") ? std::string(std::getenv("HOME")) + "/.cache/neardup" : std::string();
}

}  // namespace

Io Io::of_process() {
  const char* term = std::getenv("TERM");
  const bool capable = term != nullptr && std::string_view(term) != "dumb";
  Io io;
  io.out_is_terminal = isatty(STDOUT_FILENO) == 1 && capable;
  io.err_is_terminal = isatty(STDERR_FILENO) == 1 && capable;
  io.color = io.out_is_terminal && !set_and_not_empty("NO_COLOR");
  io.cache_folder = usual_cache_folder();
  io.columns = std::max(40, terminal_columns(io.out_is_terminal ? STDOUT_FILENO : STDERR_FILENO));
  return io;
}

void Io::print(std::string_view text) {
  if (buffer_.size() + text.size() <= kBufferBytes) {
    buffer_ += text;
  } else {
    flush();
    if (written_) written_ = write_all(out, text, "standard output");
  }
  if (out_is_terminal) flush();
}

void Io::flush() {
  if (written_) written_ = write_all(out, buffer_, "standard output");
  buffer_.clear();
}

void Io::say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), err);
  std::fflush(err);
}

Status Io::finish() {
  flush();
  return written_;
}

}  // namespace neardup::cli
