// One record for each distinct fingerprint, all of one width, so that a rank is a place. A fingerprint of several
// documents needs no flag bit: numbers above the greatest document name lists, and mostly no further bit is needed for
// them. At 10^8 a record takes 10 + 27 bits (docs/design/hamming_index.md, "Records").
// A damaged file may hold any number; each is compared with what there is before it leads anywhere.
#include "neardup/hamming/records.h"

#include <numeric>

#include "neardup/hamming/section.h"

namespace neardup::hamming {
namespace {

constexpr uint64_t kPaddingWords = 8;  // read_field() reads beyond the end
constexpr size_t kShapeNumbers = 6;
constexpr uint64_t kMaxDocumentBits = 65;  // any number of a document, and lists above it
constexpr uint64_t kMaxListed = uint64_t{1} << 48;

uint64_t field_width(Field value) {
  uint64_t width = 0;
  for (; value != 0; value >>= 1) ++width;
  return width;
}

tl::unexpected<Error> damaged_records(const char* what) { return fail(Code::kCorruption, what); }

}  // namespace

template <fingerprint::AnyFingerprint F>
uint64_t Records<F>::Shape::num_words() const {
  return static_cast<uint64_t>((Field{num_records} * (rest_bits + document_bits) + 63) / 64);
}

template <fingerprint::AnyFingerprint F>
void Records<F>::set_shape(const Shape& shape) {
  shape_ = shape;
  document_bits_ = static_cast<int>(shape.document_bits);
  record_bits_ = document_bits_ + static_cast<int>(shape.rest_bits);
}

template <fingerprint::AnyFingerprint F>
Records<F>::Builder::Builder(uint64_t max_records, int rest_bits, uint64_t first_document, uint64_t last_document,
                             uint64_t max_lists)
    : first_list_(Field{last_document - first_document} + 1) {
  shape_.num_records = max_records;
  shape_.rest_bits = static_cast<uint64_t>(rest_bits);
  // Known before the first record is written, as all have one width.
  shape_.document_bits = field_width(first_list_ - 1 + max_lists);
  shape_.first_document = first_document;
  shape_.last_document = last_document;
  words_ = StoredArray<uint64_t>(shape_.num_words() + kPaddingWords);
}

template <fingerprint::AnyFingerprint F>
void Records<F>::Builder::reserve_lists(uint64_t num_lists, uint64_t num_listed) {
  list_begins_.resize(num_lists);
  listed_.resize(num_listed);
}

template <fingerprint::AnyFingerprint F>
Records<F>::Builder::Writer::Writer(Builder& builder, uint64_t rank, uint64_t list, uint64_t listed)
    : builder_(builder),
      fields_(builder.words_.data(), rank * (builder.shape_.rest_bits + builder.shape_.document_bits)),
      list_(list),
      listed_(listed) {}

template <fingerprint::AnyFingerprint F>
Records<F> Records<F>::Builder::finish(uint64_t num_records) {
  shape_.num_records = num_records;
  shape_.num_lists = list_begins_.size();
  shape_.num_listed = listed_.size();
  list_begins_.push_back(listed_.size());
  Records records;
  records.set_shape(shape_);
  records.words_ = std::move(words_);
  records.list_begins_ = PackedPositions(list_begins_.size(), shape_.num_listed);
  for (size_t i = 0; i < list_begins_.size(); ++i) records.list_begins_.set(i, list_begins_[i]);
  records.listed_ = PackedPositions(listed_.size(), shape_.last_document - shape_.first_document);
  for (size_t i = 0; i < listed_.size(); ++i) records.listed_.set(i, listed_[i]);
  return records;
}

template <fingerprint::AnyFingerprint F>
Result<Records<F>> Records<F>::open(std::span<const TableSection> sections, uint64_t num_records, int rest_bits) {
  NEARDUP_ASSIGN(const auto shape_bytes, find_section(sections, "shape", kShapeNumbers * sizeof(uint64_t)));
  const auto numbers = StoredArray<uint64_t>::of_bytes(shape_bytes);
  const Shape shape{num_records, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
  if (shape.rest_bits != static_cast<uint64_t>(rest_bits) || shape.first_document > shape.last_document ||
      shape.document_bits > kMaxDocumentBits || shape.num_lists > num_records || shape.num_listed > kMaxListed) {
    return damaged_records("its records have no valid shape");
  }
  Records records;
  records.set_shape(shape);
  const uint64_t span = shape.last_document - shape.first_document;
  NEARDUP_ASSIGN(const auto words, find_section(sections, "records", shape.num_words() * sizeof(uint64_t)));
  NEARDUP_ASSIGN(const auto begins,
                 find_section(sections, "lists", PackedPositions::num_bytes(shape.num_lists + 1, shape.num_listed)));
  NEARDUP_ASSIGN(const auto listed,
                 find_section(sections, "documents", PackedPositions::num_bytes(shape.num_listed, span)));
  records.words_ = StoredArray<uint64_t>::of_bytes(words);
  records.list_begins_ = PackedPositions::of_bytes(begins, shape.num_lists + 1, shape.num_listed);
  records.listed_ = PackedPositions::of_bytes(listed, shape.num_listed, span);
  if (!records.list_begins_.ascend_to(shape.num_listed)) return damaged_records("its document lists do not ascend");
  return records;
}

template <fingerprint::AnyFingerprint F>
bool Records<F>::contains(uint64_t rank, uint64_t document) const {
  if (document < shape_.first_document || document > shape_.last_document) return false;
  const uint64_t wanted = document - shape_.first_document;
  const uint64_t last = shape_.last_document - shape_.first_document;
  const Field number =
      read_field(words_.data(), rank * static_cast<uint64_t>(record_bits_) + shape_.rest_bits, document_bits_);
  if (number <= last) return number == wanted;
  const auto list = static_cast<uint64_t>(number - last - 1);
  if (list >= shape_.num_lists) return false;  // only in a damaged file
  uint64_t low = list_begins_[list], high = list_begins_[list + 1];
  while (low < high) {
    const uint64_t middle = std::midpoint(low, high);
    if (listed_[middle] == wanted) return true;
    (listed_[middle] < wanted ? low : high) = listed_[middle] < wanted ? middle + 1 : middle;
  }
  return false;
}

template <fingerprint::AnyFingerprint F>
std::vector<TableSection> Records<F>::sections() const {
  static_assert(sizeof(Shape) == (kShapeNumbers + 1) * sizeof(uint64_t));
  return {{"shape", std::as_bytes(std::span(&shape_.rest_bits, kShapeNumbers))},
          {"records", words_.bytes().first(shape_.num_words() * sizeof(uint64_t))},
          {"lists", list_begins_.bytes()},
          {"documents", listed_.bytes()}};
}

template class Records<fingerprint::Fingerprint>;
template class Records<fingerprint::Fingerprint128>;

}  // namespace neardup::hamming
