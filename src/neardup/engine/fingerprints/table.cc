#include "neardup/engine/fingerprints/table.h"

#include <fmt/format.h>

#include "neardup/engine/fingerprints/stream.h"
#include "neardup/fingerprint/text_line.h"

namespace neardup::engine {

Result<FingerprintTable> FingerprintTable::load(const std::string& path, const Context& context,
                                                uint64_t memory_bytes) {
  NEARDUP_ASSIGN(const std::string binary, binary_form_of(path));
  FingerprintTable file;
  NEARDUP_TRY(binary.empty() ? file.load_text(path, context, memory_bytes) : file.load_binary(binary, context));
  return file;
}

Status FingerprintTable::load_binary(const std::string& path, const Context& context) {
  const auto begin = [&](const fingerprint::FileHeader& header) -> Status {
    recipe_id_ = header.recipe_id;
    recipe_json_ = header.recipe_json;
    num_columns_ = header.num_columns;
    num_values_ = header.num_values;
    return {};
  };
  return read_binary_fingerprints(path, context, {begin, [&](std::span<const fingerprint::Record> records) -> Status {
                                                    for (const auto& record : records) NEARDUP_TRY(add(record));
                                                    return {};
                                                  }});
}

Status FingerprintTable::load_text(const std::string& path, const Context& context, uint64_t memory_bytes) {
  const auto take = [&](std::string_view line, uint64_t number) -> Status {
    const Status added = add_line(path, line);
    return added ? added : at_line(path, number, added.error());
  };
  NEARDUP_TRY(read_lines(
      path, context, take, [] { return Status(); }, memory_bytes));
  return size() == 0 ? Status(empty_fingerprints(path)) : Status();
}

Status FingerprintTable::add_line(const std::string& path, std::string_view line) {
  NEARDUP_ASSIGN(fingerprint::TextLine parsed, fingerprint::parse_tsv_line(line));
  NEARDUP_TRY(join_recipe_of_line(path, parsed.recipe_id, recipe_id_));
  return add(parsed.record());
}

Status FingerprintTable::add(const fingerprint::Record& record) {
  const size_t num_fingerprints = record.fingerprints.size(), num_values = record.signature.size();
  const bool is_featured = num_fingerprints + num_values > 0;
  const bool first = num_columns_ + num_values_ == 0;
  if (first) num_columns_ = num_fingerprints;
  if (first) num_values_ = num_values;
  if (is_featured && (num_fingerprints != num_columns_ || num_values != num_values_)) {
    const auto size_of = [](size_t fingerprints, size_t values) {
      return values > 0 ? fmt::format("a signature of {} values", values)
                        : fmt::format("{} fingerprint{}", fingerprints, fingerprints == 1 ? "" : "s");
    };
    return fail(Code::kMismatch,
                fmt::format("expected {} as before, found {}: the file mixes recipes",
                            size_of(num_columns_, num_values_), size_of(num_fingerprints, num_values)));
  }
  ids_ += record.id;
  id_ends_.push_back(ids_.size());
  values_.insert(values_.end(), record.fingerprints.begin(), record.fingerprints.end());
  signatures_.insert(signatures_.end(), record.signature.begin(), record.signature.end());
  is_featured_.push_back(is_featured);
  num_tokens_.push_back(record.num_tokens);
  return {};
}

uint64_t FingerprintTable::memory_bytes() const {
  return ids_.capacity() + id_ends_.capacity() * sizeof(uint64_t) + values_.capacity() * sizeof(values_[0]) +
         signatures_.capacity() * sizeof(signatures_[0]) + num_tokens_.capacity() * sizeof(uint64_t) +
         is_featured_.capacity() / 8;
}

std::vector<uint32_t> FingerprintTable::signed_documents() const {
  std::vector<uint32_t> documents;
  for (uint32_t document = 0; document < is_featured_.size(); ++document) {
    if (is_featured_[document]) documents.push_back(document);
  }
  return documents;
}

FingerprintTable::Column FingerprintTable::column(size_t index) const {
  Column column;
  size_t at = index;
  for (uint32_t document = 0; document < is_featured_.size(); ++document) {
    if (!is_featured_[document]) continue;
    column.values.push_back(values_[at]);
    column.documents.push_back(document);
    at += num_columns_;
  }
  return column;
}

}  // namespace neardup::engine
