#include "neardup/store/places.h"

#include <utility>

#include "neardup/base/bytes.h"

namespace neardup::store {

// A document begins at `begin` of bytes_.
void Places::count(uint64_t begin) {
  if (size_++ % kBlock == 0) blocks_.push_back({last_, begin});
}

void Places::add(std::optional<uint64_t> offset, bool is_marked) {
  if (is_marked) append_varint(marks_, size_ - std::exchange(last_mark_, size_));
  count(bytes_.size());
  append_varint(bytes_, offset ? *offset - last_ : 0);
  if (offset) last_ = *offset;
}

std::optional<uint64_t> Places::at(uint64_t i) const {
  const Block& block = blocks_[i / kBlock];
  ByteReader reader(std::string_view(bytes_).substr(block.begin));
  uint64_t offset = block.offset, step = 0;
  for (uint64_t j = 0; j <= i % kBlock; ++j) offset += step = reader.varint();
  return step == 0 ? std::nullopt : std::optional(offset);
}

std::vector<uint64_t> Places::marked() const {
  std::vector<uint64_t> marked;
  ByteReader reader(marks_);
  uint64_t mark = 0;
  while (!reader.rest().empty()) marked.push_back(mark += reader.varint());
  return marked;
}

void Places::append_to(std::string& bytes) const {
  append_varint(bytes, marks_.size());
  bytes += marks_;
  bytes += bytes_;
}

void Places::shrink() {
  marks_.shrink_to_fit();
  bytes_.shrink_to_fit();
  blocks_.shrink_to_fit();
}

// Ascending, and of documents that there are.
bool Places::marks_are_sound() const {
  ByteReader reader(marks_);
  uint64_t mark = 0;
  for (bool is_first = true; !reader.rest().empty(); is_first = false) {
    const uint64_t step = reader.varint();
    if (!reader.ok() || step >= size_ - mark || (step == 0 && !is_first)) return false;
    mark += step;
  }
  return true;
}

Result<Places> Places::parse(std::string_view bytes) {
  Places places;
  ByteReader reader(bytes);
  places.marks_ = reader.piece(reader.varint());
  bytes = reader.rest();
  while (reader.ok() && !reader.rest().empty()) {
    places.count(bytes.size() - reader.rest().size());
    const uint64_t step = reader.varint();
    if (!reader.ok() || step > UINT64_MAX - places.last_)
      return fail(Code::kCorruption, "a place is beyond the end of any file");
    places.last_ += step;
  }
  if (!reader.ok() || !places.marks_are_sound()) return fail(Code::kCorruption, "marks are not in the list of places");
  places.bytes_ = bytes;
  places.shrink();
  return places;
}

}  // namespace neardup::store
