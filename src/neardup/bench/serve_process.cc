#include "neardup/bench/serve_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>
#include <thread>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/file.h"

namespace neardup::bench {
namespace {

constexpr std::chrono::milliseconds kPause{10};

std::string last_line(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return {};
  const std::string_view trimmed = std::string_view(*text).substr(0, text->find_last_not_of('\n') + 1);
  const size_t begin = trimmed.rfind('\n');
  return std::string(begin == std::string_view::npos ? trimmed : trimmed.substr(begin + 1));
}

/// In the child: only what may be called between fork() and exec().
[[noreturn]] void become_server(char* const* arguments, int output, int log) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // nobody else would end it
  dup2(output, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

/// Returns the first line, or what there is of one at the end.
std::string first_line(int output) {
  std::string line;
  std::array<char, 256> buffer{};
  while (line.find('\n') == std::string::npos) {
    const ssize_t size = read(output, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    line.append(buffer.data(), static_cast<size_t>(size));
  }
  return line.substr(0, line.find('\n'));
}

}  // namespace

Result<ServerProcess> ServerProcess::start(const std::string& program, const std::string& folder,
                                           const std::string& log_path, const Context& context) {
  std::array<int, 2> output{};
  int log = open_descriptor(log_path, O_WRONLY | O_CREAT | O_TRUNC);
  if (log < 0 || pipe2(output.data(), O_CLOEXEC) != 0)
    return fail(Code::kIo, fmt::format("cannot make the server's log '{}'", log_path));
  std::array<std::string, 5> words{program, "serve", folder, "--listen", "127.0.0.1:0"};
  std::array<char*, words.size() + 1> arguments{};
  for (size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  const pid_t process = fork();
  if (process == 0) become_server(arguments.data(), output[1], log);
  close(output[1]);
  ServerProcess server(process);
  Status started = process < 0 ? Status(fail(Code::kIo, "cannot start a process for the server"))
                               : server.read_address(output[0], log_path);
  close(output[0]);
  NEARDUP_TRY(close_descriptor(log, log_path));
  NEARDUP_TRY(started);
  NEARDUP_TRY(server.wait_until_ready(context));
  return server;
}

Status ServerProcess::read_address(int output, const std::string& log_path) {
  constexpr std::string_view kStart = "listening on ";
  const std::string line = first_line(output);
  if (!line.starts_with(kStart))
    return fail(Code::kIo, fmt::format("the server does not start: {}", last_line(log_path)));
  NEARDUP_ASSIGN(address_, read_loopback_url(std::string_view(line).substr(kStart.size())));
  return {};
}

Status ServerProcess::wait_until_ready(const Context& context) const {
  constexpr int kReady = 200;
  while (true) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const HttpAnswer answer, get(address_, "/readyz"));
    if (answer.status == kReady) return {};
    std::this_thread::sleep_for(kPause);
  }
}

ServerProcess::~ServerProcess() { stop(); }

/// It answers what it took, and closes its store.
void ServerProcess::stop() {
  constexpr std::chrono::seconds kLongest{60};
  if (process_ <= 0) return;
  kill(process_, SIGTERM);
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (waitpid(process_, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) kill(process_, SIGKILL);
    std::this_thread::sleep_for(kPause);
  }
  process_ = -1;
}

}  // namespace neardup::bench
