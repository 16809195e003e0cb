// Documents: what the read stage left, seen as one array over all parts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/base.h"
#include "neardup/corpus/corpus.h"
#include "neardup/engine/read/part.h"
#include "neardup/engine/read/rows.h"
#include "neardup/engine/read/sources.h"
#include "neardup/engine/work_folder.h"

namespace neardup::engine {

/// Where a batch stands in its input.
struct BatchPlace {
  uint64_t first_line = 0;      // of the input, from 0
  uint64_t first_document = 0;  // of the whole run
  uint32_t num_documents = 0;
  uint32_t num_rejected = 0;
  uint32_t input = 0;  // of text files the first of several
  uint32_t flags = 0;
  uint64_t checksum = 0;  // corpus::Batch::checksum
};

/// Rows and ids come from mapped files, tokens by positioned reads. Threads: all const members from many at once.
class Documents {
 public:
  /// `num_fingerprints` and `num_values` (of a signature): what each document has. folder.stored() is looked at where
  /// it is there and `sources` has a store.
  /// Errors: kNotFound or kMismatch where a part is missing or not complete (naming the shard to run), kCorruption.
  [[nodiscard]] static Result<Documents> open(const WorkFolder& folder, int num_parts, size_t num_fingerprints,
                                              size_t num_values, const Sources& sources);

  [[nodiscard]] uint32_t size() const { return num_documents_; }
  /// Documents of references: they come first, and of them those of a store.
  [[nodiscard]] uint32_t num_references() const { return num_references_; }
  [[nodiscard]] uint32_t num_stored() const { return num_stored_; }
  [[nodiscard]] const Row& row(uint32_t document) const;
  [[nodiscard]] fingerprint::Fingerprint fingerprint_of(uint32_t document, size_t which) const;
  /// Copies the signatures of `count` documents from `first` on to `values`, one after the other.
  [[nodiscard]] Status read_signatures(uint32_t first, size_t count, fingerprint::SignatureValue* values) const;
  /// The document's own id, or "name:line" (lines from 1) where it has none.
  [[nodiscard]] std::string id(uint32_t document) const;
  [[nodiscard]] Status read_tokens(uint32_t document, std::vector<uint32_t>& tokens) const;
  /// From now on no text is a short one: rules that say what they compare (n-grams of words, or nothing) mean all
  /// texts.
  void ignore_short_texts() { ignores_short_texts_ = true; }
  /// How many features a short text has; 0 for others.
  [[nodiscard]] uint32_t short_size(uint32_t document) const {
    return ignores_short_texts_ ? 0 : row(document).short_size;
  }
  /// What recipe::short_text_features() made of a short text; empty for others.
  [[nodiscard]] Status read_short_text(uint32_t document, std::vector<uint32_t>& features) const;
  /// Value of the group field; empty where missing.
  [[nodiscard]] std::string_view group(uint32_t document) const;
  /// What the values of the group field take in memory.
  [[nodiscard]] uint64_t group_values_bytes() const;
  /// All batches, references first, in the order of reading.
  [[nodiscard]] const std::vector<BatchPlace>& batches() const { return batches_; }
  /// Index in batches() of the document's batch.
  [[nodiscard]] size_t batch_of(uint32_t document) const;
  [[nodiscard]] const corpus::Input& input(uint32_t index) const { return inputs_[index]; }
  [[nodiscard]] size_t num_inputs() const { return inputs_.size(); }

  /// A rejected record with its place.
  struct Rejected {
    uint32_t input = 0;
    uint64_t line = 0;  // from 1; 0 for text files
    bool is_reference = false;
    bool is_note = false;     // of what is no document and was not rejected
    bool has_unread = false;  // corpus::Rejection::unread
    std::string_view reason;
    std::string_view json;  // "reason":...,"message":...,"excerpt":..., and what `unread` says
  };
  /// Calls `visit` for each rejected record, and each note, in the order of reading. Errors: kCorruption, what `visit`
  /// returns.
  template <class Visit>
  Status for_each_rejected(Visit&& visit) const;

 private:
  struct Part {
    uint32_t first_document = 0;  // of all parts before
    size_t first_batch = 0;
    MappedFile rows, fingerprints, ids, rejected;
    std::shared_ptr<ReadFile> tokens;  // and features of short texts behind those of each
    std::shared_ptr<ReadFile> signatures;
    uint32_t num_documents = 0;
    std::vector<std::string> groups;  // values of the group field, by number
  };
  const Part& part_of(uint32_t document) const;
  Status read_numbers(const Part& part, uint64_t offset, size_t count, std::vector<uint32_t>& numbers) const;
  Status add_part(const WorkFolder& work, const std::string& folder, int index, int num_parts);
  Status place_batches(const std::string& folder, uint64_t first_document);
  [[nodiscard]] Rejected place_rejected(const Part& part, const RejectedRow& row, std::string_view json) const;

  uint32_t num_documents_ = 0;
  uint32_t num_references_ = 0, num_stored_ = 0;
  size_t num_fingerprints_ = 0;
  size_t num_values_ = 0;
  bool ignores_short_texts_ = false;
  std::vector<Part> parts_;
  std::vector<BatchPlace> batches_;
  uint32_t last_input_ = 0xFFFFFFFF;  // while placing batches
  uint64_t next_line_ = 0;
  std::vector<corpus::Input> inputs_;
};

template <class Visit>
Status Documents::for_each_rejected(Visit&& visit) const {
  for (const Part& part : parts_) {
    std::string_view bytes = part.rejected.bytes();
    while (bytes.size() >= sizeof(RejectedRow)) {
      RejectedRow row;
      bytes.copy(reinterpret_cast<char*>(&row), sizeof row);
      bytes.remove_prefix(sizeof row);
      if (row.size_bytes > bytes.size() || row.reason_bytes > row.size_bytes)
        return fail(Code::kCorruption, "rejected.bin of the work folder is damaged; start again with --overwrite");
      NEARDUP_TRY(visit(place_rejected(part, row, bytes.substr(0, row.size_bytes))));
      bytes.remove_prefix(row.size_bytes);
    }
  }
  return {};
}

}  // namespace neardup::engine
