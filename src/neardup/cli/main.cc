// The neardup program.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "neardup/base/disk/shared_file.h"
#include "neardup/cli/cli.h"
#include "neardup/cli/out_of_memory.h"
#include "neardup/corpus/command_output.h"
#include "neardup/text/icu_reserve.h"

namespace {

constexpr int64_t kRepeatNs = 2'000'000'000;

std::atomic<bool> cancel_requested = false, was_repeated = false;
std::atomic<int64_t> first_request_ns = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

int64_t now_ns() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Ends the program at once, as if no handler were there, but with the programs of --pre.
void end_by(int signal) {
  neardup::corpus::kill_commands();
  std::signal(signal, SIG_DFL);
  raise(signal);  // comes when this handler returns
}

/// Asks the work to stop. A second signal within two seconds may be the same request (timeout sends it to the process
/// and to its group; an impatient hand): it would only keep us from removing what is half done. A later one, or a
/// third, does not ask.
void on_stop_signal(int signal) {
  const int64_t now = now_ns();
  int64_t first = 0;
  if (!first_request_ns.compare_exchange_strong(first, now)) {
    if (now - first > kRepeatNs || was_repeated.exchange(true)) end_by(signal);
    return;
  }
  cancel_requested = true;
  if (isatty(STDERR_FILENO) == 0) return;
  constexpr char kNotice[] = "\nneardup: stopping; Ctrl-C again in two seconds stops at once\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kNotice, sizeof kNotice - 1);
}

/// Writing to a pipe that nobody reads fails, and what is half done is removed. A handler, as programs that are started
/// would inherit that the signal is ignored.
void on_broken_pipe(int) {}

/// A reader that went away ends us quietly, whatever the parent has set. Returns where the signal is blocked.
void end_by_broken_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  raise(SIGPIPE);
}

void catch_signals() {
  struct sigaction stop {};
  stop.sa_handler = on_stop_signal;
  sigaction(SIGINT, &stop, nullptr);
  sigaction(SIGTERM, &stop, nullptr);
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)  // nohup
    sigaction(SIGHUP, &stop, nullptr);
  neardup::survive_cut_files();
  struct sigaction broken_pipe {};
  broken_pipe.sa_handler = on_broken_pipe;
  broken_pipe.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &broken_pipe, nullptr);
}

// Before what the program makes for itself at its start.
[[gnu::constructor(101)]] void begin() { neardup::cli::prepare_for_lack_of_memory(); }

}  // namespace

int main(int argc, char** argv) {
  neardup::text::keep_icu_reserve();
  catch_signals();
  neardup::cli::Io io = neardup::cli::Io::of_process();
  io.cancel = &cancel_requested;
  io.give_up = &cancel_requested;
  const int status = neardup::cli::run_cli({argv + 1, argv + argc}, io);
  if (io.reader_left()) end_by_broken_pipe();
  return status;
}
