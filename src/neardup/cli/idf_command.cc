#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "neardup/base/disk/file.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/count_arguments.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/cli/same_file.h"
#include "neardup/feature/idf.h"
#include "neardup/feature/idf_merge.h"
#include "neardup/recipe/recipe_tokens.h"
#include "neardup/report/numbers.h"

namespace neardup::cli {
namespace {

struct IdfArguments {
  CountArguments count;
  uint32_t min_documents = 1;
  bool as_json = false;
  const CLI::App* app = nullptr;
};

/// The names of recipes that a dictionary of `tokens` fits and that have a use for one.
std::vector<std::string> fitting_recipes(const std::string& tokens) {
  std::vector<std::string> names;
  for (const std::string& name : recipe::recipe_names()) {
    const auto recipe = recipe::find_recipe(name);
    if (recipe && recipe->needs_idf() && recipe::tokens_json(*recipe) == tokens) names.push_back(name);
  }
  return names;
}

std::string info_text(const feature::Idf& idf) {
  const auto names = fitting_recipes(idf.tokens());
  std::string text = fmt::format("id         {}\ndocuments  {}\ntokens     {}\n", idf.id(),
                                 human_count(idf.num_documents()), human_count(idf.num_tokens()));
  if (idf.num_entries() < idf.num_tokens()) {
    text += fmt::format("kept       {}, those of at least {} documents\n", human_count(idf.num_entries()),
                        idf.min_documents());
  }
  text += fmt::format("unknown    weigh {:.4f}, the median\n", idf.median());
  text += fmt::format("recipes    {}\n",
                      names.empty() ? "none of those with a name" : fmt::format("{}", fmt::join(names, ", ")));
  return text + fmt::format("counts     {}\n", idf.tokens().empty() ? "nobody said which tokens" : idf.tokens());
}

std::string info_json(const feature::Idf& idf) {
  const nlohmann::ordered_json json = {{"id", idf.id()},
                                       {"documents", idf.num_documents()},
                                       {"tokens", idf.num_tokens()},
                                       {"entries", idf.num_entries()},
                                       {"min_documents", idf.min_documents()},
                                       {"median", idf.median()},
                                       {"recipes", fitting_recipes(idf.tokens())},
                                       {"recipe_tokens", idf.tokens()}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Status show(const IdfArguments& arguments, Io& io) {
  if (arguments.count.words.size() != 2) return fail(Code::kInvalidArgument, "neardup idf info takes one FILE");
  NEARDUP_ASSIGN(const auto idf, feature::Idf::load(arguments.count.words[1]));
  io.print(arguments.as_json ? info_json(*idf) : info_text(*idf));
  return {};
}

/// Says what the dictionary holds that was written: from its head, for it may be larger than the memory.
Status tell_written(const IdfArguments& arguments, Io& io) {
  const std::string& path = arguments.count.output;
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  if (!info.is_regular) return {};
  NEARDUP_ASSIGN(const feature::IdfFigures figures, feature::idf_file_figures(path));
  say_written(arguments.count,
              fmt::format("{} of {}", report::counted(figures.num_entries, "token"),
                          report::counted(figures.num_documents, "document")),
              io);
  return {};
}

/// A dictionary given twice would count its documents twice.
Status check_different(const std::vector<std::string>& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    const std::vector<std::string> later(files.begin() + static_cast<ptrdiff_t>(i) + 1, files.end());
    if (!check_output_is_no_input(files[i], later))
      return fail(Code::kInvalidArgument,
                  fmt::format("'{}' is given twice: its documents would count twice", files[i]));
  }
  return {};
}

Status merge(const IdfArguments& arguments, Io& io) {
  const std::vector<std::string> files(arguments.count.words.begin() + 1, arguments.count.words.end());
  if (files.empty()) return fail(Code::kInvalidArgument, "FILE is missing: the dictionaries to merge");
  NEARDUP_TRY(check_count_output(arguments.count, files));
  NEARDUP_TRY(check_different(files));
  NEARDUP_TRY(feature::merge_idf_files(files, arguments.count.output,
                                       {.min_documents = arguments.min_documents, .context = {nullptr, io.cancel}}));
  return tell_written(arguments, io);
}

Status train(IdfArguments& arguments, Io& io) {
  if (arguments.count.shard.count > 1 && arguments.min_documents > 1) {
    return fail(Code::kInvalidArgument,
                "--shard and --min-documents cannot go together: a token that is rare in each part may not be so in "
                "the whole; give --min-documents to neardup idf merge");
  }
  NEARDUP_TRY(learn_from_inputs(arguments.count, io, [&](const engine::CountInput& input) {
    return engine::train_idf(input, arguments.min_documents, arguments.count.output);
  }));
  return tell_written(arguments, io);
}

/// The flags that an action takes beside -o; training takes all but --json.
Status check_flags(const std::string& action, const std::vector<std::string>& taken, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = option->get_lnames().front();
    if (name == "help" || name == "config") continue;
    if (std::find(taken.begin(), taken.end(), name) == taken.end())
      return fail(Code::kInvalidArgument, fmt::format("neardup idf {} takes no --{}", action, name));
  }
  return {};
}

Status run(IdfArguments& arguments, Io& io) {
  const std::string action = arguments.count.words.empty() ? "" : arguments.count.words.front();
  if (action == "merge") {
    NEARDUP_TRY(check_flags(action, {"output", "min-documents"}, *arguments.app));
    return merge(arguments, io);
  }
  if (action == "info") {
    NEARDUP_TRY(check_flags(action, {"json"}, *arguments.app));
    return show(arguments, io);
  }
  if (arguments.as_json) return fail(Code::kInvalidArgument, "--json belongs to neardup idf info");
  return train(arguments, io);
}

void define(Flags& flags, IdfArguments& arguments) {
  flags.group("Input");
  flags.arguments({"INPUT", "", "Files, folders, patterns; - is standard input. Or merge FILE..., or info FILE"},
                  arguments.count.words);
  define_input_flags(flags, arguments.count.input, arguments.count.read, arguments.count.discover);
  flags.group("Dictionary");
  define_recipe_flag(flags, arguments.count.recipe, &arguments.count.memory_bytes);
  flags.whole(
      {"--min-documents", "N", "Leave out tokens of fewer documents, for a smaller file; they get the median weight"},
      arguments.min_documents, 1, 0xFFFFFFFF, "1");
  flags.group("Output");
  flags.output({"-o,--output", "FILE", "The dictionary (required but for info)"}, arguments.count.output);
  flags.on({"--json", "", "info: as one JSON object"}, arguments.as_json);
  flags.group("Running");
  define_count_running(flags, arguments.count);
  flags.value({"--shard", "I/N", "Count only part I (from 0) of N; merge adds the parts up"}, "",
              [&arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(arguments.count.shard, parse_shard(typed));
                return {};
              });
  flags.config();
}

}  // namespace

void add_idf_command(CommandLine& line) {
  auto arguments = std::make_shared<IdfArguments>();
  Command& command = line.add(
      {"idf",
       "Learn how rare words are, for recipes that weigh them",
       "Counts in how many documents each word is (its document frequency) and writes an IDF dictionary.",
       "INPUT... -o FILE [FLAGS]  |  merge FILE... -o FILE  |  info FILE",
       {{"neardup idf corpus.jsonl --recipe paper -o words.idf", "A dictionary of the whole corpus."},
        {"neardup idf merge 0.idf 1.idf -o all.idf", "Add up what two shards counted."},
        {"neardup idf info all.idf", "What it holds, and which recipes it fits."}},
       {"Use it with --recipe NAME,idf=FILE of dedup, fingerprint, explain. Without one recipes like paper learn the "
        "weights from the input itself, so that fingerprints of separate runs cannot be compared; with one they can.",
        "The file is the same for any number of threads and any memory, and that of merged shards is that of the "
        "whole. "
        "It belongs to the tokens of the recipe that it was trained with: others refuse it."},
       {"--text-key", "--recipe", "--output", "--json", "--memory", "--threads", "--shard"}});
  arguments->app = command.app;
  Flags flags(command);
  define(flags, *arguments);
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
