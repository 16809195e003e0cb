#include "neardup/cli/store_upkeep.h"

#include <fmt/format.h>

#include <memory>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/index_outcomes.h"
#include "neardup/cli/progress.h"
#include "neardup/engine/index/actions.h"
#include "neardup/engine/online/copy_store.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/online/text_store.h"
#include "neardup/remote/open_remote.h"
#include "neardup/store/check_store.h"
#include "neardup/store/repair_store.h"

namespace neardup::cli {
namespace {

store::StoreOptions upkeep_options(const Io& io) {
  store::StoreOptions options;
  options.context = {nullptr, io.cancel};
  return options;
}

std::string faults_text(const store::StoreCheck& check, const std::string& folder) {
  std::string text;
  for (const std::string& fault : check.faults) text += fault + "\n";
  if (text.find(" --repair ") != std::string::npos) return text.substr(0, text.size() - 1);  // a fault says so itself
  return text + fmt::format("neardup index check {} --repair makes what can be made of the logs again", folder);
}

Status repair_store(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const store::StoreRepair repair, store::repair_store(arguments.folder, upkeep_options(io)));
  if (arguments.json) {
    io.print(fmt::format("{{\"repaired\":true,\"documents\":{},\"lost_documents\":{},\"lost\":{}}}\n", repair.documents,
                         repair.lost_documents, json_list(repair.lost)));
    return {};
  }
  for (const std::string& lost : repair.lost) io.say(fmt::format("warning: lost: {}\n", lost));
  if (repair.lost_documents > 0)
    io.say(fmt::format("warning: {} are lost at most\n", documents_text(repair.lost_documents)));
  io.say(fmt::format("{} is made again: {}\n", arguments.folder, documents_text(repair.documents)));
  return {};
}

// Asks a server for every document by all that it is found by.
Result<engine::IndexSize> check_on_server(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const auto store, remote::open_remote_store(arguments.folder, {.context = {nullptr, io.cancel}}));
  ProgressDisplay progress(ProgressDisplay::style_for(arguments.progress, io), io.err, io.columns);
  NEARDUP_ASSIGN(const store::StoreCheck check, store->check_whole({&progress, io.cancel}));
  std::string faults;
  for (const std::string& fault : check.faults) faults += fault + "\n";
  if (!faults.empty())
    return fail(Code::kCorruption, faults + fmt::format("neardup index copy {} NEW makes a whole one of its records",
                                                        engine::shown_place(arguments.folder)));
  NEARDUP_ASSIGN(const store::Statistics statistics, store->statistics());
  return engine::IndexSize{check.documents, std::max(statistics.disk_bytes, statistics.memory_bytes), 0};
}

Result<engine::IndexSize> check_in_folder(const IndexArguments& arguments, const Io& io) {
  NEARDUP_ASSIGN(const store::StoreCheck check, store::check_store(arguments.folder, upkeep_options(io)));
  if (!check.faults.empty()) return fail(Code::kCorruption, faults_text(check, arguments.folder));
  return engine::size_of_files(arguments.folder, check.documents);
}

}  // namespace

Status check_store(const IndexArguments& arguments, Io& io) {
  const bool is_on_server = engine::is_on_server(arguments.folder);
  if (arguments.repair && is_on_server)
    return fail(Code::kUnsupported,
                fmt::format("{} has no logs to be made again of: --repair is for folders; restore a backup, or neardup "
                            "index copy {} NEW what can be read",
                            engine::shown_place(arguments.folder), engine::shown_place(arguments.folder)));
  if (arguments.repair) return repair_store(arguments, io);
  return tell_checked(is_on_server ? check_on_server(arguments, io) : check_in_folder(arguments, io), arguments, io);
}

Status compact_store(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const auto store, engine::open_store_at(arguments.folder, upkeep_options(io)));
  const auto bytes_of = [](const store::Statistics& statistics) {
    return statistics.disk_bytes > 0 ? statistics.disk_bytes : statistics.memory_bytes;
  };
  NEARDUP_ASSIGN(const store::Statistics before, store->statistics());
  NEARDUP_TRY(store->compact());
  NEARDUP_ASSIGN(const store::Statistics after, store->statistics());
  tell_compacted({after.documents, bytes_of(before), bytes_of(after)}, arguments, io);
  return {};
}

Status copy_store(const IndexArguments& arguments, Io& io) {
  if (arguments.rest.size() != 1)
    return fail(Code::kInvalidArgument, "TO is missing: the folder of the copy, or its URI on a server");
  const std::string &from = arguments.folder, &to = arguments.rest.front();
  ProgressDisplay progress(ProgressDisplay::style_for(arguments.progress, io), io.err, io.columns);
  NEARDUP_ASSIGN(const engine::StoreCopy copy, engine::copy_store(from, to, {&progress, io.cancel}));
  if (copy.is_linked)
    io.say(fmt::format("{} is a copy of {}; files that never change are shared by hard links where the disk allows\n",
                       to, from));
  else
    io.say(fmt::format("{} is a copy of {}: {}, each compared\n", engine::shown_place(to), engine::shown_place(from),
                       documents_text(copy.documents)));
  return {};
}

Status drop_store(const IndexArguments& arguments, Io& io) {
  const std::string shown = engine::shown_place(arguments.folder);
  if (!engine::is_on_server(arguments.folder))
    return fail(Code::kUnsupported, fmt::format("'{}' is a folder: remove it as any other (rm -r); drop removes what a "
                                                "server keeps",
                                                shown));
  NEARDUP_TRY(remote::drop_remote_store(arguments.folder, {.context = {nullptr, io.cancel}}));
  if (arguments.json)
    io.print("{\"dropped\":true}\n");
  else
    io.say(fmt::format("{} is gone, with all that was in it\n", shown));
  return {};
}

}  // namespace neardup::cli
