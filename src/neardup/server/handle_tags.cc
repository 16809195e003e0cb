#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/disk/file.h"
#include "neardup/server/handlers.h"
#include "neardup/server/json_object.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

Response answer_tag(const ServiceState& state, const Result<bool>& done, std::string_view tag, std::string_view now) {
  if (!done) return refuse(done.error());
  std::string body = "{";
  append_text(body, "tag", tag);
  append_text(body, "state", now);
  append_bool(body, "changed", *done);
  return answer_with_recipe(state, std::move(body));
}

/// A name that leads nowhere but into its folder.
bool is_plain_name(std::string_view name) {
  constexpr size_t kMost = 100;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  };
  return !name.empty() && name.size() <= kMost && name.front() != '.' && std::ranges::all_of(name, is_plain);
}

}  // namespace

Response list_tags(ServiceState& state, const Request& /*request*/) {
  const auto tags = state.backend->tags();
  if (!tags) return refuse(tags.error());
  std::string body = "{\"tags\":[";
  for (const store::TagCount& entry : *tags) {
    body += body.back() == '[' ? "{" : ",{";
    append_text(body, "tag", entry.tag);
    append_text(body, "state", entry.is_open ? "open" : "committed");
    append_count(body, "documents", entry.documents);
    body += '}';
  }
  body += "],\"truncated\":false";
  return answer_with_recipe(state, std::move(body));
}

Response begin_tag(ServiceState& state, const Request& request) {
  const std::string& tag = request.places.front();
  return answer_tag(state, state.backend->begin_tag(tag), tag, "open");
}

Response commit_tag(ServiceState& state, const Request& request) {
  const std::string& tag = request.places.front();
  return answer_tag(state, state.backend->commit_tag(tag), tag, "committed");
}

Response cancel_tag(ServiceState& state, const Request& request) {
  const std::string& tag = request.places.front();
  return answer_tag(state, state.backend->cancel_tag(tag), tag, "cancelled");
}

Response delete_tag(ServiceState& state, const Request& request) {
  return answer_deleted(state, state.backend->erase_tag(request.places.front()));
}

Response expire_documents(ServiceState& state, const Request& request) {
  const auto object = JsonObject::parse(request.body, {"before"});
  if (!object) return refuse(object.error());
  const auto before = object->whole(0, 0, int64_t{1} << 53);
  if (!before) return refuse(before.error());
  return answer_deleted(state, state.backend->expire(*before));
}

Response make_snapshot(ServiceState& state, const Request& request) {
  const auto object = JsonObject::parse(request.body, {"name"});
  if (!object) return refuse(object.error());
  const auto name = object->text(0);
  if (!name) return refuse(name.error());
  if (!is_plain_name(*name))
    return refuse(Error{Code::kInvalidArgument, "\"name\" must be made of letters, digits, \".\", \"_\" and \"-\""});
  if (state.options.snapshot_folder.empty())
    return refuse(Error{Code::kUnsupported, "the server was started without --snapshots DIR"});
  const std::string folder = fmt::format("{}/{}", state.options.snapshot_folder, *name);
  if (const auto there = file_exists(folder); !there || *there)
    return refuse(Error{Code::kMismatch, fmt::format("the snapshot {} is there already", *name)});
  if (const Status made = state.backend->snapshot(folder); !made) return refuse(made.error());
  std::string body = "{";
  append_text(body, "name", *name);
  append_text(body, "folder", folder);
  return answer_with_recipe(state, std::move(body));
}

}  // namespace neardup::server
