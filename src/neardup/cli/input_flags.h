// Flags that several commands share.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "neardup/cli/flags.h"
#include "neardup/cli/progress.h"
#include "neardup/corpus/find/discover.h"
#include "neardup/corpus/read_options.h"

namespace neardup::cli {

/// The form of the output, where a command has a choice: until now some named it --format.
struct OutputFormat {
  const CLI::Option* flag = nullptr;  // --output-format
  std::function<bool(const std::string& word)> knows;
  std::function<void(const std::string& word)> take;  // a word that it knows
};

/// Typed values that need a last step once all flags are read.
struct InputArguments {
  std::optional<corpus::Format> format;  // empty: auto
  bool lines = false;
  std::string format_word;  // of --format, as typed
  OutputFormat output;
};

/// --text-key, --id-key, --format, --table, --lines, --include, --exclude, --pre, --pre-glob, --max-record-bytes and
/// the hidden
/// --batch-bytes.
void define_input_flags(Flags& flags, InputArguments& arguments, corpus::ReadOptions& read,
                        corpus::DiscoverOptions& discover);
/// --output-format of a command with define_input_flags(). For one version more --format takes its words, too, where
/// --output-format is not given; with a warning where the word is also one of the input's.
template <class E>
void define_output_format(Flags& flags, InputArguments& arguments, E& target,
                          const std::vector<std::pair<std::string, E>>& words) {
  arguments.output.flag = flags.choice<E>({"--output-format", "", "Form of the output"}, target, words);
  arguments.output.knows = [words](const std::string& typed) {
    return std::ranges::find(words, typed, &std::pair<std::string, E>::first) != words.end();
  };
  arguments.output.take = [words, &target](const std::string& typed) {
    target = std::ranges::find(words, typed, &std::pair<std::string, E>::first)->second;
  };
}
/// Sets discover.format. Errors: kInvalidArgument where --lines contradicts the format.
[[nodiscard]] Status apply_input_flags(const InputArguments& arguments, corpus::DiscoverOptions& discover);

/// A part of the input: `index` of `count`.
struct ShardArgument {
  int index = 0;
  int count = 1;
};
/// Reads "I/N" with 0 <= I < N. Errors: kInvalidArgument.
[[nodiscard]] Result<ShardArgument> parse_shard(const std::string& typed);

/// --progress.
void define_progress_flag(Flags& flags, ProgressKind& kind);

}  // namespace neardup::cli
