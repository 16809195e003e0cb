// The place of a store: a folder of this machine, or a server by its URI.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/store/document_store.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/own_files.h"
#include "neardup/store/settings.h"

namespace neardup::engine {

enum class PlaceKind {
  kNothing,  // a folder with neither of the others, or nothing is there
  kIndex,    // a folder: an index of fingerprints
  kFolder,   // a folder: a store
  kServer,   // a URI; whether a store is there only the server knows (is_store_at())
};

/// Returns whether it is the URI of a store on a server: redis://, rediss:// or hbase://. Nothing is asked of anybody.
[[nodiscard]] bool is_on_server(std::string_view place);
/// Returns "redis" or "hbase" of such a URI, "folder" of anything else.
[[nodiscard]] std::string_view kind_name(const std::string& place);
/// Returns a place as messages, logs and reports show it: without the password of a URI.
[[nodiscard]] std::string shown_place(const std::string& place);

/// Errors: kUnsupported for a URI of anything else (a folder whose name looks like one: ./NAME); kInvalidArgument for a
/// URI of a server that is none.
[[nodiscard]] Status check_scheme(const std::string& place);
/// Errors: those, and of reading a folder.
[[nodiscard]] Result<PlaceKind> kind_of_place(const std::string& place);
/// Returns whether a store is there. Errors: those, and kIo of a server that cannot be reached.
[[nodiscard]] Result<bool> is_store_at(const std::string& place, const Context& context = {});

/// Makes an empty store with the files that are given. Of `options` a server is told most_compared, copied_into and
/// context; log, maps and verification are of folders. Errors: as store::EmbeddedStore::create() and
/// remote::create_remote_store(); kInvalidArgument for sync_every_ms where a server keeps it.
[[nodiscard]] Result<std::unique_ptr<store::Store>> create_store_at(const std::string& place,
                                                                    store::StoreSettings settings,
                                                                    const store::StoreOptions& options = {},
                                                                    std::span<const store::GivenFile> files = {});
/// Errors: likewise of open().
[[nodiscard]] Result<std::unique_ptr<store::Store>> open_store_at(const std::string& place,
                                                                  const store::StoreOptions& options = {});

}  // namespace neardup::engine
