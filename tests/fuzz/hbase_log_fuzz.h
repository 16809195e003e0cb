// What a store reads from a table on HBase: entries of the log, rows, columns, the options of the layout.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/base/bytes.h"
#include "neardup/base/hash.h"
#include "neardup/remote/hbase/log_entry.h"
#include "neardup/remote/hbase/table_options.h"

inline void fuzz_hbase_entry(std::string_view bytes) {
  using namespace neardup::remote::hbase;
  const auto entry = parse_log_entry(bytes);
  if (!entry) return;
  const auto again = parse_log_entry(to_bytes(*entry));
  if (!again || to_bytes(*again) != to_bytes(*entry)) std::abort();
  neardup::store::StoreSettings settings;
  settings.num_fingerprints = 2;
  neardup::remote::Change change;
  const uint64_t words[] = {1, 2};
  change.fingerprints = words;
  static_cast<void>(touched_by(*entry).is_under(change, *Layout::make(settings, 10)));
}

inline int fuzz_hbase_log(const uint8_t* data, size_t size) {
  using namespace neardup;
  using namespace neardup::remote::hbase;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_hbase_entry(bytes);
  std::string checked(bytes);  // with a checksum that fits
  append_little(checked, hash64(bytes));
  fuzz_hbase_entry(checked);
  if (const auto position = log_position(bytes); position && log_row(*position).substr(4) != bytes.substr(4))
    std::abort();
  if (const auto number = parse_number_column(bytes); number && number_column(*number) != bytes) std::abort();
  if (const auto options = parse_table_options(bytes); options && !parse_table_options(to_text(*options))) std::abort();
  store::StoreSettings settings;
  settings.num_fingerprints = 3;
  Prefix prefix = 0;
  uint64_t word = 0;
  static_cast<void>(Layout::make(settings, 4)->parse_row(bytes, prefix, {&word, 1}));
  return 0;
}
