// Members added to a JSON object from outside: the object stays valid, its fields stay, the new ones are there.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/corpus/output.h"
#include "tests/agree/corpus/plain_json.h"

/// Whether the last two members are those of an annotation.
inline bool has_notes(const plain::Value& object) {
  const size_t size = object.members.size();
  return size >= 2 && object.members[size - 2].name == "neardup_duplicate_of" &&
         object.members[size - 1].name == "neardup_cluster";
}

/// `out` is `record` with two members behind those that are no notes of before.
inline void check_annotated(std::string_view record, std::string_view out) {
  const auto before = plain::parse(record), after = plain::parse(out);
  if (!after || after->members.size() < 2) std::abort();
  const size_t kept = after->members.size() - 2;
  if (kept != before->members.size() && !(has_notes(*before) && kept + 2 == before->members.size())) std::abort();
  for (size_t i = 0; i < kept; ++i) {
    if (after->members[i].name != before->members[i].name) std::abort();
    if (after->members[i].value.raw != before->members[i].value.raw) std::abort();
  }
}

inline int fuzz_annotate(const uint8_t* data, size_t size) {
  if (size > 100000) return 0;
  const std::string_view record(reinterpret_cast<const char*>(data), size);
  const auto before = plain::parse(record);
  if (!before || before->kind != '{') return 0;
  std::string out, noted, again, unchanged;
  neardup::corpus::append_annotated_json(out, record, "\"zz\":1,\"zy\":\"b\"");
  check_annotated(record, out);
  neardup::corpus::append_annotated_json(noted, record, "\"neardup_duplicate_of\":\"a\\\"}\",\"neardup_cluster\":null");
  neardup::corpus::append_annotated_json(again, noted, "\"neardup_duplicate_of\":null,\"neardup_cluster\":17");
  check_annotated(record, noted);
  check_annotated(record, again);
  if (plain::parse(again)->members.size() != plain::parse(noted)->members.size()) std::abort();
  neardup::corpus::append_annotated_json(unchanged, record, "");
  if (unchanged != record) std::abort();
  return 0;
}
