#include "neardup/engine/online/copy_store.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/remote/open_remote.h"
#include "neardup/store/copy_store.h"

namespace neardup::engine {
namespace {

Status check_nothing_at(const std::string& to, const Context& context) {
  NEARDUP_ASSIGN(const bool is_there, is_store_at(to, context));
  if (!is_there) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("{} is a store already; a copy is made where there is none", shown_place(to)));
}

Result<std::vector<store::GivenFile>> given_files_of(const store::Store& store) {
  std::vector<store::GivenFile> files;
  for (const store::OwnFile& file : store.settings().files) {
    NEARDUP_ASSIGN(std::string bytes, read_file(store.file_path(file.name)));
    files.push_back({file.name, std::move(bytes)});
  }
  return files;
}

Status remove_store(const std::string& place) {
  return is_on_server(place) ? remote::drop_remote_store(place) : remove_all(place);
}

Result<StoreCopy> fill_copy(const store::Store& from, store::Store& to, const Context& context) {
  NEARDUP_TRY(store::copy_documents(from, to, context));
  NEARDUP_TRY(to.checkpoint());
  NEARDUP_ASSIGN(const store::Statistics statistics, to.statistics());
  return StoreCopy{.documents = statistics.documents, .is_linked = false};
}

}  // namespace

Result<StoreCopy> copy_store(const std::string& from, const std::string& to, const Context& context) {
  NEARDUP_TRY(check_nothing_at(to, context));
  store::StoreOptions options;
  options.context.cancel = context.cancel;
  NEARDUP_ASSIGN(const auto store, open_store_at(from, options));
  if (!is_on_server(from) && !is_on_server(to)) {
    NEARDUP_TRY(store->snapshot(to));
    return StoreCopy{.documents = 0, .is_linked = true};
  }
  NEARDUP_ASSIGN(const std::vector<store::GivenFile> files, given_files_of(*store));
  store::StoreSettings settings = store->settings();
  settings.files = {};
  NEARDUP_ASSIGN(auto copy, create_store_at(to, std::move(settings), options, files));
  auto filled = fill_copy(*store, *copy, context);
  copy.reset();
  if (!filled) static_cast<void>(remove_store(to));
  return filled;
}

}  // namespace neardup::engine
