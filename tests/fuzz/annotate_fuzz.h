// Members added to a JSON object from outside: the object stays valid, its fields stay, the new ones are there.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/corpus/output.h"
#include "tests/agree/corpus/plain_json.h"

inline int fuzz_annotate(const uint8_t* data, size_t size) {
  if (size > 100000) return 0;
  const std::string_view record(reinterpret_cast<const char*>(data), size);
  const auto before = plain::parse(record);
  if (!before || before->kind != '{') return 0;
  std::string out;
  neardup::corpus::append_annotated_json(out, record, "\"zz\":1,\"zy\":\"b\"");
  const auto after = plain::parse(out);
  if (!after || after->members.size() != before->members.size() + 2) std::abort();
  for (size_t i = 0; i < before->members.size(); ++i) {
    if (after->members[i].first != before->members[i].first) std::abort();
    if (after->members[i].second.raw != before->members[i].second.raw) std::abort();
  }
  std::string unchanged;
  neardup::corpus::append_annotated_json(unchanged, record, "");
  if (unchanged != record) std::abort();
  return 0;
}
