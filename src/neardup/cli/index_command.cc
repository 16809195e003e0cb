#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>

#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/index_actions.h"
#include "neardup/hamming/plan_text.h"

namespace neardup::cli {

namespace {

struct Action {
  const char* name;
  Status (*run)(const IndexArguments& arguments, Io& io);
  std::vector<std::string> flags;  // that it takes, beside those of all
};

const std::vector<Action>& actions() {
  static const std::vector<Action> list = {
      {"create", create_index, {"--distance", "--plan", "--codec", "--json", "--memory", "--threads"}},
      {"add", add_to_index, {"--json", "--memory", "--threads"}},
      {"query", query_index, {"--distance", "--output-format", "--output", "--json"}},
      {"delete", delete_from_index, {"--ids", "--json", "--memory", "--threads"}},
      {"info", show_index, {"--json"}},
      {"check", check_index, {"--json"}},
      {"compact", compact_index, {"--json", "--memory", "--threads"}}};
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

Status check_folder(const std::vector<std::string>& folder) {
  if (folder.empty()) return fail(Code::kInvalidArgument, "DIR is missing: the folder of the index");
  if (folder.front().find("://") == std::string::npos) return {};
  return fail(Code::kUnsupported,
              fmt::format("{}: an index is a folder of this machine; other places are not offered", folder.front()));
}

Status run(IndexCommand& command, Io& io) {
  NEARDUP_ASSIGN(const Action* action, find_action(command.action));
  NEARDUP_TRY(check_folder(command.folder));
  NEARDUP_TRY(check_flags(*action, *command.app));
  command.arguments.folder = command.folder.front();
  const std::string name = action->name;
  if (!command.arguments.rest.empty() && (name == "info" || name == "check" || name == "compact"))
    return fail(Code::kInvalidArgument, fmt::format("\"{}\" is one argument too many", command.arguments.rest.front()));
  return action->run(command.arguments, io);
}

void define(Flags& flags, IndexCommand& command) {
  IndexArguments& arguments = command.arguments;
  flags.group("Input");
  flags.arguments({"ACTION", "create|add|query|delete|info|check|compact",
                   "What to do: create, add, query, delete, info, check, compact"},
                  command.action, 1);
  flags.arguments({"DIR", "", "The folder of the index"}, command.folder, 1);
  flags.arguments(
      {"FILE", "", "Fingerprints from neardup fingerprint, text or bin; - is standard input. For delete: ids"},
      arguments.rest);
  flags.text({"--ids", "FILE", "delete: the ids of this file, one a line"}, arguments.ids_file);
  flags.group("Index");
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
  flags.group("Output");
  flags.choice<IndexFormat>({"--output-format", "", "query: form of the output", "--format"}, arguments.format,
                            {{"tsv", IndexFormat::kTsv}, {"jsonl", IndexFormat::kJsonl}});
  flags.text_once({"-o,--output", "FILE", "query: write to this file instead of standard output"}, arguments.output);
  flags.on({"--json", "", "As one JSON object; query: one a line"}, arguments.json);
  flags.group("Running");
  flags.size({"--memory", "SIZE", "Memory that building a segment may take beside its input and result; 0 is no limit"},
             arguments.memory_bytes);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments.num_threads, 0, 4096, "0");
  flags.config();
}

}  // namespace

void add_index_command(CommandLine& line) {
  auto state = std::make_shared<IndexCommand>();
  Command& command = line.add(
      {"index",
       "Keep fingerprints in a folder and ask for near ones",
       "Keeps the fingerprints of documents in a folder, to which documents are added and from which they are deleted, "
       "and finds those near others.",
       "ACTION DIR [FILE...] [FLAGS]",
       {{"neardup index create news --distance 3 prints.tsv", "A new index, with the documents of a file."},
        {"neardup index query news today.tsv > matches.tsv", "Id of the query, id of the match, distance."},
        {"neardup fingerprint new.txt | neardup index query news -", "Which are near a text?"},
        {"neardup index delete news doc17 doc18", "Take documents out."}},
       {"create makes an index of the FILEs, or an empty one; add adds FILEs, and a document replaces one with the "
        "same "
        "id; query prints the documents near each document of a FILE, in its order, the nearest first; delete takes "
        "out documents by their ids and warns of unknown ones; info shows what the index holds; check reads every "
        "byte and says whether all is in order; compact makes the smallest and fastest form.",
        "Each action happens completely or, if it is interrupted, not at all. One process at a time changes an index, "
        "any number may query it meanwhile. All documents within the distance are found, with every plan and codec."},
       {"--ids", "--distance", "--output-format", "--output", "--json", "--memory", "--threads"}});
  state->app = command.app;
  Flags flags(command);
  define(flags, *state);
  command.run = [state](Io& io) { return run(*state, io); };
}

}  // namespace neardup::cli
