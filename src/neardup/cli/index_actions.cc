#include "neardup/cli/index_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/disk/stale_temporaries.h"
#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/index_facts.h"
#include "neardup/cli/same_file.h"
#include "neardup/engine/index/actions.h"
#include "neardup/engine/index/query.h"
#include "neardup/fingerprint/text_line.h"

namespace neardup::cli {
namespace {

constexpr size_t kNamedIds = 5;

std::string documents_text(uint64_t count) { return human_count(count) + (count == 1 ? " document" : " documents"); }

std::string bytes_text(uint64_t bytes) { return human_bytes(static_cast<double>(bytes)); }

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

std::string json_list(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ',';
    append_json_string(list, text);
  }
  return list + "]";
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

}  // namespace

Status create_index(const IndexArguments& arguments, Io& io) {
  store::IndexSettings settings;
  if (arguments.max_distance >= 0) settings.max_distance = arguments.max_distance;
  settings.codec = arguments.codec;
  settings.plan = arguments.plan;
  NEARDUP_ASSIGN(const auto added,
                 engine::create_index(arguments.folder, settings, arguments.rest, options_of(arguments, io)));
  tell_added(added, arguments, io);
  return {};
}

Status add_to_index(const IndexArguments& arguments, Io& io) {
  if (arguments.rest.empty())
    return fail(Code::kInvalidArgument, "FILE is missing: fingerprints, as neardup fingerprint writes them");
  NEARDUP_ASSIGN(const auto added, engine::add_to_index(arguments.folder, arguments.rest, options_of(arguments, io)));
  tell_added(added, arguments, io);
  return {};
}

Status query_index(const IndexArguments& arguments, Io& io) {
  if (arguments.rest.size() != 1)
    return fail(Code::kInvalidArgument, "expected one FILE of fingerprints, as neardup fingerprint writes them");
  NEARDUP_TRY(check_output_is_no_input(arguments.output, arguments.rest));
  std::optional<AtomicFile> file;
  std::string lines;
  const auto begin = [&]() -> Status {
    if (arguments.output.empty()) return {};
    NEARDUP_ASSIGN(file, create_output(arguments.output));
    return {};
  };
  const auto match = [&](std::string_view query, std::string_view id, int distance) {
    append_match(lines, arguments.json ? IndexFormat::kJsonl : arguments.format, query, id, distance);
  };
  const auto flush = [&]() -> Status {
    const std::string block = std::exchange(lines, {});
    if (file) return file->write(block);
    io.print(block);
    io.flush();
    return {};
  };
  const std::optional<int> distance = arguments.max_distance < 0 ? std::nullopt : std::optional(arguments.max_distance);
  NEARDUP_TRY(engine::query_index(arguments.folder, arguments.rest.front(), distance, options_of(arguments, io),
                                  {begin, match, flush}));
  return file ? file->commit() : Status{};
}

Status delete_from_index(const IndexArguments& arguments, Io& io) {
  std::vector<std::string> ids = arguments.rest;
  if (!arguments.ids_file.empty()) {
    NEARDUP_ASSIGN(const auto more, engine::read_ids(arguments.ids_file));
    ids.insert(ids.end(), more.begin(), more.end());
  }
  if (ids.empty()) return fail(Code::kInvalidArgument, "ID is missing: which documents? Name them, or --ids FILE");
  NEARDUP_ASSIGN(const auto deletion, engine::delete_from_index(arguments.folder, ids, options_of(arguments, io)));
  if (arguments.json) {
    io.print(fmt::format("{{\"deleted\":{},\"missing\":{},\"documents\":{}}}\n", deletion.deleted,
                         json_list(deletion.missing), deletion.held));
    return {};
  }
  for (size_t i = 0; i < std::min(deletion.missing.size(), kNamedIds); ++i)
    io.say(fmt::format("warning: no document \"{}\"\n", deletion.missing[i]));
  io.say(fmt::format("{} deleted, {} not there; the index holds {}\n", documents_text(deletion.deleted),
                     human_count(deletion.missing.size()), human_count(deletion.held)));
  return {};
}

Status show_index(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const auto facts, engine::index_facts(arguments.folder, options_of(arguments, io)));
  io.print(arguments.json ? index_facts_json(facts) : index_facts_text(facts));
  return {};
}

Status check_index(const IndexArguments& arguments, Io& io) {
  const auto size = engine::check_index(arguments.folder, options_of(arguments, io));
  if (!size) {
    std::string message;
    append_json_string(message, size.error().message);
    if (arguments.json && size.error().code == Code::kCorruption)
      io.print(fmt::format("{{\"in_order\":false,\"message\":{}}}\n", message));
    return tl::unexpected<Error>(size.error());
  }
  if (arguments.json) {
    io.print(fmt::format("{{\"in_order\":true,\"documents\":{},\"bytes\":{},\"files\":{}}}\n", size->documents,
                         size->bytes, size->num_files));
    return {};
  }
  io.say(fmt::format("{} is in order: {}, {} in {} files\n", arguments.folder, documents_text(size->documents),
                     bytes_text(size->bytes), size->num_files));
  return {};
}

Status compact_index(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const auto done, engine::compact_index(arguments.folder, options_of(arguments, io)));
  if (arguments.json) {
    io.print(fmt::format("{{\"documents\":{},\"bytes_before\":{},\"bytes_after\":{}}}\n", done.documents,
                         done.bytes_before, done.bytes_after));
    return {};
  }
  io.say(fmt::format("{}, {} before, {} now\n", documents_text(done.documents), bytes_text(done.bytes_before),
                     bytes_text(done.bytes_after)));
  return {};
}

}  // namespace neardup::cli
