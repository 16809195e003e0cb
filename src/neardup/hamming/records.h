// What the tables of an index do not know: the rest of each fingerprint, and the documents that carry it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/bit_array.h"
#include "neardup/hamming/stored_array.h"
#include "neardup/hamming/table.h"

namespace neardup::hamming {

/// One record for each fingerprint, by its rank in the first table: the places of its key that the table does not know,
/// and its document, in as few bits as hold the greatest. A fingerprint of several documents has the number of a list
/// of them there, above all documents. Threads: any number of readers.
template <fingerprint::AnyFingerprint F>
class Records {
 public:
  /// How many of what.
  struct Shape {
    uint64_t num_records = 0;
    uint64_t rest_bits = 0;
    uint64_t document_bits = 0;
    uint64_t first_document = 0;  // the least and the greatest number
    uint64_t last_document = 0;
    uint64_t num_lists = 0;
    uint64_t num_listed = 0;  // documents in all lists
    [[nodiscard]] uint64_t num_words() const;
    /// Returns how many (fingerprint, document) there are, where each list belongs to one record.
    [[nodiscard]] uint64_t num_documents() const { return num_records - num_lists + num_listed; }
  };

  class Builder;

  Records() = default;
  /// Errors: kCorruption.
  [[nodiscard]] static Result<Records> open(std::span<const TableSection> sections, uint64_t num_records,
                                            int rest_bits);
  [[nodiscard]] std::vector<TableSection> sections() const;

  [[nodiscard]] const Shape& shape() const { return shape_; }
  void prefetch(uint64_t rank) const {
    const uint64_t* word = words_.data() + rank * static_cast<uint64_t>(record_bits_) / 64;
    __builtin_prefetch(word);
    __builtin_prefetch(word + 1);
  }
  /// Returns the places of the key of that rank that the first table does not know, at their place in the key.
  [[nodiscard]] F rest(uint64_t rank) const {
    return static_cast<F>(
        read_field(words_.data(), rank * static_cast<uint64_t>(record_bits_), static_cast<int>(shape_.rest_bits)));
  }
  /// Calls visit(document) for each document of the fingerprint of that rank, in ascending order.
  template <class Visit>
  void for_documents(uint64_t rank, const Visit& visit) const {
    const Field number =
        read_field(words_.data(), rank * static_cast<uint64_t>(record_bits_) + shape_.rest_bits, document_bits_);
    const uint64_t last = shape_.last_document - shape_.first_document;
    if (number <= last) return visit(shape_.first_document + static_cast<uint64_t>(number));
    const auto list = static_cast<uint64_t>(number - last - 1);
    if (list >= shape_.num_lists) return;  // only in a damaged file
    for (uint64_t i = list_begins_[list]; i < list_begins_[list + 1]; ++i) visit(shape_.first_document + listed_[i]);
  }
  /// Returns whether `document` is one of those. Cost: logarithmic in their number.
  [[nodiscard]] bool contains(uint64_t rank, uint64_t document) const;

 private:
  void set_shape(const Shape& shape);

  Shape shape_;
  int document_bits_ = 0;        // of the number of a document or list
  int record_bits_ = 0;          // that and the rest of the key
  StoredArray<uint64_t> words_;  // the records, bit behind bit
  PackedPositions list_begins_;  // in listed_, and the end
  PackedPositions listed_;       // each less the least of all documents
};

/// Fills records part by part.
template <fingerprint::AnyFingerprint F>
class Records<F>::Builder {
 public:
  /// For at most max_records fingerprints that need rest_bits, and at most max_lists lists; documents lie between the
  /// two given ones.
  Builder(uint64_t max_records, int rest_bits, uint64_t first_document, uint64_t last_document, uint64_t max_lists);

  /// Makes room for so many lists and documents in them, in all. Before the parts that need it.
  void reserve_lists(uint64_t num_lists, uint64_t num_listed);

  /// Fills the records of a stretch of ranks, with the lists from a number and place on. Threads: one each; stretches
  /// may meet.
  class Writer {
   public:
    Writer(Builder& builder, uint64_t rank, uint64_t list, uint64_t listed);
    /// `documents` ascend and are counted from the first one of all. Requires: at least one.
    template <class P>
    void push(F rest, std::span<const P> documents) {
      Field number = documents.front();
      if (documents.size() > 1) {
        number = builder_.first_list_ + list_;
        builder_.list_begins_[list_++] = listed_;
        for (const P document : documents) builder_.listed_[listed_++] = document;
      }
      fields_.push(rest, static_cast<int>(builder_.shape_.rest_bits));
      fields_.push(number, static_cast<int>(builder_.shape_.document_bits));
    }

   private:
    Builder& builder_;
    FieldWriter fields_;
    uint64_t list_;
    uint64_t listed_;
  };

  /// Returns the records of the fingerprints of rank 0 .. num_records - 1.
  [[nodiscard]] Records finish(uint64_t num_records);

 private:
  Shape shape_;
  Field first_list_;  // number of the first list
  StoredArray<uint64_t> words_;
  std::vector<uint64_t> list_begins_;
  std::vector<uint64_t> listed_;
};

}  // namespace neardup::hamming
