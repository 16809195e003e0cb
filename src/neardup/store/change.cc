#include "neardup/store/change.h"

#include <optional>
#include <string_view>
#include <utility>

#include "neardup/base/bytes.h"
#include "neardup/base/hash.h"

namespace neardup::store {
namespace {

// Of a sum no bit that changes makes one of the others: an arrival with a sum never becomes one without.
enum class What : uint8_t { kUncheckedArrival = 1, kErasure = 2, kTagBegin = 3, kTagEnd = 4, kArrival = 0x78 };

uint32_t sum_of(std::string_view arrival) { return static_cast<uint32_t>(hash64(arrival)); }

// What follows the sum, or the word where there is none; nothing where the sum is not that of what follows.
std::optional<std::string_view> checked_arrival(ByteReader& reader, What what) {
  if (what == What::kUncheckedArrival) return reader.rest();
  const auto sum = reader.number<uint32_t>();
  if (!reader.ok() || sum_of(reader.rest()) != sum) return {};
  return reader.rest();
}

void append_ascending_numbers(std::string& bytes, std::span<const uint64_t> numbers) {
  append_varint(bytes, numbers.size());
  uint64_t before = 0;
  for (const uint64_t number : numbers) append_varint(bytes, number - std::exchange(before, number));
}

tl::unexpected<Error> no_change() { return fail(Code::kCorruption, "a record tells of a change that there is not"); }

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
  const size_t sum_at = bytes.size();
  bytes.append(sizeof(uint32_t), '\0');
  append_ascending_numbers(bytes, same_id);
  append_record(bytes, document);
  std::string sum;
  append_little(sum, sum_of(std::string_view(bytes).substr(sum_at + sizeof(uint32_t))));
  bytes.replace(sum_at, sum.size(), sum);
}

bool is_unchecked_arrival(std::string_view bytes) {
  return !bytes.empty() && static_cast<What>(bytes.front()) == What::kUncheckedArrival;
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
  if (what == What::kArrival || what == What::kUncheckedArrival) {
    const auto arrival = checked_arrival(reader, what);
    if (!arrival) return fail(Code::kCorruption, "a record fails its checksum");
    ByteReader rest(*arrival);
    if (!take_ascending_numbers(rest, change.same_id)) return no_change();
    NEARDUP_ASSIGN(change.document, records_.read(rest.rest()));
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
  return no_change();
}

}  // namespace neardup::store
