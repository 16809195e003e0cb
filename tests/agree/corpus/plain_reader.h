// The slowest obvious reader: the whole file in memory, one line after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/corpus.h"
#include "tests/agree/corpus/plain_json.h"
#include "tests/unit/corpus/support.h"

namespace plain {

using neardup::corpus::Format;
using neardup::corpus::Item;
using neardup::corpus::ReadOptions;

inline Item rejected(Item item, const std::string& reason, const std::string& record) {
  item.reason = reason;
  item.record = record.substr(0, 200);
  return item;
}

inline Item read_json(Item item, const std::string& record, const ReadOptions& options) {
  const auto object = parse(record.substr(record.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0));
  if (!object) return rejected(item, "invalid_json", record);
  if (object->kind != '{') return rejected(item, "not_an_object", record);
  const Value* text = find_field(*object, options.text_key);
  if (text == nullptr) return rejected(item, "missing_text", record);
  if (text->kind != '"') return rejected(item, "not_a_string", record);
  item.text = text->text;
  if (const Value* id = find_field(*object, options.id_key)) {
    if (id->kind == '"') item.id = id->text;
    if (id->kind == '0' && id->raw.find_first_of(".eE") == std::string::npos) item.id = id->raw;
  }
  item.has_id = !item.id.empty();
  if (const Value* value = find_field(*object, options.value_key)) item.value = value->raw;
  if (const Value* group = find_field(*object, options.group_key))
    item.group = group->kind == '"' ? group->text : group->raw;
  return item;
}

/// What a Reader must give for a file of lines with the content `bytes`.
inline std::vector<Item> read_lines(const std::string& name, std::string bytes, Format format,
                                    const ReadOptions& options, bool records_only = false) {
  std::vector<Item> items;
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF") bytes.erase(0, 3);
  uint64_t number = 0;
  for (size_t begin = 0; begin < bytes.size(); ++number) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string record = bytes.substr(begin, end - begin);
    begin = end + 1;
    Item item{name, number};
    item.record = record;
    if (record.size() > options.max_record_bytes) {
      items.push_back(rejected(item, "too_long", record));
      continue;
    }
    if (record.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (records_only) {
      items.push_back(item);
    } else if (format == Format::kJsonl) {
      items.push_back(read_json(item, record, options));
    } else {
      item.text = record.back() == '\r' ? record.substr(0, record.size() - 1) : record;
      items.push_back(item);
    }
  }
  return items;
}

}  // namespace plain
