#include "neardup/engine/online/copy_store.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/shell_word.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/remote/copy_mark.h"
#include "neardup/remote/open_remote.h"
#include "neardup/store/copy_store.h"

namespace neardup::engine {
namespace {

Status check_nothing_at(const std::string& to, const Context& context) {
  NEARDUP_ASSIGN(const bool is_there, is_store_at(to, context));
  if (!is_there) return {};
  const std::string shown = shown_place(to);
  return fail(
      Code::kInvalidArgument,
      fmt::format("{} is a store already; a copy is made where there is none: take another name, or remove what "
                  "is there ({} {})",
                  shown, is_on_server(to) ? "neardup index drop" : "rm -r", shell_word(shown)));
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
  NEARDUP_ASSIGN(const std::vector<store::GivenFile> files, remote::files_to_copy(*store));
  store::StoreSettings settings = store->settings();
  settings.files = {};
  options.copied_into = true;
  NEARDUP_ASSIGN(auto copy, create_store_at(to, std::move(settings), options, files));
  auto filled = fill_copy(*store, *copy, context);
  copy.reset();
  if (!filled) static_cast<void>(remove_store(to));
  return filled;
}

}  // namespace neardup::engine
