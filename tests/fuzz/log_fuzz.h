// A log file from outside: its header, and groups as they are and with checksums that fit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/store/log_format.h"

inline void fuzz_groups(std::string_view bytes, uint64_t salt, uint32_t version) {
  using namespace neardup;
  const size_t header_bytes = store::group_header_bytes(version);
  while (const auto group = store::read_group(bytes, salt, version)) {
    if (group->first <= group->previous || group->previous < group->durable) std::abort();
    if (group->size_bytes % store::kGroupAlignment != 0) std::abort();
    if (group->size_bytes < header_bytes + group->payload.size()) std::abort();
    if (group->payload.data() != bytes.data() + header_bytes) std::abort();
    bytes.remove_prefix(std::min(bytes.size(), group->size_bytes));
  }
}

inline int fuzz_log(const uint8_t* data, size_t size) {
  using namespace neardup;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto header = store::parse_log_header(bytes, "fuzz")) {
    if (!bytes.starts_with(store::to_bytes(*header))) std::abort();
    fuzz_groups(bytes.substr(store::kLogHeaderBytes), header->salt, header->version);
  }
  for (const uint32_t version : {store::kUncheckedLogVersion, store::LogHeader().version}) {
    fuzz_groups(bytes, 0, version);
    if (bytes.empty()) continue;
    std::string sealed(store::group_header_bytes(version), '\0');
    sealed += bytes.substr(1);
    store::seal_group(sealed, {8, 7, 6, data[0]}, 3, version);
    fuzz_groups(sealed, 3, version);
    fuzz_groups(sealed, 4, version);
  }
  return 0;
}
