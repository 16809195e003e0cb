#include "neardup/cli/count_arguments.h"

#include <fmt/format.h>

#include "neardup/base/disk/file.h"
#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/cli/memory_flag.h"
#include "neardup/cli/same_file.h"
#include "neardup/corpus/find/input_set.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/engine/options.h"
#include "neardup/engine/record_limits.h"

namespace neardup::cli {
namespace {

Status check(const CountArguments& arguments) {
  if (arguments.words.empty())
    return fail(Code::kInvalidArgument, "INPUT is missing: a file, a folder, or - for standard input");
  NEARDUP_TRY(check_memory(arguments.memory_bytes));
  return check_count_output(arguments, {});
}

std::string place_of(std::string_view file, uint64_t line) {
  return line == 0 ? std::string(file) : fmt::format("{}:{}", file, line);
}

Status tell_rejected(const engine::CountTotals& totals, Progress& progress) {
  if (totals.documents + totals.rejected == 0) progress.warn("the input holds no documents: the result is empty");
  if (totals.rejected == 0) return {};
  progress.warn(fmt::format("{} of {} records rejected", human_count(totals.rejected),
                            human_count(totals.rejected + totals.documents)));
  if (totals.documents > 0) return {};
  return fail(Code::kCorruption,
              "nothing could be read: all records were rejected; --text-key names the field that holds the text");
}

}  // namespace

Status check_count_output(const CountArguments& arguments, const std::vector<std::string>& inputs) {
  if (arguments.output.empty()) return fail(Code::kInvalidArgument, "-o FILE is missing: where the result goes");
  return check_output(arguments.output, inputs);
}

Result<engine::CountTotals> learn_from_inputs(
    CountArguments& arguments, Io& io,
    const std::function<Result<engine::CountTotals>(const engine::CountInput&)>& learn) {
  NEARDUP_TRY(apply_input_flags(arguments.input, arguments.discover));
  NEARDUP_TRY(check(arguments));
  ProgressDisplay progress(ProgressDisplay::style_for(arguments.progress, io), io.err, io.columns);
  const Context context{&progress, io.cancel};
  NEARDUP_ASSIGN(const corpus::InputSet inputs, corpus::InputSet::open(arguments.words, arguments.discover, context));
  std::vector<std::string> paths;
  for (const corpus::Input& input : inputs.inputs()) paths.push_back(input.path);
  NEARDUP_TRY(check_count_output(arguments, paths));
  uint64_t num_rejected = 0;
  const auto warn = [&](std::string_view file, uint64_t line, std::string_view message) {
    if (++num_rejected <= kShownRejections) progress.warn(fmt::format("{}: {}", place_of(file, line), message));
  };
  const int num_threads = resolve_num_threads(arguments.num_threads);
  NEARDUP_ASSIGN(
      const engine::CountTotals totals,
      learn({.inputs = inputs.inputs(),
             .read = engine::within_memory(arguments.read, arguments.recipe, arguments.memory_bytes, num_threads),
             .recipe = arguments.recipe,
             .memory_bytes = engine::MemoryPlan(arguments.memory_bytes).bytes_of(engine::MemoryUse::kCountTables),
             .num_threads = num_threads,
             .shard_index = arguments.shard.index,
             .shard_count = arguments.shard.count,
             .context = context,
             .on_rejected = warn}));
  NEARDUP_TRY(tell_rejected(totals, progress));
  return totals;
}

void say_written(const CountArguments& arguments, const std::string& what, Io& io) {
  if (arguments.progress == ProgressKind::kOff || arguments.progress == ProgressKind::kJson) return;
  const auto file = file_info(arguments.output);
  const uint64_t bytes = file ? file->size_bytes : 0;
  io.say(fmt::format("wrote {}: {}, {}\n", arguments.output, what, human_bytes(static_cast<double>(bytes))));
}

void define_count_running(Flags& flags, CountArguments& arguments) {
  flags.size({"--memory", "SIZE", "Limit of memory; counts beyond it go through files beside the output"},
             arguments.memory_bytes);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments.num_threads, 0, 4096, "0");
  define_progress_flag(flags, arguments.progress);
}

}  // namespace neardup::cli
