#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "neardup/base/disk/file.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/count_arguments.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/engine/read/phrase_training.h"
#include "neardup/report/numbers.h"

namespace neardup::cli {
namespace {

struct PhrasesArguments {
  CountArguments count;
  feature::PhraseOptions options;
  bool json = false;
};

std::string info_json(const feature::Phrases& phrases) {
  const feature::PhraseHead& head = phrases.head();
  nlohmann::ordered_json json;
  json["id"] = phrases.id(), json["phrases"] = phrases.size(), json["tokens"] = head.num_counted;
  json["min_count"] = head.min_count, json["least_score"] = head.least_score / 1000.0;
  json["recipe_tokens"] = head.tokens;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Status show(const std::vector<std::string>& words, bool as_json, Io& io) {
  if (words.size() != 2) return fail(Code::kInvalidArgument, "neardup phrases info takes one FILE");
  NEARDUP_ASSIGN(const auto phrases, feature::Phrases::load(words[1]));
  if (as_json) return io.print(info_json(*phrases)), Status{};
  const feature::PhraseHead& head = phrases->head();
  io.print(
      fmt::format("id        {}\nphrases   {}\ntokens    {}\nchosen    those that are there {} times or more, with a "
                  "score of {:.3f} or more\nof        {}\n",
                  phrases->id(), human_count(phrases->size()), human_count(head.num_counted), head.min_count,
                  head.least_score / 1000.0, head.tokens.empty() ? "nobody said which tokens" : head.tokens));
  return {};
}

Status tell_written(const CountArguments& count, const engine::CountTotals& totals, Io& io) {
  NEARDUP_ASSIGN(const FileInfo info, file_info(count.output));
  if (!info.is_regular) return {};
  NEARDUP_ASSIGN(const auto phrases, feature::Phrases::load(count.output));
  const std::string documents = report::counted(totals.documents, "document");
  say_written(count, fmt::format("{} of {}", report::counted(phrases->size(), "phrase"), documents), io);
  return {};
}

Status run(PhrasesArguments& arguments, Io& io) {
  CountArguments& count = arguments.count;
  if (!count.words.empty() && count.words.front() == "info") return show(count.words, arguments.json, io);
  if (arguments.json) return fail(Code::kInvalidArgument, "--json belongs to neardup phrases info");
  if (count.recipe.phrases != "none")
    return fail(Code::kInvalidArgument,
                "phrases are learnt from single words: leave phrases= out, and in the recipe \"none\"");
  NEARDUP_ASSIGN(const engine::CountTotals totals, learn_from_inputs(count, io, [&](const engine::CountInput& input) {
                   return engine::train_phrases(input, arguments.options, count.output);
                 }));
  return tell_written(count, totals, io);
}

Status read_score(const std::string& typed, uint32_t& score) {
  NEARDUP_ASSIGN(const double value, parse_share(typed));
  score = static_cast<uint32_t>(value * 1000 + 0.5);
  return {};
}

void define(Flags& flags, PhrasesArguments& arguments) {
  CountArguments& count = arguments.count;
  flags.group("Input");
  flags.arguments({"INPUT", "", "Files, folders, patterns; - is standard input. Or info FILE"}, count.words);
  define_input_flags(flags, count.input, count.read, count.discover);
  flags.group("Phrases");
  define_recipe_flag(flags, count.recipe);
  flags.whole({"--min-count", "N", "A phrase and each of its words occur at least this often"},
              arguments.options.min_count, 1, 0xFFFFFFFF, "10");
  flags.value({"--score", "S", "Least normalised mutual information of a phrase's words, 0 to 1"}, "0.5",
              [&arguments](const std::string& typed) { return read_score(typed, arguments.options.least_score); });
  flags.group("Output");
  flags.output({"-o,--output", "FILE", "The phrases (required but for info)"}, count.output);
  flags.on({"--json", "", "info: as one JSON object"}, arguments.json);
  flags.group("Running");
  define_count_running(flags, count);
  flags.config();
}

}  // namespace

void add_phrases_command(CommandLine& line) {
  auto arguments = std::make_shared<PhrasesArguments>();
  Command& command = line.add(
      {"phrases",
       "Learn which pairs of words belong together",
       "Finds the pairs of neighbouring words that occur together far more often than by chance (\"new york\"), "
       "so that fingerprints can take each as one word.",
       "INPUT... -o FILE [FLAGS]  |  info FILE",
       {{"neardup phrases corpus.jsonl --recipe paper -o news.phrases", "Learn the phrases of a corpus."},
        {"neardup phrases info news.phrases", "How many there are, and how they were chosen."}},
       {"Use them with --recipe NAME,phrases=FILE of dedup, fingerprint, explain. The corpus is read twice. The file "
        "is the same "
        "for any number of threads and any memory, and belongs to the "
        "tokens of the recipe that it was learnt with: others refuse it. neardup explain shows which words were "
        "joined.",
        "An IDF dictionary for a recipe with phrases is trained with them: neardup idf --recipe NAME,phrases=FILE."},
       {"--text-key", "--recipe", "--min-count", "--score", "--output", "--memory", "--threads"}});
  Flags flags(command);
  define(flags, *arguments);
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
