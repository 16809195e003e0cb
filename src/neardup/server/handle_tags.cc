#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "neardup/base/disk/file.h"
#include "neardup/server/handlers.h"
#include "neardup/server/json_object.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

Response answer_tag(const ServiceState& state, bool is_changed, std::string_view tag, std::string_view now) {
  std::string body = "{";
  append_text(body, "tag", tag);
  append_text(body, "state", now);
  append_bool(body, "changed", is_changed);
  return answer_with_recipe(state, std::move(body));
}

std::string_view name_of(TagEnd end) { return end == TagEnd::kCommitted ? "committed" : "cancelled"; }

/// What became of a tag that is not open. Documents that it has count, however it ended: a straggler may have brought
/// them since.
Result<std::optional<TagEnd>> end_of(const ServiceState& state, std::string_view tag) {
  const auto known = state.ended_tags.find(tag);
  if (known == TagEnd::kCommitted) return known;
  NEARDUP_ASSIGN(const auto tags, state.backend->tags());
  const auto found = std::ranges::find(tags, tag, &store::TagCount::tag);
  const bool counts = found != tags.end() && !found->is_open;
  return counts ? std::optional(TagEnd::kCommitted) : known;
}

/// Of a tag that is not open: the same answer again, or why there is none.
Response answer_ended(const ServiceState& state, std::string_view tag, TagEnd wanted) {
  const auto end = end_of(state, tag);
  if (!end) return refuse(end.error());
  if (!*end)
    return refuse(Error{Code::kNotFound, fmt::format("the tag \"{0}\" is not open: POST /v1/tags/{0}/begin opens it, "
                                                     "before its documents come",
                                                     tag)});
  if (**end == wanted) return answer_tag(state, false, tag, name_of(wanted));
  const std::string cure = wanted == TagEnd::kCommitted ? "its documents are gone: begin it anew, and send them again"
                                                        : fmt::format("DELETE /v1/tags/{} erases its documents", tag);
  return refuse(Error{Code::kMismatch, fmt::format("the tag \"{}\" is {} already; {}", tag, name_of(**end), cure)});
}

/// One at a time: a tag is open no more before the disk has it, and who asks again meanwhile waits for that. Returns
/// whether it was open.
Result<bool> end_open_tag(ServiceState& state, std::string_view tag, TagEnd wanted) {
  const std::lock_guard one(state.end_tag_mutex);
  Backend& backend = *state.backend;
  EndedTags::Room room = EndedTags::room_for(tag, wanted);  // what may fail comes before what is done
  const Result<bool> ended = wanted == TagEnd::kCommitted ? backend.commit_tag(tag) : backend.cancel_tag(tag);
  if (ended && *ended) state.ended_tags.add(std::move(room));
  return ended;
}

Response end_tag(ServiceState& state, std::string_view tag, TagEnd wanted) {
  const Result<bool> ended = end_open_tag(state, tag, wanted);
  if (!ended) return refuse(ended.error());
  return *ended ? answer_tag(state, true, tag, name_of(wanted)) : answer_ended(state, tag, wanted);
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
  const Result<bool> begun = state.backend->begin_tag(tag);
  return begun ? answer_tag(state, *begun, tag, "open") : refuse(begun.error());
}

Response commit_tag(ServiceState& state, const Request& request) {
  return end_tag(state, request.places.front(), TagEnd::kCommitted);
}

Response cancel_tag(ServiceState& state, const Request& request) {
  return end_tag(state, request.places.front(), TagEnd::kCancelled);
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
  std::string body = "{";
  append_text(body, "name", *name);
  append_text(body, "folder", folder);
  Response response = answer_with_recipe(state, std::move(body));  // before it is made: it cannot be asked for again
  if (const Status made = state.backend->snapshot(folder); !made) return refuse(made.error());
  return response;
}

}  // namespace neardup::server
