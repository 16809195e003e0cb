#include "neardup/bench/arriving.h"

#include "neardup/base/hash.h"
#include "neardup/bench/texts.h"

namespace neardup::bench {
namespace {

constexpr uint64_t kCopyEach = 20;  // of so many documents one is an edited copy

bool is_copy(uint64_t number) { return number % kCopyEach == kCopyEach - 1; }

/// Returns the number of the document whose content document `number` has, edited where it is another one.
uint64_t original_of(uint64_t seed, uint64_t number) {
  return is_copy(number) ? mix64(seed ^ number) % number : number;
}

std::string text_of(uint64_t seed, uint64_t number, uint64_t text_bytes) {
  std::string text = make_text(mix64(seed) + original_of(seed, number), text_bytes);
  if (is_copy(number)) text += " " + make_text(mix64(seed) + number, text_bytes / 50 + 1);
  return text;
}

/// Of a copy about one value in 32 is another one.
void append_signature(std::vector<fingerprint::SignatureValue>& out, uint64_t seed, uint64_t number, size_t count) {
  constexpr uint64_t kEditEach = 32;
  const uint64_t original = mix64(mix64(seed) + original_of(seed, number));
  for (size_t i = 0; i < count; ++i) {
    const uint64_t edit = mix64(mix64(seed + number) + i);
    const bool is_edited = is_copy(number) && edit % kEditEach == 0;
    out.push_back(static_cast<fingerprint::SignatureValue>(is_edited ? edit >> 32 : mix64(original + i)));
  }
}

}  // namespace

ArrivingDocuments::ArrivingDocuments(const ArrivingContent& content, uint64_t seed, uint64_t first, uint64_t count)
    : named_(seed, first, count, 64, content.id_base) {
  const size_t num_prints = content.num_fingerprints, num_values = content.num_signature_values;
  add_fingerprints(num_prints);
  signatures_.reserve(count * num_values);
  for (uint64_t number = first; number < first + count && num_values > 0; ++number)
    append_signature(signatures_, seed, number, num_values);
  const bool has_texts = num_prints == 0 && num_values == 0;
  for (uint64_t number = first; number < first + count && has_texts; ++number)
    texts_.push_back(text_of(seed, number, content.text_bytes));
  arriving_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    arriving_[i].id = named_.records()[i].id;
    if (has_texts) arriving_[i].text = texts_[i];
    arriving_[i].fingerprints = std::span(fingerprints_).subspan(i * num_prints, num_prints);
    arriving_[i].signature = std::span(signatures_).subspan(i * num_values, num_values);
  }
}

/// The first of a document is its record's; the others are near to nobody's.
void ArrivingDocuments::add_fingerprints(size_t each) {
  if (each == 0) return;
  fingerprints_.reserve(named_.records().size() * each);
  for (const store::Record& record : named_.records()) {
    fingerprints_.push_back(record.fingerprints.front());
    for (size_t i = 1; i < each; ++i) fingerprints_.push_back(mix64(record.checksum.high + i));
  }
}

}  // namespace neardup::bench
