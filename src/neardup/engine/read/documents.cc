// Between reading and matching lies the work folder, so that a killed run goes on and shards can be read by other
// processes. What all stages ask for often and briefly (rows, fingerprints, ids) is mapped: pages come when they are
// read and may go again. Tokens and signatures, which are larger, are read by position, into the buffers of whoever
// asks.
// Parts are put one behind the other in their order, references first, so a document's number, and with it every
// result, is the same for any number of parts. A part counts only if its checkpoint is complete and its files are as
// long as that says; where there are several, which other processes may have read, each is checked in full.
#include "neardup/engine/read/documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/corpus/each_document.h"

namespace neardup::engine {

Result<Documents> Documents::open(const WorkFolder& folder, int num_parts, size_t num_fingerprints, size_t num_values,
                                  const Sources& sources) {
  Documents documents;
  documents.num_fingerprints_ = num_fingerprints;
  documents.num_values_ = num_values;
  documents.inputs_ = sources.all();
  if (sources.store) {
    documents.inputs_.push_back(*sources.store);
    NEARDUP_ASSIGN(const bool has_stored, file_exists(folder.stored()));
    if (has_stored) NEARDUP_TRY(documents.add_part(folder, folder.stored(), 0, 1));
  }
  for (int i = 0; i < num_parts; ++i) NEARDUP_TRY(documents.add_part(folder, folder.part(i, num_parts), i, num_parts));
  return documents;
}

Status Documents::add_part(const WorkFolder& work, const std::string& folder, int index, int num_parts) {
  auto checkpoint = load_checkpoint(folder, work.run().reading);
  if (!checkpoint && checkpoint.error().code != Code::kNotFound) return tl::unexpected<Error>(checkpoint.error());
  if (!checkpoint || !checkpoint->complete)
    return fail(Code::kMismatch, fmt::format("part {} of {} is not read to its end; run it with --shard {}/{} first",
                                             index, num_parts, index, num_parts));
  // Parts of other processes, perhaps of other machines. Else it was read by this one, or checked when that went on.
  NEARDUP_TRY(num_parts > 1 ? check_part(folder, *checkpoint) : check_part_sizes(folder, *checkpoint));
  Part part;
  part.first_document = num_documents_;
  part.first_batch = batches_.size();
  NEARDUP_ASSIGN(part.rows, MappedFile::open(part_path(folder, PartFile::kRows)));
  NEARDUP_ASSIGN(part.fingerprints, MappedFile::open(part_path(folder, PartFile::kFingerprints)));
  NEARDUP_ASSIGN(part.ids, MappedFile::open(part_path(folder, PartFile::kIds)));
  NEARDUP_ASSIGN(part.rejected, MappedFile::open(part_path(folder, PartFile::kRejected)));
  NEARDUP_ASSIGN(ReadFile tokens, ReadFile::open(part_path(folder, PartFile::kTokens)));
  part.tokens = std::make_shared<ReadFile>(std::move(tokens));
  NEARDUP_ASSIGN(ReadFile signatures, ReadFile::open(part_path(folder, PartFile::kSignatures)));
  part.signatures = std::make_shared<ReadFile>(std::move(signatures));
  NEARDUP_ASSIGN(part.groups, load_groups(folder));
  const uint64_t num_documents = checkpoint->num_documents;
  if (part.rows.as<Row>().size() < num_documents ||
      part.fingerprints.as<fingerprint::Fingerprint>().size() < num_documents * num_fingerprints_ ||
      part.signatures->size_bytes() < num_documents * num_values_ * sizeof(fingerprint::SignatureValue))
    return fail(Code::kCorruption,
                fmt::format("'{}' holds fewer documents than it should; start again with --overwrite", folder));
  if (num_documents_ + num_documents >= 0xFFFFFFFFu)
    return fail(Code::kUnsupported,
                "more than 4,294,967,294 documents in one run; split the inputs and use --reference");
  NEARDUP_TRY(place_batches(folder, num_documents_));
  part.num_documents = static_cast<uint32_t>(num_documents);
  num_documents_ += part.num_documents;
  parts_.push_back(std::move(part));
  return {};
}

Status Documents::place_batches(const std::string& folder, uint64_t first_document) {
  NEARDUP_ASSIGN(const MappedFile file, MappedFile::open(part_path(folder, PartFile::kBatches)));
  for (const BatchRow& row : file.as<BatchRow>()) {
    // An input may go on in the next part: lines are counted on across parts.
    if (row.input != last_input_) next_line_ = 0;
    last_input_ = row.input;
    batches_.push_back({next_line_, first_document + row.first_document, row.num_documents, row.num_rejected, row.input,
                        row.flags, row.checksum});
    next_line_ += row.num_lines;
    if ((row.flags & kIsReference) != 0) num_references_ += row.num_documents;
    if ((row.flags & kIsStored) != 0) num_stored_ += row.num_documents;
  }
  return {};
}

// Parts are few; most runs have one.
const Documents::Part& Documents::part_of(uint32_t document) const {
  if (parts_.size() == 1) return parts_.front();
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), document,
                                      [](uint32_t d, const Part& part) { return d < part.first_document; });
  return *(after - 1);
}

