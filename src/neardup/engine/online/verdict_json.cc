#include "neardup/engine/online/verdict_json.h"

#include <fmt/format.h>

#include <iterator>

#include "neardup/base/json.h"
#include "neardup/engine/match/shown_pair.h"

namespace neardup::engine {
namespace {

void append_likeness(std::string& out, float similarity, uint32_t distance) {
  out += ",\"similarity\":";
  append_json_number(out, shown_similarity(similarity));
  fmt::format_to(std::back_inserter(out), ",\"distance\":{}", distance);
}

}  // namespace

void append_verdict(std::string& out, std::string_view id, const TextVerdict& verdict) {
  out += "\"id\":";
  if (id.empty())
    out += "null";
  else
    append_json_string(out, id);
  out += ',';
  append_fate(out,
              {.kind = verdict.kind,
               .similarity = verdict.similarity,
               .distance = verdict.distance,
               .is_truncated = verdict.is_truncated},
              verdict.duplicate_of);
  if (verdict.is_estimate) out += ",\"estimate\":true";
  if (verdict.is_repeated) out += ",\"repeated\":true";
}

void append_fate(std::string& out, const store::Fate& fate, std::string_view duplicate_of) {
  fmt::format_to(std::back_inserter(out), "\"verdict\":\"{}\",\"duplicate_of\":", name_of(fate.kind));
  if (fate.kind == store::Kind::kNew) {
    out += "null,\"similarity\":null,\"distance\":null";
  } else {
    if (duplicate_of.empty())
      out += "null";
    else
      append_json_string(out, duplicate_of);
    append_likeness(out, fate.similarity, fate.distance);
  }
  if (fate.is_truncated) out += ",\"truncated\":true";
}

void append_neighbour(std::string& out, const store::StoredNeighbour& neighbour) {
  out += "{\"id\":";
  append_json_string(out, neighbour.id);
  append_likeness(out, neighbour.likeness.similarity, neighbour.likeness.distance);
  out += neighbour.is_exact ? ",\"exact\":true" : ",\"exact\":false";
  if (neighbour.is_container) out += ",\"container\":true";
  if (neighbour.likeness.is_estimate) out += ",\"estimate\":true";
  out += '}';
}

std::string_view name_of(store::Kind kind) {
  switch (kind) {
    case store::Kind::kNew:
      return "new";
    case store::Kind::kExact:
      return "exact";
    case store::Kind::kNear:
      return "near";
    case store::Kind::kContained:
      return "contained";
  }
  return {};
}

}  // namespace neardup::engine
