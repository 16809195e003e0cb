#include "neardup/hamming/records.h"

#include <algorithm>

#include "neardup/hamming/section.h"

namespace neardup::hamming {
namespace {

constexpr uint64_t kPaddingWords = 3;  // read_field() reads so far
constexpr size_t kShapeNumbers = 5;

int width_of(Field value) {
  int width = 0;
  for (; value != 0; value >>= 1) ++width;
  return width;
}

}  // namespace

template <fingerprint::AnyFingerprint F>
int Records<F>::Shape::document_bits() const {
  return width_of(Field{last_document - first_document} + num_lists);
}

template <fingerprint::AnyFingerprint F>
uint64_t Records<F>::Shape::num_words() const {
  const Field bits = Field{num_records} * (rest_bits + static_cast<uint64_t>(document_bits()));
  return static_cast<uint64_t>((bits + 63) / 64);
}

template <fingerprint::AnyFingerprint F>
Records<F>::Records(const Shape& shape)
    : shape_(shape),
      document_bits_(shape.document_bits()),
      record_bits_(document_bits_ + static_cast<int>(shape.rest_bits)),
      words_(shape.num_words() + kPaddingWords),
      list_begins_(shape.num_lists + 1),
      listed_(shape.num_listed) {
  list_begins_.data()[shape.num_lists] = shape.num_listed;
}

template <fingerprint::AnyFingerprint F>
Records<F>::Writer::Writer(Records& records, uint64_t rank, uint64_t list, uint64_t listed)
    : records_(records),
      fields_(records.words_.data(), rank * static_cast<uint64_t>(records.record_bits_)),
      list_(list),
      listed_(listed) {}

template <fingerprint::AnyFingerprint F>
void Records<F>::Writer::push(F rest, std::span<const uint64_t> documents) {
  const Shape& shape = records_.shape_;
  Field number = documents.front() - shape.first_document;
  if (documents.size() > 1) {
    number = Field{shape.last_document - shape.first_document} + 1 + list_;
    records_.list_begins_.data()[list_++] = listed_;
    std::copy(documents.begin(), documents.end(), records_.listed_.data() + listed_);
    listed_ += documents.size();
  }
  fields_.push(rest, static_cast<int>(shape.rest_bits));
  fields_.push(number, records_.document_bits_);
}

template <fingerprint::AnyFingerprint F>
Result<Records<F>> Records<F>::open(std::span<const Section> sections, uint64_t num_records, int rest_bits) {
  NEARDUP_ASSIGN(const auto shape_bytes, find_section(sections, "shape", kShapeNumbers * sizeof(uint64_t)));
  const auto numbers = StoredArray<uint64_t>::of_bytes(shape_bytes);
  Records records;
  records.shape_ = {num_records, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
  const Shape& shape = records.shape_;
  if (shape.rest_bits != static_cast<uint64_t>(rest_bits) || shape.first_document > shape.last_document ||
      shape.num_lists > num_records) {
    return fail(Code::kCorruption, "the index is damaged: its records have no valid shape; build it anew");
  }
  records.document_bits_ = shape.document_bits();
  records.record_bits_ = records.document_bits_ + rest_bits;
  NEARDUP_ASSIGN(const auto words, find_section(sections, "records", shape.num_words() * sizeof(uint64_t)));
  NEARDUP_ASSIGN(const auto begins, find_section(sections, "lists", (shape.num_lists + 1) * sizeof(uint64_t)));
  NEARDUP_ASSIGN(const auto listed, find_section(sections, "documents"));
  if (listed.size() / sizeof(uint64_t) != shape.num_listed || listed.size() % sizeof(uint64_t) != 0) {
    return fail(Code::kCorruption, "the index is damaged: its document lists are incomplete; build it anew");
  }
  records.words_ = StoredArray<uint64_t>::of_bytes(words);
  records.list_begins_ = StoredArray<uint64_t>::of_bytes(begins);
  records.listed_ = StoredArray<uint64_t>::of_bytes(listed);
  for (uint64_t list = 0; list < shape.num_lists; ++list) {
    if (records.list_begins_[list] <= records.list_begins_[list + 1]) continue;
    return fail(Code::kCorruption, "the index is damaged: its document lists do not ascend; build it anew");
  }
  if (records.list_begins_[shape.num_lists] != shape.num_listed) {
    return fail(Code::kCorruption, "the index is damaged: its document lists end early; build it anew");
  }
  return records;
}

template <fingerprint::AnyFingerprint F>
std::vector<Section> Records<F>::sections() const {
  const auto whole = words_.bytes();
  static_assert(sizeof(Shape) == (kShapeNumbers + 1) * sizeof(uint64_t));
  return {{"shape", std::as_bytes(std::span(&shape_.rest_bits, kShapeNumbers))},
          {"records", whole.first(shape_.num_words() * sizeof(uint64_t))},
          {"lists", list_begins_.bytes()},
          {"documents", listed_.bytes()}};
}

template class Records<fingerprint::Fingerprint>;
template class Records<fingerprint::Fingerprint128>;

}  // namespace neardup::hamming
