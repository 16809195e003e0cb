// Flags: defines the flags of a command, each in one place: names, value, default, help, group.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "neardup/base/near_match.h"
#include "neardup/base/result.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/command.h"

namespace CLI {
class Option;
}

namespace neardup::cli {

/// Names, value and help of one flag. `names` is "-o,--output" or a positional's "INPUT". `value` is what follows:
/// "K" or "FILE" in capitals for a kind of value, "auto|plain" in small letters for the words themselves.
struct FlagText {
  std::string names;
  std::string value;
  std::string help;
  std::string formerly = {};  // "--jsonl": a name of the version before, which still works and is not shown
};

/// Adds flags to one command. Targets must live as long as the command; their values when the flag is defined are the
/// defaults that the help shows. Where a flag with one value is given twice, the last counts.
class Flags {
 public:
  explicit Flags(Command& command) : command_(command) {}

  /// The flags defined from here on stand under this heading; "" hides them from the help.
  Flags& group(std::string name);

  /// A flag whose value `read` takes; its Error tells what is allowed.
  CLI::Option* value(const FlagText& text, const std::string& shown_default,
                     std::function<Status(const std::string&)> read);
  /// The same for a flag that may be given many times: `read` takes each value, in the order they are typed.
  CLI::Option* each(const FlagText& text, std::function<Status(const std::string&)> read);
  CLI::Option* text(const FlagText& text, std::string& target);
  /// The name of what the command writes, a file, folder or place: "-" is refused with the cure, and a second one is an
  /// error, as it cannot be meant.
  CLI::Option* output(const FlagText& text, std::string& target);
  CLI::Option* size(const FlagText& text, uint64_t& target);
  CLI::Option* count(const FlagText& text, uint64_t& target);
  /// A whole number between `least` and `most`.
  template <class T>
  CLI::Option* whole(const FlagText& text, T& target, int64_t least, int64_t most, const std::string& shown_default);
  /// One of a few words, listed in the help in this order.
  template <class E>
  CLI::Option* choice(const FlagText& text, E& target, const std::vector<std::pair<std::string, E>>& words);
  /// A flag without a value.
  CLI::Option* on(const FlagText& text, bool& target);
  /// A flag that may be given many times.
  CLI::Option* list(const FlagText& text, std::vector<std::string>& target);
  /// Arguments without a flag, as many as come (at most `most`, 0 = any number).
  CLI::Option* arguments(const FlagText& text, std::vector<std::string>& target, int most = 0);
  /// Calls `prepare` when all flags are read, before the command runs.
  void before_run(std::function<Status(Io&)> prepare) { command_.prepare.push_back(std::move(prepare)); }
  /// Gives each flag defined so far that is shown an environment variable: `prefix` and its name in capitals. What is
  /// typed counts before it, and it before what --config says.
  void environment(const std::string& prefix);
  /// --config FILE: the same words in a file; CommandLine::parse() reads it.
  CLI::Option* config();

 private:
  CLI::Option* finish(CLI::Option* option, const FlagText& text);

  Command& command_;
  std::string group_ = "Options";
};

/// CLI11 takes arguments like "[a,b]" apart as arrays. A guarded argument it leaves whole; unguarded() gives it back.
[[nodiscard]] std::string guarded(const std::string& argument);
[[nodiscard]] std::string unguarded(const std::string& result);

template <class T>
CLI::Option* Flags::whole(const FlagText& text, T& target, int64_t least, int64_t most,
                          const std::string& shown_default) {
  return value(text, shown_default, [&target, least, most](const std::string& typed) -> Status {
    NEARDUP_ASSIGN(const int64_t number, parse_whole(typed, least, most));
    target = static_cast<T>(number);
    return {};
  });
}

template <class E>
CLI::Option* Flags::choice(const FlagText& text, E& target, const std::vector<std::pair<std::string, E>>& words) {
  FlagText shown = text;
  std::string shown_default;
  std::vector<std::string> names;
  for (const auto& [word, chosen] : words) {
    names.push_back(word);
    shown.value += (shown.value.empty() ? "" : "|") + word;
    if (chosen == target) shown_default = word;
  }
  return value(shown, shown_default, [&target, words, names](const std::string& typed) -> Status {
    for (const auto& [word, chosen] : words) {
      if (word == typed) return target = chosen, Status{};
    }
    return fail(Code::kInvalidArgument, expected_one_of(names, typed));
  });
}

}  // namespace neardup::cli
