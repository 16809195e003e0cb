#include "neardup/engine/online/store_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/remote/open_remote.h"
#include "neardup/store/folder_kind.h"

namespace neardup::engine {
namespace {

// A scheme as RFC 3986 has it: only what begins with one is no folder.
bool has_scheme(std::string_view place) {
  const size_t end = place.find("://");
  if (end == std::string_view::npos || end == 0) return false;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_of_scheme = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  };
  return is_letter(place.front()) && std::ranges::all_of(place.substr(0, end), is_of_scheme);
}

// A folder of such a name is far less likely than a slash that was lost.
Status check_slashes(const std::string& place) {
  for (const auto& [scheme, rest] :
       {std::pair{"redis:", "//HOST:PORT/PREFIX"}, {"rediss:", "//HOST:PORT/PREFIX"}, {"hbase:", "//HOST:PORT/TABLE"}})
    if (place.starts_with(scheme))
      return fail(Code::kUnsupported,
                  fmt::format("{} is no place of a store; did you mean {}{}? A folder of such a name "
                              "is ./{}...",
                              place.find('@') == std::string::npos ? place : scheme + std::string("..."), scheme, rest,
                              scheme));
  return {};
}

Result<remote::RemoteOptions> remote_options(const std::string& place, const store::StoreOptions& options) {
  if (options.sync_every_ms != 0)
    return fail(Code::kInvalidArgument,
                fmt::format("{} syncs its disk as its server is set to, not every {} ms: leave --sync out",
                            shown_place(place), options.sync_every_ms));
  remote::RemoteOptions remote;
  remote.most_compared = options.most_compared;
  remote.copied_into = options.copied_into;
  remote.context = options.context;
  return remote;
}

}  // namespace

bool is_on_server(std::string_view place) { return remote::is_remote_uri(place); }

std::string_view kind_name(const std::string& place) {
  if (!is_on_server(place)) return "folder";
  const auto uri = remote::parse_remote_uri(place);
  return uri && uri->kind == remote::ServerKind::kHBase ? "hbase" : "redis";
}

std::string shown_place(const std::string& place) {
  if (!is_on_server(place)) return place;
  const auto uri = remote::parse_remote_uri(place);
  return uri ? uri->shown() : place.substr(0, place.find("://")) + "://...";  // what is wrong may be the password
}

Status check_scheme(const std::string& place) {
  if (is_on_server(place)) {
    NEARDUP_TRY(remote::parse_remote_uri(place));
    return {};
  }
  if (place == "-")
    return fail(Code::kInvalidArgument,
                "expected the folder of a store, found \"-\": a store is no stream; a folder of that name is ./-");
  NEARDUP_TRY(check_slashes(place));
  if (!has_scheme(place)) return {};
  return fail(Code::kUnsupported,
              fmt::format("{}:// is no place of a store; expected a folder, redis://HOST:PORT/PREFIX "
                          "or hbase://HOST:PORT/TABLE",
                          place.substr(0, place.find("://"))));
}

Result<PlaceKind> kind_of_place(const std::string& place) {
  NEARDUP_TRY(check_scheme(place));
  if (is_on_server(place)) return PlaceKind::kServer;
  NEARDUP_ASSIGN(const store::FolderKind kind, store::kind_of_folder(place));
  switch (kind) {
    case store::FolderKind::kIndex:
      return PlaceKind::kIndex;
    case store::FolderKind::kStore:
      return PlaceKind::kFolder;
    case store::FolderKind::kOther:
      break;
  }
  return PlaceKind::kNothing;
}

Result<bool> is_store_at(const std::string& place, const Context& context) {
  NEARDUP_ASSIGN(const PlaceKind kind, kind_of_place(place));
  if (kind != PlaceKind::kServer) return kind == PlaceKind::kFolder;
  return remote::is_remote_store(place, {.context = context});
}

Result<std::unique_ptr<store::Store>> create_store_at(const std::string& place, store::StoreSettings settings,
                                                      const store::StoreOptions& options,
                                                      std::span<const store::GivenFile> files) {
  NEARDUP_TRY(check_scheme(place));
  if (is_on_server(place)) {
    NEARDUP_ASSIGN(const remote::RemoteOptions remote, remote_options(place, options));
    NEARDUP_ASSIGN(auto store, remote::create_remote_store(place, std::move(settings), remote, files));
    return std::unique_ptr<store::Store>(std::move(store));
  }
  NEARDUP_ASSIGN(auto store, store::EmbeddedStore::create(place, std::move(settings), options, files));
  return std::unique_ptr<store::Store>(std::move(store));
}

Result<std::unique_ptr<store::Store>> open_store_at(const std::string& place, const store::StoreOptions& options) {
  NEARDUP_TRY(check_scheme(place));
  if (is_on_server(place)) {
    NEARDUP_ASSIGN(const remote::RemoteOptions remote, remote_options(place, options));
    NEARDUP_ASSIGN(auto store, remote::open_remote_store(place, remote));
    return std::unique_ptr<store::Store>(std::move(store));
  }
  NEARDUP_ASSIGN(auto store, store::EmbeddedStore::open(place, options));
  return std::unique_ptr<store::Store>(std::move(store));
}

}  // namespace neardup::engine
