#include "neardup/cli/index_outcomes.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/engine/online/store_place.h"

namespace neardup::cli {
namespace {

constexpr size_t kNamedIds = 5;

}  // namespace

std::string bytes_text(uint64_t bytes) { return human_bytes(static_cast<double>(bytes)); }

std::string json_list(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ',';
    append_json_string(list, text);
  }
  return list + "]";
}

std::string documents_text(uint64_t count) { return human_count(count) + (count == 1 ? " document" : " documents"); }

Result<std::vector<std::string>> ids_to_delete(const IndexArguments& arguments) {
  std::vector<std::string> ids = arguments.rest;
  if (!arguments.ids_file.empty()) {
    NEARDUP_ASSIGN(const auto more, engine::read_ids(arguments.ids_file));
    ids.insert(ids.end(), more.begin(), more.end());
  }
  if (ids.empty()) return fail(Code::kInvalidArgument, "ID is missing: which documents? Name them, or --ids FILE");
  return ids;
}

void tell_deleted(const engine::IndexDeletion& deletion, std::string_view noun, const IndexArguments& arguments,
                  Io& io) {
  if (arguments.json)
    return io.print(fmt::format("{{\"deleted\":{},\"missing\":{},\"documents\":{}}}\n", deletion.deleted,
                                json_list(deletion.missing), deletion.held));
  for (size_t i = 0; i < std::min(deletion.missing.size(), kNamedIds); ++i)
    io.say(fmt::format("warning: no document \"{}\"\n", deletion.missing[i]));
  io.say(fmt::format("{} deleted, {} not there; the {} holds {}\n", documents_text(deletion.deleted),
                     human_count(deletion.missing.size()), noun, human_count(deletion.held)));
}

Status tell_checked(const Result<engine::IndexSize>& size, const IndexArguments& arguments, Io& io) {
  if (!size) {
    std::string message;
    append_json_string(message, size.error().message);
    if (arguments.json && size.error().code == Code::kCorruption)
      io.print(fmt::format("{{\"in_order\":false,\"message\":{}}}\n", message));
    return tl::unexpected<Error>(size.error());
  }
  if (arguments.json)
    io.print(fmt::format("{{\"in_order\":true,\"documents\":{},\"bytes\":{},\"files\":{}}}\n", size->documents,
                         size->bytes, size->num_files));
  else if (size->num_files == 0)  // on a server
    io.say(fmt::format("{} is in order: {}, each found by all that leads to it\n",
                       engine::shown_place(arguments.folder), documents_text(size->documents)));
  else
    io.say(fmt::format("{} is in order: {}, {} in {} files\n", arguments.folder, documents_text(size->documents),
                       bytes_text(size->bytes), size->num_files));
  return {};
}

void tell_compacted(const engine::IndexCompaction& done, const IndexArguments& arguments, Io& io) {
  if (arguments.json)
    return io.print(fmt::format("{{\"documents\":{},\"bytes_before\":{},\"bytes_after\":{}}}\n", done.documents,
                                done.bytes_before, done.bytes_after));
  if (done.bytes_before == 0 && done.bytes_after == 0)  // HBase
    return io.say(fmt::format("{}, compacted; its server does not tell how many bytes they take\n",
                              documents_text(done.documents)));
  io.say(fmt::format("{}, {} before, {} now\n", documents_text(done.documents), bytes_text(done.bytes_before),
                     bytes_text(done.bytes_after)));
}

}  // namespace neardup::cli
