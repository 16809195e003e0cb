#include "neardup/store/change.h"

#include <utility>

#include "neardup/base/bytes.h"

namespace neardup::store {
namespace {

enum class What : uint8_t { kArrival = 1, kErasure = 2, kTagBegin = 3, kTagEnd = 4 };

void append_ascending_numbers(std::string& bytes, std::span<const uint64_t> numbers) {
  append_varint(bytes, numbers.size());
  uint64_t before = 0;
  for (const uint64_t number : numbers) append_varint(bytes, number - std::exchange(before, number));
}

// Returns whether they are there, and ascend.
bool take_ascending_numbers(ByteReader& reader, std::vector<uint64_t>& numbers) {
  const uint64_t count = reader.varint();
  if (count > reader.rest().size()) return false;
  uint64_t number = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t step = reader.varint();
    if ((i > 0 && step == 0) || step > UINT64_MAX - number) return false;
    numbers.push_back(number += step);
  }
  return reader.ok();
}

}  // namespace

void append_arrival(std::string& bytes, const Record& document, std::span<const uint64_t> same_id) {
  bytes += static_cast<char>(What::kArrival);
  append_ascending_numbers(bytes, same_id);
  append_record(bytes, document);
}

void append_erasure(std::string& bytes, std::span<const uint64_t> numbers) {
  bytes += static_cast<char>(What::kErasure);
  append_ascending_numbers(bytes, numbers);
}

void append_tag_begin(std::string& bytes, std::string_view tag) {
  bytes += static_cast<char>(What::kTagBegin);
  bytes += tag;
}

void append_tag_end(std::string& bytes, std::string_view tag) {
  bytes += static_cast<char>(What::kTagEnd);
  bytes += tag;
}

Result<Change> ChangeReader::read(std::string_view bytes) {
  ByteReader reader(bytes);
  Change change;
  const auto what = static_cast<What>(reader.number<uint8_t>());
  if (what == What::kArrival && take_ascending_numbers(reader, change.same_id)) {
    NEARDUP_ASSIGN(change.document, records_.read(reader.rest()));
    return change;
  }
  if (what == What::kErasure && take_ascending_numbers(reader, change.erased) && reader.rest().empty()) return change;
  if (what == What::kTagBegin && !reader.rest().empty()) {
    change.begun = reader.rest();
    return change;
  }
  if (what == What::kTagEnd && !reader.rest().empty()) {
    change.ended = reader.rest();
    return change;
  }
  return fail(Code::kCorruption, "a record tells of a change that there is not");
}

}  // namespace neardup::store
