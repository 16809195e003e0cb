#include "neardup/cli/index_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/index_facts.h"
#include "neardup/cli/index_outcomes.h"
#include "neardup/cli/line_output.h"
#include "neardup/cli/progress.h"
#include "neardup/cli/same_file.h"
#include "neardup/engine/index/actions.h"
#include "neardup/engine/index/query.h"
#include "neardup/fingerprint/text_line.h"

namespace neardup::cli {
namespace {

store::DirectoryOptions options_of(const IndexArguments& arguments, const Io& io) {
  return engine::index_options(arguments.num_threads, arguments.memory_bytes, {nullptr, io.cancel});
}

void tell_added(const engine::IndexAddition& added, const IndexArguments& arguments, Io& io) {
  if (arguments.json)
    return io.print(fmt::format("{{\"added\":{},\"replaced\":{},\"documents\":{}}}\n", added.documents, added.replaced,
                                added.held));
  io.say(fmt::format("{} added, {} of them in the place of others; the index holds {}\n",
                     documents_text(added.documents), human_count(added.replaced), human_count(added.held)));
}

void append_match(std::string& out, IndexFormat format, std::string_view query, std::string_view id, int distance) {
  if (format == IndexFormat::kTsv) {
    fingerprint::append_escaped_id(out, query);
    out += '\t';
    fingerprint::append_escaped_id(out, id);
    out += fmt::format("\t{}\n", distance);
    return;
  }
  out += "{\"query\":";
  append_json_string(out, query);
  out += ",\"id\":";
  append_json_string(out, id);
  out += fmt::format(",\"distance\":{}}}\n", distance);
}

// The display is gone when the command says what came of it.
template <typename Work>
Result<engine::IndexAddition> with_progress(const IndexArguments& arguments, Io& io, const Work& work) {
  ProgressDisplay progress(ProgressDisplay::style_beside(arguments.progress, false, io), io.err, io.columns);
  store::DirectoryOptions options = options_of(arguments, io);
  options.context.progress = &progress;
  return work(options);
}

}  // namespace

Status create_index(const IndexArguments& arguments, Io& io) {
  store::IndexSettings settings;
  if (arguments.max_distance >= 0) settings.max_distance = arguments.max_distance;
  settings.codec = arguments.codec;
  settings.plan = arguments.plan;
  NEARDUP_ASSIGN(const auto added, with_progress(arguments, io, [&](const store::DirectoryOptions& options) {
                   return engine::create_index(arguments.folder, settings, arguments.rest, options);
                 }));
  tell_added(added, arguments, io);
  return {};
}

Status add_to_index(const IndexArguments& arguments, Io& io) {
  if (arguments.rest.empty())
    return fail(Code::kInvalidArgument, "FILE is missing: fingerprints, as neardup fingerprint writes them");
  NEARDUP_ASSIGN(const auto added, with_progress(arguments, io, [&](const store::DirectoryOptions& options) {
                   return engine::add_to_index(arguments.folder, arguments.rest, options);
                 }));
  tell_added(added, arguments, io);
  return {};
}

Status query_index(const IndexArguments& arguments, Io& io) {
  if (arguments.rest.size() != 1)
    return fail(Code::kInvalidArgument, "expected one FILE of fingerprints, as neardup fingerprint writes them");
  NEARDUP_TRY(check_output_is_no_input(arguments.output, arguments.rest));
  LineOutput output(arguments.output, io);
  const auto match = [&](std::string_view query, std::string_view id, int distance) {
    append_match(output.lines(), arguments.json ? IndexFormat::kJsonl : arguments.format, query, id, distance);
  };
  const std::optional<int> distance = arguments.max_distance < 0 ? std::nullopt : std::optional(arguments.max_distance);
  NEARDUP_TRY(engine::query_index(arguments.folder, arguments.rest.front(), distance, options_of(arguments, io),
                                  {[&] { return output.begin(); }, match, [&] { return output.flush(); }}));
  return output.finish();
}

Status delete_from_index(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const std::vector<std::string> ids, ids_to_delete(arguments));
  NEARDUP_ASSIGN(const auto deletion, engine::delete_from_index(arguments.folder, ids, options_of(arguments, io)));
  tell_deleted(deletion, "index", arguments, io);
  return {};
}

Status show_index(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const auto facts, engine::index_facts(arguments.folder, options_of(arguments, io)));
  io.print(arguments.json ? index_facts_json(facts) : index_facts_text(facts));
  return {};
}

Status check_index(const IndexArguments& arguments, Io& io) {
  return tell_checked(engine::check_index(arguments.folder, options_of(arguments, io)), arguments, io);
}

Status compact_index(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const auto done, engine::compact_index(arguments.folder, options_of(arguments, io)));
  tell_compacted(done, arguments, io);
  return {};
}

}  // namespace neardup::cli
