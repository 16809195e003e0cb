#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>

#include "neardup/base/disk/file.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/given_arguments.h"
#include "neardup/cli/index_actions.h"
#include "neardup/cli/store_actions.h"
#include "neardup/cli/store_upkeep.h"
#include "neardup/cli/text_store_flags.h"
#include "neardup/corpus/find/detect.h"
#include "neardup/corpus/formats.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/hamming/plan_text.h"

namespace neardup::cli {

namespace {

using Run = Status (*)(const IndexArguments& arguments, Io& io);

struct Action {
  const char* name;
  Run of_index;                    // null: it is for stores alone
  Run of_store;                    // null: it is for indexes alone
  bool takes_rest;                 // FILEs or ids
  std::vector<std::string> flags;  // that it takes, beside those of all
};

std::vector<std::string> with(std::vector<std::string> flags, const std::vector<std::string>& more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

const std::vector<Action>& actions() {
  static const std::vector<Action> list = {
      {"create", create_index, create_store, true,
       with(with({"--distance", "--plan", "--codec", "--tag", "--output", "--json", "--memory", "--progress",
                  "--threads"},
                 text_store_flags()),
            document_flags())},
      {"add", add_to_index, add_to_store, true,
       with({"--tag", "--output", "--json", "--memory", "--progress", "--threads"}, document_flags())},
      {"query", query_index, query_store, true,
       with({"--distance", "--limit", "--output-format", "--output", "--json", "--progress", "--threads"},
            document_flags())},
      {"delete", delete_from_index, delete_from_store, true, {"--ids", "--json", "--memory", "--threads"}},
      {"info", show_index, show_store, false, {"--json"}},
      {"check", check_index, check_store, false, {"--json", "--progress", "--repair"}},
      {"compact", compact_index, compact_store, false, {"--json", "--memory", "--threads"}},
      {"export", nullptr, export_store, false, {"--output"}},
      {"copy", nullptr, copy_store, true, {"--progress"}},
      {"drop", nullptr, drop_store, false, {"--json"}}};
  return list;
}

struct IndexCommand {
  std::vector<std::string> action, folder;
  IndexArguments arguments;
  CLI::App* app = nullptr;
};

Result<const Action*> find_action(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const Action& action : actions()) {
    names.emplace_back(action.name);
    if (!words.empty() && words.front() == action.name) return &action;
  }
  return fail(Code::kInvalidArgument, "ACTION: " + expected_one_of(names, words.empty() ? "" : words.front()));
}

// A flag that an action does not take was meant for something: silence would hide it.
Status check_flags(const Action& action, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    bool known_to_some = false, taken = false;
    for (const Action& other : actions()) {
      const bool takes = std::find(other.flags.begin(), other.flags.end(), name) != other.flags.end();
      known_to_some |= takes;
      taken |= takes && &other == &action;
    }
    if (known_to_some && !taken)
      return fail(Code::kInvalidArgument, fmt::format("neardup index {} takes no {}", action.name, name));
  }
  return {};
}

Status check_typed_folder(const std::vector<std::string>& folder) {
  if (!folder.empty()) return {};
  return fail(Code::kInvalidArgument,
              "DIR is missing: the folder of the index or store, or the URI of a store on a server");
}

// Both places of a copy may be on servers.
Status complete_arguments(const Action& action, IndexCommand& command) {
  NEARDUP_ASSIGN(command.arguments.folder, given_place(command.folder.front()));
  if (action.of_store != copy_store) return {};
  for (std::string& place : command.arguments.rest) {
    NEARDUP_ASSIGN(place, given_place(place));
  }
  return {};
}

bool any_given(const CLI::App& app, const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [&](const std::string& flag) { return is_given(app, flag); });
}

