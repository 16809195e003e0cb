#include "neardup/remote/stored_bytes.h"

#include <fmt/format.h>

#include <utility>

#include "neardup/base/bytes.h"
#include "neardup/base/hash.h"
#include "neardup/store/document_keys.h"

namespace neardup::remote {
namespace {

constexpr uint64_t kByText = 1, kIsContested = 2;
constexpr int kFlagBits = 2;
constexpr uint64_t kContestedSalt = 0x636f6e74;

}  // namespace

uint64_t contested_key(uint64_t scope) { return mix64(mix64(scope) ^ kContestedSalt); }

void append_stored(std::string& bytes, const store::Record& record, const Standing& standing) {
  append_varint(bytes, standing.scope << kFlagBits | (standing.by_text ? kByText : 0) |
                           (standing.contested.empty() ? 0 : kIsContested));
  if (!standing.contested.empty()) append_varint(bytes, standing.contested.size());
  for (const uint64_t scope : standing.contested) append_varint(bytes, scope);
  store::Record without_number = record;
  without_number.number = 0;
  append_record(bytes, without_number);
}

std::vector<uint64_t> keys_of_stored(const store::Record& record, const Standing& standing) {
  std::vector<uint64_t> keys =
      store::keys_of_stored(record, standing.by_text ? store::ByText::kYes : store::ByText::kNo);
  for (const uint64_t scope : standing.contested) keys.push_back(contested_key(scope));
  return keys;
}

Status StoredDocumentBytes::read(uint64_t number, std::string bytes) {
  bytes_ = std::move(bytes);
  ByteReader reader(bytes_);
  const uint64_t head = reader.varint();
  standing_ = {.scope = head >> kFlagBits, .by_text = (head & kByText) != 0};
  if ((head & kIsContested) != 0)
    for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left)
      standing_.contested.push_back(reader.varint());
  auto record =
      reader.ok() ? reader_.read(reader.rest()) : Result<store::Record>(fail(Code::kCorruption, "it ends too early"));
  if (!record)
    return fail(Code::kCorruption,
                fmt::format("document {} is damaged on the server: {}; restore the store from a copy", number,
                            record.error().message));
  record_ = *record;
  record_.number = number;
  return {};
}

}  // namespace neardup::remote
