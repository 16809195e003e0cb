// Flags that several commands share.
#pragma once

#include <optional>
#include <string>

#include "neardup/cli/flags.h"
#include "neardup/cli/progress.h"
#include "neardup/corpus/discover.h"
#include "neardup/corpus/read_options.h"

namespace neardup::cli {

/// Typed values that need a last step once all flags are read.
struct InputArguments {
  std::optional<corpus::Format> format;  // empty: auto
  bool lines = false;
};

/// --text-key, --id-key, --format, --lines, --include, --exclude, --pre, --pre-glob, --max-record-bytes and the hidden
/// --batch-bytes. `format_name` is the name of the format flag.
void define_input_flags(Flags& flags, InputArguments& arguments, corpus::ReadOptions& read,
                        corpus::DiscoverOptions& discover, const std::string& format_name = "--format");
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