// Fingerprints come in files of other names: .tsv, .txt, .bin.
bool is_of_documents(const std::string& path) {
  const auto info = file_info(path);
  if (info && info->is_directory) return true;
  return std::ranges::any_of(corpus::formats(), [&](const corpus::FormatRow& row) {
    const bool is_sure = row.format == corpus::Format::kJsonl || row.format == corpus::Format::kCsv ||
                         row.format == corpus::Format::kWarc;
    return is_sure && row.signs.has_ending(corpus::ending_of(path));
  });
}

// An index without documents takes the kind of what is added first.
bool asks_for_texts(const IndexCommand& command) {
  return any_given(*command.app, document_flags()) || std::ranges::any_of(command.arguments.rest, is_of_documents);
}

Result<Run> choose_run(const Action& action, const IndexCommand& command) {
  NEARDUP_ASSIGN(const engine::PlaceKind kind, engine::kind_of_place(command.arguments.folder));
  if (kind == engine::PlaceKind::kServer) return action.of_store;
  const bool is_store =
      action.of_index == create_index
          ? kind == engine::PlaceKind::kFolder || any_given(*command.app, text_store_flags()) || asks_for_texts(command)
          : kind == engine::PlaceKind::kFolder || (action.of_index == add_to_index && asks_for_texts(command));
  const Run run = is_store ? action.of_store : action.of_index;
  if (run != nullptr) return run;
  return fail(
      Code::kInvalidArgument,
      fmt::format("'{}' is no store of texts; only those are exported, copied and dropped", command.arguments.folder));
}

Status run(IndexCommand& command, Io& io) {
  NEARDUP_ASSIGN(const Action* action, find_action(command.action));
  NEARDUP_TRY(check_typed_folder(command.folder));
  NEARDUP_TRY(check_flags(*action, *command.app));
  NEARDUP_TRY(complete_arguments(*action, command));
  if (!command.arguments.rest.empty() && !action->takes_rest)
    return fail(Code::kInvalidArgument, fmt::format("\"{}\" is one argument too many", command.arguments.rest.front()));
  NEARDUP_ASSIGN(const Run chosen, choose_run(*action, command));
  return chosen(command.arguments, io);
}

void define(Flags& flags, IndexCommand& command) {
  IndexArguments& arguments = command.arguments;
  flags.group("Input");
  flags.arguments({"ACTION", "create|add|query|delete|info|check|compact|export|copy|drop",
                   "What to do: create, add, query, delete, info, check, compact, export, copy, drop"},
                  command.action, 1);
  flags.arguments({"DIR", "", "The folder of the index or store, or the URI of a store on a server"}, command.folder,
                  1);
  flags.arguments(
      {"FILE", "",
       "Index: fingerprints from neardup fingerprint, text or bin. Store: documents, as neardup dedup takes "
       "them. - is standard input. For delete: ids"},
      arguments.rest);
  flags.text({"--ids", "FILE", "delete: the ids of this file, one a line"}, arguments.ids_file);
  define_document_flags(flags, arguments);
  flags.group("Index of fingerprints");
  flags.whole(
      {"--distance", "K", "create: bits that queries may ask for, 0 to 16; query: bits that a match may differ in"},
      arguments.max_distance, 0, fingerprint::kMaxDistance, "3");
  flags.text({"--plan", "PLAN",
              "create: the tables, such as permuted:4,1 or flips:26/1,26/1; chosen for the number of "
              "documents if not given"},
             arguments.plan);
  flags.choice<hamming::Codec>(
      {"--codec", "", "create: how tables are stored"}, arguments.codec,
      {{"packed", hamming::Codec::kPacked}, {"plain", hamming::Codec::kPlain}, {"delta", hamming::Codec::kDelta}});
  flags.group("A store of texts");
  define_text_store_flags(flags, arguments.settings);
  flags.on({"--repair", "", "check: make a damaged store again of its logs, and name what is lost"}, arguments.repair);
  flags.group("Output");
  define_output_format(flags, arguments.input, arguments.format,
                       {{"tsv", IndexFormat::kTsv}, {"jsonl", IndexFormat::kJsonl}});
  flags.output({"-o,--output", "FILE",
                "query, export: write to this file instead of standard output; add to a store: write the verdict of "
                "each document to it, as JSONL"},
               arguments.output);
  flags.on({"--json", "", "As one JSON object; query: one a line"}, arguments.json);
  flags.group("Running");
  flags.size({"--memory", "SIZE", "Memory that building a segment may take beside its input and result; 0 is no limit"},
             arguments.memory_bytes);
  define_progress_flag(flags, arguments.progress);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments.num_threads, 0, 4096, "0");
  flags.config();
}

}  // namespace

