#include <fmt/format.h>

#include "neardup/base/disk/file.h"
#include "neardup/base/threads.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/family_flag.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/memory_flag.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/cli/same_file.h"
#include "neardup/corpus/find/input_set.h"
#include "neardup/engine/chosen_families.h"
#include "neardup/engine/fingerprints/pass.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/engine/record_limits.h"
#include "neardup/fingerprint/record_writer.h"
#include "neardup/fingerprint/text_line.h"

namespace neardup::cli {
namespace {

constexpr uint64_t kWarnedRejections = 10;

struct FingerprintArguments {
  std::vector<std::string> inputs;
  InputArguments input;
  corpus::DiscoverOptions discover;
  corpus::ReadOptions read;
  recipe::Recipe recipe;
  bool names_recipe = false;
  std::shared_ptr<TypedRecipe> typed;
  std::string idf_file;
  std::optional<engine::FamilyChoice> family;
  fingerprint::FileForm format = fingerprint::FileForm::kTsv;
  std::string output;
  uint64_t memory_bytes = uint64_t{4} << 30;
  int num_threads = 0;
  ProgressKind progress = ProgressKind::kAuto;
};

/// Names the first few rejected records, then only counts.
void show_rejected(const engine::RejectedRecord& record, uint64_t number, Progress& progress) {
  if (number > kWarnedRejections) return;
  const std::string place =
      record.line == 0 ? std::string(record.file) : fmt::format("{}:{}", record.file, record.line);
  progress.warn(fmt::format("{}: {}", place, record.message));
}

Status check(const FingerprintArguments& arguments, const Io& io) {
  if (arguments.inputs.empty())
    return fail(Code::kInvalidArgument, "INPUT is missing: a file, a folder, or - for standard input");
  if (arguments.format == fingerprint::FileForm::kBin && arguments.output.empty() && io.out_is_terminal) {
    return fail(Code::kInvalidArgument,
                "the bytes of --output-format bin are not for a terminal: name a file with -o FILE, or redirect them");
  }
  NEARDUP_TRY(check_memory(arguments.memory_bytes));
  return check_output(arguments.output, {});
}

Result<engine::PassTotals> fingerprint_all(FingerprintArguments& arguments, Io& io, Progress& progress) {
  const Context context{&progress, io.cancel};
  NEARDUP_ASSIGN(const corpus::InputSet inputs, corpus::InputSet::open(arguments.inputs, arguments.discover, context));
  std::vector<std::string> paths = {arguments.idf_file};
  for (const corpus::Input& input : inputs.inputs()) paths.push_back(input.path);
  NEARDUP_TRY(check_output_is_no_input(arguments.output, paths));
  engine::FingerprintPass pass{.inputs = inputs.inputs(),
                               .read = engine::within_memory(arguments.read, arguments.recipe, arguments.memory_bytes,
                                                             resolve_num_threads(arguments.num_threads)),
                               .recipe = arguments.recipe,
                               .num_threads = arguments.num_threads,
                               .context = context};
  NEARDUP_ASSIGN(pass.idf, engine::provide_idf(pass.recipe, arguments.idf_file, pass.inputs, pass.read,
                                               {pass.num_threads, arguments.memory_bytes}, context));
  const auto to_out = [&io](std::string_view bytes) -> Status {
    io.print(bytes);
    return io.failed() ? io.finish() : Status{};
  };
  NEARDUP_ASSIGN(auto writer, fingerprint::open_record_writer(arguments.format, arguments.output,
                                                              engine::file_header(pass.recipe), to_out));
  uint64_t num_rejected = 0;
  pass.on_document = [&](const fingerprint::Record& document) { return writer->add(document); };
  pass.on_rejected = [&](const engine::RejectedRecord& record) { show_rejected(record, ++num_rejected, progress); };
  pass.on_note = [&](const engine::RejectedRecord& note) { show_rejected(note, 1, progress); };
  pass.on_batch = [&] { return writer->flush(); };
  NEARDUP_ASSIGN(const engine::PassTotals totals, engine::run_fingerprint_pass(pass));
  NEARDUP_TRY(writer->commit());
  return totals;
}

// Fingerprints are made to be compared with those of other inputs, so by default nothing is learnt from this one.
Status settle_recipe(FingerprintArguments& arguments) {
  const bool asks_for_default = arguments.names_recipe || !arguments.idf_file.empty();
  const bool asks_for_other = arguments.family && *arguments.family != engine::FamilyChoice::kSimHash;
  if (asks_for_default || asks_for_other) return {};
  return recipe::make_recipe(arguments.typed->words, recipe::kKeptRecipe, arguments.recipe, arguments.typed->files);
}

Status run(FingerprintArguments& arguments, Io& io) {
  NEARDUP_TRY(apply_input_flags(arguments.input, arguments.discover));
  NEARDUP_TRY(check(arguments, io));
  NEARDUP_TRY(engine::take_kept_family(arguments.family, !arguments.idf_file.empty(), arguments.recipe));
  // On a terminal the lines themselves show how far the work is.
  const bool quiet = arguments.progress == ProgressKind::kAuto && io.out_is_terminal && arguments.output.empty();
  ProgressDisplay progress(ProgressDisplay::style_for(quiet ? ProgressKind::kOff : arguments.progress, io), io.err,
                           io.columns);
  NEARDUP_ASSIGN(const engine::PassTotals totals, fingerprint_all(arguments, io, progress));
  if (totals.documents + totals.rejected == 0) progress.warn("the input holds no documents");
  if (totals.rejected > 0) {
    progress.warn(fmt::format("{} of {} records rejected", human_count(totals.rejected),
                              human_count(totals.rejected + totals.documents)));
  }
  if (totals.rejected > 0 && totals.documents == 0)
    return fail(Code::kCorruption,
                "nothing could be read: all records were rejected; --text-key names the field that holds the text");
  return {};
}

}  // namespace

void add_fingerprint_command(CommandLine& line) {
  auto arguments = std::make_shared<FingerprintArguments>();
  Command& command = line.add(
      {"fingerprint",
       "Print the fingerprints of documents",
       "Prints the fingerprints of documents, one document a line, in the order of the input.",
       "INPUT... [FLAGS]",
       {{"neardup fingerprint corpus.jsonl > prints.tsv",
         "id, fingerprints, checksum and recipe of each document, tab separated."},
        {"neardup fingerprint corpus.jsonl --output-format bin -o prints.bin",
         "The same as a compact file, for neardup pairs and index."},
        {"neardup fingerprint corpus.jsonl --family minhash --output-format bin -o signatures.bin",
         "MinHash signatures: 256 bytes a document, from which similarity can be estimated."}},
       {"A line is: id, tab, fingerprints (16 hexadecimal digits each, separated by commas; - if the text has too few "
        "words), tab, checksum of the normalised text, tab, recipe: and the recipe's id. In an id \\t, \\n, \\r and "
        "\\\\ stand for tab, line ends and "
        "backslash.",
        "A MinHash signature stands in the place of the fingerprints as its 16-bit values, 4 hexadecimal digits each, "
        "side by side.",
        "Fingerprints of separate runs can be compared where nothing is learnt: by default they are those of the "
        "recipe "
        "grams. --recipe default is what dedup makes of one corpus with --family simhash: it learns the weights of "
        "words "
        "from the input, unless one idf=FILE is given for all."},
       {"--text-key", "--id-key", "--format", "--recipe", "--family", "--output-format", "--output", "--memory",
        "--threads"}});
  Flags flags(command);
  flags.group("Input");
  flags.arguments({"INPUT", "", "Files, folders, patterns; - is standard input"}, arguments->inputs);
  define_input_flags(flags, arguments->input, arguments->read, arguments->discover);
  flags.group("Fingerprints");
  flags.before_run([arguments](const Io&) { return settle_recipe(*arguments); });  // before its files are opened
  arguments->typed = define_recipe_flags(flags, arguments->recipe, arguments->idf_file, &arguments->memory_bytes,
                                         &arguments->names_recipe, recipe::kKeptRecipe);
  define_family_flag(flags, arguments->family,
                     "Signatures or fingerprints; auto: what dedup takes of the recipe (the recipe's; simhash where it "
                     "has both)");
  flags.group("Output");
  define_output_format<fingerprint::FileForm>(flags, arguments->input, arguments->format,
                                              {{"tsv", fingerprint::FileForm::kTsv},
                                               {"jsonl", fingerprint::FileForm::kJsonl},
                                               {"bin", fingerprint::FileForm::kBin}});
  flags.output({"-o,--output", "FILE", "Write to this file instead of standard output"}, arguments->output);
  flags.group("Running");
  flags.size({"--memory", "SIZE", "Limit of memory; longer records than fit are rejected"}, arguments->memory_bytes);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments->num_threads, 0, 4096, "0");
  define_progress_flag(flags, arguments->progress);
  flags.config();
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
