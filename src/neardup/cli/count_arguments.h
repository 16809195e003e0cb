// What the commands that learn from a corpus have in common: idf and phrases.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "neardup/cli/input_flags.h"
#include "neardup/cli/io.h"
#include "neardup/engine/read/count_pass.h"

namespace neardup::cli {

struct CountArguments {
  std::vector<std::string> words;  // inputs, or an action and its files
  InputArguments input;
  corpus::DiscoverOptions discover;
  corpus::ReadOptions read;
  recipe::Recipe recipe;
  ShardArgument shard;
  std::string output;
  uint64_t memory_bytes = uint64_t{4} << 30;
  int num_threads = 0;
  ProgressKind progress = ProgressKind::kAuto;
};

/// -o FILE, which must be given and be none of `inputs`. Errors: kInvalidArgument; those of check_output().
[[nodiscard]] Status check_count_output(const CountArguments& arguments, const std::vector<std::string>& inputs);

/// Finds the inputs, calls `learn`, and tells what was rejected. Errors: kInvalidArgument; those of check_output() and
/// of `learn`; kCorruption where nothing could be read.
[[nodiscard]] Result<engine::CountTotals> learn_from_inputs(
    CountArguments& arguments, Io& io,
    const std::function<Result<engine::CountTotals>(const engine::CountInput&)>& learn);

/// Says that arguments.output was written, what is in it and its size.
void say_written(const CountArguments& arguments, const std::string& what, Io& io);

/// --memory, --threads and --progress.
void define_count_running(Flags& flags, CountArguments& arguments);

}  // namespace neardup::cli
