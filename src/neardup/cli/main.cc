// The neardup program.
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "neardup/base/disk/shared_file.h"
#include "neardup/cli/cli.h"
#include "neardup/cli/out_of_memory.h"
#include "neardup/corpus/command_output.h"

namespace {

std::atomic<bool> cancel_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

/// Ends the program at once, as if no handler were there, but with the programs of --pre.
void end_by(int signal) {
  neardup::corpus::kill_commands();
  std::signal(signal, SIG_DFL);
  raise(signal);  // comes when this handler returns
}

/// Asks the work to stop; a second signal does not ask.
void on_stop_signal(int signal) {
  if (cancel_requested.exchange(true)) return end_by(signal);
  if (isatty(STDERR_FILENO) == 0) return;
  constexpr char kNotice[] = "\nneardup: stopping; Ctrl-C again stops at once\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kNotice, sizeof kNotice - 1);
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
  std::signal(SIGPIPE, SIG_DFL);  // a reader that goes away ends us quietly, whatever the parent has set
}

// Before what the program makes for itself at its start.
[[gnu::constructor(101)]] void begin() { neardup::cli::prepare_for_lack_of_memory(); }

}  // namespace

int main(int argc, char** argv) {
  catch_signals();
  neardup::cli::Io io = neardup::cli::Io::of_process();
  io.cancel = &cancel_requested;
  return neardup::cli::run_cli({argv + 1, argv + argc}, io);
}
