// What a program of the user makes of an input: --pre.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/corpus/decompress.h"

namespace neardup::corpus {

/// The output of `command PATH`, started without a shell, with the file at PATH on its standard input. Only its output
/// at status 0 is whole; that of a program that fails, or says nothing, is damaged ("pre_failed"), so that it never
/// passes for an empty text. Threads: one at a time.
class CommandOutput {
 public:
  /// Of `context` the wish to stop is heard. Errors: kNotFound where there is no such program, kIo where it cannot be
  /// started; kCancelled.
  [[nodiscard]] static Result<std::unique_ptr<CommandOutput>> start(const std::string& command, const std::string& path,
                                                                    const Context& context = {});
  /// A program that still runs is killed, with what it has started.
  ~CommandOutput();
  CommandOutput(const CommandOutput&) = delete;
  CommandOutput& operator=(const CommandOutput&) = delete;

  /// Writes up to `size` bytes to `out`; fewer only at the end, when the program has ended. Errors: kIo;
  /// kCancelled within a tenth of a second of the wish, also where the program says nothing.
  [[nodiscard]] Result<size_t> read(char* out, size_t size);
  [[nodiscard]] const std::optional<Damage>& damage() const { return damage_; }

 private:
  CommandOutput(std::string command, std::string path, const Context& context)
      : command_(std::move(command)), path_(std::move(path)), context_(context) {}

  Status spawn();
  void listen(int milliseconds);
  Result<bool> has_ended() const;
  Status end();
  void judge(int status);

  const std::string command_;
  const std::string path_;
  const Context context_;
  pid_t child_ = -1;  // -1: none, or it has ended
  int output_ = -1;
  int errors_ = -1;
  bool has_output_ = false;
  std::string said_;  // on standard error, the begin of it
  std::optional<Damage> damage_;
};

/// Kills all programs that run now, with what they have started: for who is about to end without destructors. May be
/// called from a signal handler.
void kill_commands() noexcept;

}  // namespace neardup::corpus
