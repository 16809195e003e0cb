// What a store on Redis reads back: groups of records, long records, lists, the header. Nothing that a server holds
// makes it read beyond its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/remote/redis/packed_list.h"
#include "neardup/remote/redis/record_group.h"
#include "neardup/remote/redis/store_header.h"

inline int fuzz_redis_values(const uint8_t* data, size_t size) {
  using namespace neardup::remote::redis;
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 2), size - 2);
  if (data[0] % 4 == 0) {
    const auto group = parse_group(bytes, data[1] % 65);
    for (size_t slot = 0; group && slot < kGroupSize; ++slot) {
      const PieceRecord& record = group->records[slot];
      const bool is_sound = !group->is_there[slot] || !record.is_cut ||
                            (record.cut_at <= record.bytes.size() && record.homes.size() == data[1] % 65);
      if (!is_sound) __builtin_trap();
    }
  } else if (data[0] % 4 == 1) {
    static_cast<void>(parse_own_record(bytes));
  } else if (data[0] % 4 == 2) {
    const PackedList list(bytes, 2 + data[1] % 15, data[1] >= 128);
    std::vector<uint32_t> found, all;
    find_within(list, Wide{data[1]} << 64 | size, data[1] % 33, found);
    for (const uint32_t i : found)
      if (i >= list.size()) __builtin_trap();
    if (data[1] < 128) return 0;
    for (uint32_t i = 0; i < list.size(); ++i) all.push_back(i);
    list.each_number(all, [](size_t, uint64_t) {});
    static_cast<void>(list.last_page());
  } else {
    Fields fields;
    for (size_t at = 0; at < bytes.size(); at += 2 + static_cast<uint8_t>(bytes[at]) % 16)
      fields.emplace(bytes.substr(at, 1 + static_cast<uint8_t>(bytes[at]) % 8), bytes.substr(at, data[1] % 20));
    static_cast<void>(parse_fields(fields));
    Fields whole = fields_of({}, {});
    for (auto& [name, value] : whole)
      if (name.size() % 8 == data[1] % 8) value = bytes;
    static_cast<void>(parse_fields(whole));
  }
  return 0;
}
