#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <memory>

#include "neardup/base/disk/file.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/given_arguments.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/progress.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/cli/same_file.h"
#include "neardup/corpus/find/input_set.h"
#include "neardup/engine/crawl/crawl_filter.h"
#include "neardup/engine/crawl/warc_output.h"
#include "neardup/engine/online/open_text_store.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/stored/run_store.h"

namespace neardup::cli {
namespace {

struct CrawlFilterArguments {
  std::vector<std::string> folder, inputs;
  engine::CrawlFilterOptions filter;
  engine::TextStoreSettings made;
  bool overwrite = false;
  ProgressKind progress = ProgressKind::kAuto;
};

Status check_crawl_output(const CrawlFilterArguments& arguments) {
  const std::string& output = arguments.filter.output;
  if (output.empty()) {
    if (!arguments.filter.revisits && !arguments.overwrite) return {};
    return fail(Code::kInvalidArgument, "--revisit and --overwrite are about the output: name it by --output FILE");
  }
  NEARDUP_TRY(engine::compression_of_warc(output));
  NEARDUP_TRY(check_output(output, arguments.inputs));
  NEARDUP_ASSIGN(const bool is_there, file_exists(output));
  if (!is_there || arguments.overwrite) return {};
  return fail(Code::kInvalidArgument, fmt::format("'{}' is there already; --overwrite replaces it", output));
}

Status check_crawl_arguments(CrawlFilterArguments& arguments) {
  if (arguments.folder.empty())
    return fail(Code::kInvalidArgument, "STORE is missing: the folder of the store, or its URI on a server");
  NEARDUP_ASSIGN(arguments.folder.front(), given_place(arguments.folder.front()));
  if (arguments.inputs.empty())
    return fail(Code::kInvalidArgument, "FILE is missing: a WARC file, or a folder of them");
  if (arguments.filter.is_transaction && arguments.filter.tag.empty())
    return fail(Code::kInvalidArgument, "--transaction needs a name: --tag NAME");
  return check_crawl_output(arguments);
}

// What could not be printed ends the run before a transaction is committed.
engine::CrawlFilterListener listener_of(Io& io, ProgressDisplay& progress) {
  return {
      .verdict = [&io](std::string_view line) -> Status {
        io.print(line);
        return io.failed() ? io.finish() : Status();
      },
      .note = [&progress](const std::string& note) { progress.say(fmt::format("neardup crawl-filter: {}\n", note)); },
      .finish = [&io] { return io.finish(); }};
}

// A name that was mistyped is a new store.
Status say_if_empty(const engine::TextStore& store, const std::string& folder, Io& io) {
  NEARDUP_ASSIGN(const store::Statistics statistics, store.store().statistics());
  if (statistics.next_number != 0) return {};
  io.say(fmt::format("neardup crawl-filter: the store '{}' is new, recipe {}\n", engine::shown_place(folder),
                     store.recipe().name));
  return {};
}

Status run_crawl_filter(CrawlFilterArguments& arguments, Io& io) {
  NEARDUP_TRY(check_crawl_arguments(arguments));
  ProgressDisplay progress(ProgressDisplay::style_beside(arguments.progress, true, io), io.err, io.columns);
  const Context context{nullptr, io.cancel};
  arguments.filter.context = {&progress, io.cancel};
  corpus::DiscoverOptions discover;
  discover.format = corpus::Format::kWarc;
  NEARDUP_ASSIGN(const corpus::InputSet set, corpus::InputSet::open(arguments.inputs, discover, context));
  const std::string& folder = arguments.folder.front();
  store::StoreOptions store_options;
  store_options.context = context;
  NEARDUP_ASSIGN(const auto store, engine::open_or_make_store(folder, arguments.made, store_options));
  NEARDUP_TRY(engine::check_same_settings(arguments.made.matching, folder, *store));
  NEARDUP_TRY(say_if_empty(*store, folder, io));
  NEARDUP_ASSIGN(const engine::CrawlFigures figures,
                 engine::filter_crawl(*store, set.inputs(), arguments.filter, listener_of(io, progress)));
  io.say(engine::figures_text(figures));
  return {};
}

void define_crawl_filter(Flags& flags, CrawlFilterArguments& arguments) {
  engine::CrawlFilterOptions& filter = arguments.filter;
  flags.group("Input");
  flags.arguments(
      {"STORE", "", "The folder of the store, or its URI on a server; a new one is made where there is none"},
      arguments.folder, 1);
  flags.arguments({"FILE", "", "WARC and WET files, folders, patterns, also .gz and .zst; - is standard input"},
                  arguments.inputs);
  flags.size({"--max-text-bytes", "SIZE", "Longer documents are compared by their payloads alone"},
             filter.max_text_bytes);
  flags.size({"--max-record-bytes", "SIZE", "Longer records are rejected; with --output they end the run"},
             filter.max_record_bytes);
  flags.size({"--batch-bytes", "SIZE", "Input that is checked at once"}, filter.batch_bytes)->group("");
  flags.group("Store");
  flags.text({"--tag", "NAME", "Of what comes into the store: so it can be erased as one"}, filter.tag);
  flags.on({"--transaction", "", "Others see what came when all is done; where it fails, nothing of it stays"},
           filter.is_transaction);
  define_recipe_flags(flags, arguments.made.matching.recipe, arguments.made.matching.idf_file, nullptr,
                      &arguments.made.matching.recipe_is_given);
  flags.group("Output");
  flags.output({"-o,--output", "FILE", "Write the records to this WARC file (.warc.gz, .warc.zst or .warc)"},
               filter.output);
  flags.on({"--revisit", "", "There, responses with the payload of an earlier one become revisit records"},
           filter.revisits);
  flags.on({"--overwrite", "", "Replace FILE"}, arguments.overwrite);
  flags.group("Running");
  define_progress_flag(flags, arguments.progress);
  flags.whole({"--threads", "N", "Threads that read; 0 is one for each core"}, filter.num_threads, 0, 4096, "0");
  flags.config();
}

}  // namespace

void add_crawl_filter_command(CommandLine& line) {
  auto arguments = std::make_shared<CrawlFilterArguments>();
  Command& command = line.add(
      {"crawl-filter",
       "Tell of each record of WARC files whether a store has it",
       "Tells of each page and file in WARC files whether a store has it or something near it, and puts it there.",
       "STORE FILE... [FLAGS]",
       {{"neardup crawl-filter seen crawl-7.warc.gz > verdicts.jsonl", "A verdict for each record."},
        {"neardup crawl-filter seen crawl-7.warc.gz --tag crawl-7 --transaction -o kept.warc.gz --revisit > v.jsonl",
         "Also the file anew, with revisits in the place of copies; the store has all of the crawl or nothing."}},
       {"Standard output gets a line of JSON for each response, resource, conversion, and for what is no record: "
        "record, "
        "uri, date, verdict (new, exact, near, none, rejected), by (payload or text), duplicate_of, similarity, "
        "distance, digest, reason. Standard error gets what cannot be read, and a count of every record.",
        "First payloads are compared, by SHA-1 and XXH3: responses with status 200 to 299 but 206, whole ones. Of "
        "documents whose payload is new the texts are compared, as dedup with --keep first does. The same records "
        "again get the same verdicts.",
        "In the output, near-duplicates and equal texts stay, each followed by a metadata record that says what it "
        "repeats. --recipe is for a store that is made; others keep theirs.",
        "Exit codes: 0 done, 1 wrong arguments, 2 failed, 130 stopped by Ctrl-C."},
       {"--tag", "--transaction", "--output", "--revisit", "--overwrite", "--threads"}});
  Flags flags(command);
  define_crawl_filter(flags, *arguments);
  command.run = [arguments](Io& io) { return run_crawl_filter(*arguments, io); };
}

}  // namespace neardup::cli
