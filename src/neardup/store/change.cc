#include "neardup/store/change.h"

#include "neardup/base/bytes.h"

namespace neardup::store {
namespace {

enum class What : uint8_t { kArrival = 1, kErasure = 2 };

}  // namespace

void append_arrival(std::string& bytes, const Record& document, std::optional<uint64_t> replaced) {
  bytes += static_cast<char>(What::kArrival);
  append_varint(bytes, replaced ? *replaced + 1 : 0);
  append_record(bytes, document);
}

void append_erasure(std::string& bytes, std::span<const uint64_t> numbers) {
  bytes += static_cast<char>(What::kErasure);
  append_varint(bytes, numbers.size());
  uint64_t before = 0;
  for (const uint64_t number : numbers) append_varint(bytes, number - std::exchange(before, number));
}

Result<Change> ChangeReader::read(std::string_view bytes) {
  ByteReader reader(bytes);
  Change change;
  const auto what = static_cast<What>(reader.number<uint8_t>());
  if (what == What::kArrival) {
    const uint64_t replaced = reader.varint();
    if (replaced != 0) change.erased.push_back(replaced - 1);
    NEARDUP_ASSIGN(change.document, records_.read(reader.rest()));
    return change;
  }
  const uint64_t count = reader.varint();
  if (what != What::kErasure || count > reader.rest().size())
    return fail(Code::kCorruption, "a record tells of a change that there is not");
  uint64_t number = 0;
  for (uint64_t i = 0; i < count; ++i) change.erased.push_back(number += reader.varint());
  if (reader.ok() && reader.rest().empty()) return change;
  return fail(Code::kCorruption, "a record does not end where it should");
}

}  // namespace neardup::store
