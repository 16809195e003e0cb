#include "neardup/store/log_format.h"

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/base/hash.h"

namespace neardup::store {
namespace {

constexpr FileKind log_kind(uint32_t version) {
  return {.magic = "NDUPWLOG", .version = version, .noun = "log", .cure = kLogFileCure};
}
constexpr FileKind kLogFile = log_kind(LogHeader().version);
constexpr uint32_t kGroupMagic = 0x5052474e;  // "NGRP"

size_t padded(size_t size) { return (size + kGroupAlignment - 1) / kGroupAlignment * kGroupAlignment; }

std::string to_bytes(const GroupNumbers& numbers, uint64_t payload_bytes, uint32_t version) {
  std::string bytes;
  append_little(bytes, kGroupMagic);
  append_little(bytes, numbers.num_records);
  append_little(bytes, numbers.first);
  append_little(bytes, numbers.previous);
  if (version != kUncheckedLogVersion) append_little(bytes, numbers.durable);
  append_little(bytes, payload_bytes);
  return bytes;
}

// Whether the payload is that many records, and nothing else.
bool holds_records(std::string_view payload, uint32_t num_records) {
  ByteReader reader(payload);
  for (uint32_t i = 0; i < num_records && reader.ok(); ++i) static_cast<void>(reader.piece(reader.number<uint32_t>()));
  return reader.ok() && reader.rest().empty();
}

}  // namespace

std::string to_bytes(const LogHeader& header) {
  std::string bytes = begin_frame(log_kind(header.version));
  append_little(bytes, header.number);
  append_little(bytes, header.previous);
  append_little(bytes, header.salt);
  bytes.resize(kLogHeaderBytes - kFrameFooterBytes);
  end_frame(bytes);
  return bytes;
}

Result<LogHeader> parse_log_header(std::string_view bytes, std::string_view path) {
  LogHeader header;
  const uint32_t version = frame_version(bytes);
  if (version == kUncheckedLogVersion) header.version = version;
  NEARDUP_ASSIGN(const std::string_view payload,
                 open_frame(bytes.substr(0, kLogHeaderBytes), log_kind(header.version), path));
  ByteReader reader(payload);
  header.number = reader.number<uint64_t>();
  header.previous = reader.number<uint64_t>();
  header.salt = reader.number<uint64_t>();
  if (!reader.ok()) return damaged_file(kLogFile, path, "it is cut short");
  return header;
}

void append_to_group(std::string& group_bytes, std::string_view record) {
  group_bytes.reserve(padded(group_bytes.size() + sizeof(uint32_t) + record.size()));
  append_little(group_bytes, static_cast<uint32_t>(record.size()));
  group_bytes += record;
}

void seal_group(std::string& group_bytes, const GroupNumbers& numbers, uint64_t salt, uint32_t version) {
  const std::string_view payload = std::string_view(group_bytes).substr(group_header_bytes(version));
  std::string header = to_bytes(numbers, payload.size(), version);
  append_little(header, hash64(payload, salt));
  append_little(header, hash64(header, salt));
  group_bytes.replace(0, header.size(), header);
  group_bytes.resize(padded(group_bytes.size()));
}

std::optional<LogGroup> read_group(std::string_view bytes, uint64_t salt, uint32_t version) {
  ByteReader reader(bytes);
  if (reader.number<uint32_t>() != kGroupMagic) return {};
  LogGroup group;
  group.num_records = reader.number<uint32_t>();
  group.first = reader.number<uint64_t>();
  group.previous = reader.number<uint64_t>();
  group.durable = version == kUncheckedLogVersion ? group.previous : reader.number<uint64_t>();
  const auto payload_bytes = reader.number<uint64_t>();
  const auto payload_sum = reader.number<uint64_t>();
  const auto header_sum = reader.number<uint64_t>();
  if (!reader.ok()) return {};
  if (hash64(bytes.substr(0, group_header_bytes(version) - sizeof(header_sum)), salt) != header_sum) return {};
  group.payload = reader.piece(payload_bytes);
  if (!reader.ok() || hash64(group.payload, salt) != payload_sum) return {};
  if (group.first <= group.previous || group.previous < group.durable) return {};
  if (!holds_records(group.payload, group.num_records)) return {};
  group.size_bytes = padded(group_header_bytes(version) + payload_bytes);
  return group;
}

}  // namespace neardup::store