void add_index_command(CommandLine& line) {
  auto state = std::make_shared<IndexCommand>();
  Command& command = line.add(
      {"index",
       "Keep documents or fingerprints and ask for near ones",
       "Keeps documents (a store of texts) in a folder or on a server, or fingerprints alone (an index) in a folder, "
       "to "
       "which others are added and from which they are deleted, and finds those near others.",
       "ACTION DIR [FILE...] [FLAGS]",
       {{"neardup index create news monday.jsonl", "A store with the documents of a file."},
        {"neardup index add news tuesday.jsonl -o verdicts.jsonl",
         "Which of these are new, and which repeat one that was there?"},
        {"neardup index query news today.jsonl --json", "The documents near each of a file; nothing is added."},
        {"neardup index create prints --distance 3 prints.tsv", "An index of fingerprints."},
        {"neardup fingerprint new.txt | neardup index query prints -", "Which are near a text?"},
        {"neardup index delete news doc17 doc18", "Take documents out."},
        {"neardup index create redis://127.0.0.1:6379/news monday.jsonl", "A store that a Redis server keeps."},
        {"neardup index copy news hbase://127.0.0.1:9090/news", "The same store on HBase, each document compared."}},
       {"A store compares texts as neardup dedup does: a document that is added gets its verdict (new, an exact copy, "
        "or "
        "a near-duplicate of one that came before), in the order of the files, and only new ones are kept whole; the "
        "verdicts are those of neardup dedup --keep first under the same --commonness. An index holds fingerprints and "
        "finds all within some bits. create makes a store where FILEs are documents or one of its flags is given, else "
        "an index; an index without documents becomes a store when documents are added to it, or neardup serve opens "
        "it.",
        "create makes it of the FILEs, or empty; add adds FILEs, and a document replaces one with the same id; query "
        "prints the documents near each document of a FILE, in its order, the nearest first: its id, theirs, the "
        "distance (- of one that is not near, and contains it) and, of a store, the similarity; delete takes out "
        "documents "
        "by their ids and warns of unknown ones; info shows what there is; check reads every byte and says whether all "
        "is in order; compact makes the smallest and fastest form; export prints the documents of a store as JSONL; "
        "copy "
        "makes a store TO of all that is in one: files that never change are hard links to the same bytes, so a backup "
        "is a "
        "copy on another disk; drop removes a store from its server.",
        "DIR and TO may be redis://HOST:PORT/PREFIX or hbase://HOST:PORT/TABLE: the "
        "store is on that server, any number of processes use it at once, and all actions give the same answers; check "
        "asks for every document by all that it is found by, and copy compares every document. The password of a Redis "
        "server comes from NEARDUP_REDIS_PASSWORD, or stands in the URI, where others on the machine can see it "
        "(docs/operations.md).",
        "Each action on an index happens completely or, if it is interrupted, not at all; of documents added to a "
        "store "
        "those of finished batches stay, and the same command again goes on. One process at a time changes what is in "
        "a "
        "folder, any number may query an index meanwhile; the process that has a store in a folder open is asked over "
        "HTTP (neardup serve). All documents within the distance of an "
        "index are found, with every plan and codec."},
       {"--ids", "--distance", "--recipe", "--output-format", "--output", "--json", "--memory", "--threads"}});
  state->app = command.app;
  Flags flags(command);
  define(flags, *state);
  command.run = [state](Io& io) { return run(*state, io); };
}

}  // namespace neardup::cli
