#include "neardup/cli/io.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "neardup/cli/message_event.h"
#include "neardup/report/escape.h"

namespace neardup::cli {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 16;
constexpr size_t kPieceBytes = 4096;  // what a pipe that is ready takes without waiting (PIPE_BUF)
constexpr size_t kFilePieceBytes = size_t{1} << 20;
constexpr int kPollMilliseconds = 100;

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

/// Whether writing never waits for a reader.
bool is_file(int descriptor) {
  struct stat info {};
  return fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
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
  io.line_by_line = isatty(STDOUT_FILENO) == 1;
  io.out_is_terminal = io.line_by_line && capable;
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
    if (written_) written_ = write_out(text);
  }
  if (line_by_line) flush();
}

void Io::flush() {
  if (written_) written_ = write_out(buffer_);
  buffer_.clear();
}

// The C library's streams lose what a signal cuts, and a large write to a full pipe hears no wish to stop.
Status Io::write_out(std::string_view bytes) {
  const size_t piece_bytes = bytes.size() > kPieceBytes && is_file(out) ? kFilePieceBytes : kPieceBytes;
  pollfd ready = {.fd = out, .events = POLLOUT, .revents = 0};
  while (!bytes.empty()) {
    const bool stops = cancel != nullptr && cancel->load(std::memory_order_relaxed);
    if (stops && (grace_polls_ == 0 || grace_bytes_ == 0)) return fail(Code::kCancelled, "stopped on request");
    const int polled = ::poll(&ready, 1, kPollMilliseconds);
    if (polled == 0 && stops) --grace_polls_;
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t written = ::write(out, bytes.data(), std::min(bytes.size(), piece_bytes));
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0) return lost(errno);
    bytes.remove_prefix(static_cast<size_t>(written));
    if (stops) grace_bytes_ -= std::min(grace_bytes_, static_cast<uint64_t>(written));
  }
  return {};
}

Status Io::lost(int error) {
  reader_left_ = error == EPIPE;
  if (reader_left_ && give_up != nullptr) give_up->store(true, std::memory_order_relaxed);
  return fail_errno("cannot write", "standard output", error);
}

void Io::say(std::string_view text) { say_raw(says_json ? message_event(text) : report::terminal_text(text)); }

void Io::say_raw(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), err);
  std::fflush(err);
}

Status Io::finish() {
  flush();
  return written_;
}

}  // namespace neardup::cli
