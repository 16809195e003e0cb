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
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "neardup/base/disk/descriptor.h"
#include "neardup/base/disk/file.h"
#include "neardup/bench/measurement.h"
#include "neardup/remote/remote_uri.h"

namespace neardup::bench {
namespace {

constexpr std::chrono::milliseconds kPause{10};

/// Returns why a server ended, by its log: the last line that the program itself wrote, which may have a hint on how it
/// is called behind it; where there is none the last line.
std::string last_words(const std::string& log_path) {
  constexpr std::string_view kProgram = "neardup: ";
  const auto text = read_file(log_path);
  if (!text) return text.error().message;
  std::string last, own;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kProgram)) own = line.substr(kProgram.size());
    if (!line.empty()) last = line;
  }
  if (last.empty()) return "it ended without a word";
  return own.empty() ? last : own;
}

Error start_error(const std::string& log_path) {
  return {Code::kIo, fmt::format("the server does not start: {}", last_words(log_path))};
}

/// Words as exec() takes them.
class ExecWords {
 public:
  explicit ExecWords(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  ExecWords(const ExecWords&) = delete;
  ExecWords& operator=(const ExecWords&) = delete;
  [[nodiscard]] char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

/// The environment of a server of `folder`: where that is a URI it has the password, as others read command lines.
std::vector<std::string> environment_of(const std::optional<remote::RemoteUri>& folder) {
  const std::string variable = std::string(remote::kPasswordVariable) + "=";
  const bool replaces = folder && !folder->password.empty();
  std::vector<std::string> words;
  for (char* const* word = environ; *word != nullptr; ++word)
    if (!replaces || !std::string_view(*word).starts_with(variable)) words.emplace_back(*word);
  if (replaces) words.push_back(variable + folder->password);
  return words;
}

/// In the child: only what may be called between fork() and exec().
[[noreturn]] void become_server(char* const* arguments, char* const* environment, int output, int log) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // nobody else would end it
  dup2(output, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execve(arguments[0], arguments, environment);
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

Result<ServerProcess> ServerProcess::start(const ServerCommand& command) {
  const OwnDescriptor log(open_descriptor(command.log_path, O_WRONLY | O_CREAT | O_TRUNC));
  std::array<int, 2> pipe{-1, -1};
  if (log.get() < 0 || pipe2(pipe.data(), O_CLOEXEC) != 0)
    return fail_errno("cannot make the server's log", command.log_path, errno);
  const OwnDescriptor read_end(pipe[0]);
  OwnDescriptor write_end(pipe[1]);
  std::optional<remote::RemoteUri> uri;
  if (remote::is_remote_uri(command.folder)) {
    NEARDUP_ASSIGN(uri, remote::parse_remote_uri(command.folder));
  }
  const ExecWords arguments({command.program, "serve", uri ? uri->shown() : command.folder, "--listen", "127.0.0.1:0",
                             "--max-connections", std::to_string(command.connections)});
  const ExecWords environment(environment_of(uri));
  const pid_t process = fork();
  if (process == 0) become_server(arguments.get(), environment.get(), write_end.get(), log.get());
  write_end = OwnDescriptor();
  if (process < 0) return fail(Code::kIo, "cannot start a process for the server");
  ServerProcess server(process);
  NEARDUP_TRY(server.read_address(read_end.get(), command.log_path));
  NEARDUP_TRY(server.wait_until_ready(command));
  return server;
}

Status ServerProcess::read_address(int output, const std::string& log_path) {
  constexpr std::string_view kStart = "listening on ";
  const std::string line = first_line(output);
  if (!line.starts_with(kStart)) return tl::unexpected(start_error(log_path));
  NEARDUP_ASSIGN(address_, read_loopback_url(std::string_view(line).substr(kStart.size())));
  return {};
}

/// It listens before it has opened the store, and may end over that: then nobody answers a moment before it has ended.
Status ServerProcess::wait_until_ready(const ServerCommand& command) {
  constexpr int kReady = 200;
  constexpr double kLongestSilence = 10;  // seconds
  Stopwatch silence;
  while (true) {
    NEARDUP_TRY(command.context.check_cancel());
    const auto answer = get(address_, "/readyz");
    if (answer && answer->status == kReady) return {};
    if (answer) silence = Stopwatch();
    if (!answer && has_ended()) return tl::unexpected(start_error(command.log_path));
    if (!answer && silence.seconds() > kLongestSilence) return tl::unexpected(answer.error());
    std::this_thread::sleep_for(kPause);
  }
}

bool ServerProcess::has_ended() {
  if (process_ > 0 && waitpid(process_, nullptr, WNOHANG) != 0) process_ = -1;
  return process_ < 0;
}

ServerProcess::~ServerProcess() { stop(); }

/// It answers what it took, and closes its store.
void ServerProcess::stop() {
  constexpr std::chrono::seconds kLongest{60};
  if (process_ <= 0) return;
  kill(process_, SIGTERM);
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (!has_ended()) {
    if (std::chrono::steady_clock::now() > end) kill(process_, SIGKILL);
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace neardup::bench
