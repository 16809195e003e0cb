#include "neardup/corpus/command_output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "neardup/base/disk/file.h"

extern char** environ;

namespace neardup::corpus {
namespace {

constexpr size_t kMostSaidBytes = 300;
constexpr int kPollMilliseconds = 100;  // the wish to stop wakes nobody
constexpr int kEndPollMilliseconds = 20;

/// The programs that run, each a process group; 0: a free place. Programs beyond are not known to kill_commands().
std::array<std::atomic<pid_t>, 1024> running = {};
static_assert(std::atomic<pid_t>::is_always_lock_free, "a signal handler reads it");

void note_running(pid_t child) {
  for (std::atomic<pid_t>& place : running) {
    pid_t free = 0;
    if (place.compare_exchange_strong(free, child)) return;
  }
}

/// Comes before the child is reaped: its number may be another one's from then on.
void forget_running(pid_t child) {
  for (std::atomic<pid_t>& place : running) {
    pid_t known = child;
    if (place.compare_exchange_strong(known, 0)) return;
  }
}

int reap(pid_t child) {
  int status = 0;
  forget_running(child);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void close_once(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

/// What a child is started with. It leads a group of its own: Ctrl-C is for us, and what we stop would else be a file
/// whose program failed, which --resume leaves rejected.
struct Spawning {
  Spawning() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
  }
  ~Spawning() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

}  // namespace

Result<std::unique_ptr<CommandOutput>> CommandOutput::start(const std::string& command, const std::string& path,
                                                            const Context& context) {
  NEARDUP_TRY(context.check_cancel());
  std::unique_ptr<CommandOutput> output(new CommandOutput(command, path, context));
  NEARDUP_TRY(output->spawn());
  return output;
}

Status CommandOutput::spawn() {
  std::array<int, 2> output = {-1, -1}, errors = {-1, -1};
  if (::pipe2(output.data(), O_CLOEXEC) != 0) return fail_errno("cannot make a pipe for", command_, errno);
  output_ = output[0];
  if (::pipe2(errors.data(), O_CLOEXEC) != 0) {
    ::close(output[1]);
    return fail_errno("cannot make a pipe for", command_, errno);
  }
  errors_ = errors[0];
  Spawning spawning;
  posix_spawn_file_actions_addopen(&spawning.actions, STDIN_FILENO, path_.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&spawning.actions, output[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&spawning.actions, errors[1], STDERR_FILENO);
  std::string name = command_, path = path_.starts_with('-') ? "./" + path_ : path_;
  char* const arguments[] = {name.data(), path.data(), nullptr};
  const int error =
      ::posix_spawnp(&child_, command_.c_str(), &spawning.actions, &spawning.attributes, arguments, environ);
  ::close(output[1]);
  ::close(errors[1]);
  if (error == 0) {
    note_running(child_);
    return {};
  }
  child_ = -1;
  // A file that cannot be opened fails the start as well as a program that is not there.
  if (::access(path_.c_str(), R_OK) != 0) {
    damage_ = {"unreadable", "'" + path_ + "': " + std::strerror(errno)};
    return {};
  }
  return fail_errno("cannot start the program of --pre,", command_, error);
}

CommandOutput::~CommandOutput() {
  close_once(output_);
  close_once(errors_);
  if (child_ < 0) return;
  ::kill(-child_, SIGKILL);  // and what it has started
  reap(child_);
}

/// It is not reaped yet.
Result<bool> CommandOutput::has_ended() const {
  siginfo_t info = {};
  while (::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    if (errno != EINTR) return fail_errno("cannot wait for", command_, errno);
  return info.si_pid == child_;
}

/// Waits until there is output, or something said, which is heard so that the program need not wait.
void CommandOutput::listen(int milliseconds) {
  std::array<pollfd, 2> polled = {pollfd{output_, POLLIN, 0}, pollfd{errors_, POLLIN, 0}};
  if (::poll(polled.data(), polled.size(), milliseconds) <= 0 || polled[1].revents == 0) return;
  std::array<char, 4096> bytes;
  const ssize_t got = ::read(errors_, bytes.data(), bytes.size());
  if (got == 0) close_once(errors_);
  if (got > 0 && said_.size() < kMostSaidBytes)
    said_.append(bytes.data(), std::min(static_cast<size_t>(got), kMostSaidBytes - said_.size()));
}

/// The output is over: waits for the program's end.
Status CommandOutput::end() {
  close_once(output_);
  while (true) {
    NEARDUP_ASSIGN(const bool ended, has_ended());
    if (ended) break;
    NEARDUP_TRY(context_.check_cancel());
    listen(kEndPollMilliseconds);
  }
  const int status = reap(child_);
  child_ = -1;
  if (errors_ >= 0) listen(0);
  judge(status);
  return {};
}

void CommandOutput::judge(int status) {
  std::string what;
  if (WIFSIGNALED(status)) what = "was ended by signal " + std::to_string(WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) what = "ended with status " + std::to_string(WEXITSTATUS(status));
  if (what.empty() && !has_output_) what = "gave no text";
  if (what.empty()) return;
  const std::string said = said_.substr(0, said_.find('\n'));
  damage_ = {"pre_failed", "'" + path_ + "': " + command_ + " " + what + (said.empty() ? "" : ": " + said)};
}

Result<size_t> CommandOutput::read(char* out, size_t size) {
  size_t got = 0;
  while (got < size && output_ >= 0 && child_ >= 0) {
    NEARDUP_TRY(context_.check_cancel());
    pollfd polled = {output_, POLLIN, 0};
    if (::poll(&polled, 1, 0) == 0) {
      listen(kPollMilliseconds);
      continue;
    }
    const ssize_t now = ::read(output_, out + got, size - got);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) return fail_errno("cannot read the output of", command_, errno);
    got += static_cast<size_t>(now);
    has_output_ = has_output_ || now > 0;
    if (now == 0) NEARDUP_TRY(end());
  }
  return got;
}

void kill_commands() noexcept {
  for (const std::atomic<pid_t>& place : running)
    if (const pid_t child = place.load(); child != 0) ::kill(-child, SIGKILL);
}

}  // namespace neardup::corpus