const Row& Documents::row(uint32_t document) const {
  const Part& part = part_of(document);
  return part.rows.as<Row>()[document - part.first_document];
}

fingerprint::Fingerprint Documents::fingerprint_of(uint32_t document, size_t which) const {
  const Part& part = part_of(document);
  return part.fingerprints.as<fingerprint::Fingerprint>()[(document - part.first_document) * num_fingerprints_ + which];
}

Status Documents::read_signatures(uint32_t first, size_t count, fingerprint::SignatureValue* values) const {
  while (count > 0) {
    const Part& part = part_of(first);
    const uint32_t place = first - part.first_document;
    const size_t here = std::min<size_t>(count, part.num_documents - place);
    const size_t size_bytes = num_values_ * sizeof *values;
    NEARDUP_TRY(
        part.signatures->read_exact_at(place * size_bytes, writable_bytes_of(std::span(values, here * num_values_))));
    first += static_cast<uint32_t>(here);
    values += here * num_values_;
    count -= here;
  }
  return {};
}

size_t Documents::batch_of(uint32_t document) const {
  const Part& part = part_of(document);
  return part.first_batch + part.rows.as<Row>()[document - part.first_document].batch;
}

std::string Documents::id(uint32_t document) const {
  const Part& part = part_of(document);
  const Row& row = part.rows.as<Row>()[document - part.first_document];
  if ((row.flags & kHasId) != 0) return std::string(part.ids.bytes().substr(row.id_offset, row.id_size));
  return corpus::line_name(inputs_[row.input], batches_[batch_of(document)].first_line + row.line + 1);
}

Status Documents::read_numbers(const Part& part, uint64_t offset, size_t count, std::vector<uint32_t>& numbers) const {
  numbers.resize(count);
  return part.tokens->read_exact_at(offset * sizeof(uint32_t), writable_bytes_of(std::span(numbers)));
}

Status Documents::read_tokens(uint32_t document, std::vector<uint32_t>& tokens) const {
  const Row& row = this->row(document);
  return read_numbers(part_of(document), row.tokens_offset, row.num_tokens, tokens);
}

Status Documents::read_short_text(uint32_t document, std::vector<uint32_t>& features) const {
  const Row& row = this->row(document);
  return read_numbers(part_of(document), row.tokens_offset + row.num_tokens, short_size(document), features);
}

uint64_t Documents::group_values_bytes() const {
  constexpr uint64_t kOfHeap = 16;  // that an allocation takes besides
  uint64_t bytes = 0;
  for (const Part& part : parts_)
    for (const std::string& value : part.groups) bytes += sizeof(std::string) + value.capacity() + kOfHeap;
  return bytes;
}

std::string_view Documents::group(uint32_t document) const {
  const Part& part = part_of(document);
  const uint32_t group = part.rows.as<Row>()[document - part.first_document].group;
  return group < part.groups.size() ? std::string_view(part.groups[group]) : std::string_view();
}

Documents::Rejected Documents::place_rejected(const Part& part, const RejectedRow& row, std::string_view json) const {
  const bool has_lines = inputs_[row.input].format != corpus::Format::kText;
  return {.input = row.input,
          .line = has_lines ? batches_[part.first_batch + row.batch].first_line + row.line + 1 : 0,
          .is_reference = (row.flags & kIsReference) != 0,
          .is_note = (row.flags & kIsNote) != 0,
          .has_unread = (row.flags & kHasUnread) != 0,
          .reason = json.substr(0, row.reason_bytes),
          .json = json.substr(row.reason_bytes)};
}

}  // namespace neardup::engine
