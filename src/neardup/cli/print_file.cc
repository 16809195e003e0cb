#include "neardup/cli/print_file.h"

#include <fmt/format.h>

#include "neardup/cli/print_line.h"
#include "neardup/cli/print_stream.h"

namespace neardup::cli {

Result<PrintFile> PrintFile::load(const std::string& path, const Context& context) {
  NEARDUP_ASSIGN(const std::string binary, binary_prints(path));
  PrintFile file;
  NEARDUP_TRY(binary.empty() ? file.load_text(path, context) : file.load_binary(binary, context));
  return file;
}

Status PrintFile::load_binary(const std::string& path, const Context& context) {
  const auto begin = [&](const fingerprint::FileHeader& header) -> Status {
    recipe_id_ = header.recipe_id;
    num_columns_ = header.num_columns;
    return {};
  };
  return read_binary_prints(path, context, {begin, [&](std::span<const fingerprint::Record> records) -> Status {
                                              for (const auto& record : records)
                                                NEARDUP_TRY(add(record.id, record.fingerprints));
                                              return {};
                                            }});
}

Status PrintFile::load_text(const std::string& path, const Context& context) {
  const auto take = [&](std::string_view line, uint64_t number) -> Status {
    const Status added = add_line(line);
    return added ? added : at_line(path, number, added.error());
  };
  return read_lines(path, context, take, [] { return Status(); });
}

Status PrintFile::add_line(std::string_view line) {
  NEARDUP_ASSIGN(const PrintLine parsed, parse_tsv_line(line));
  return add(parsed.id, parsed.fingerprints);
}

Status PrintFile::add(std::string_view id, std::span<const fingerprint::Fingerprint> prints) {
  if (!prints.empty() && num_columns_ == 0) num_columns_ = prints.size();
  if (!prints.empty() && prints.size() != num_columns_) {
    return fail(Code::kMismatch, fmt::format("expected {} fingerprint{} as before, found {}: the file mixes recipes",
                                             num_columns_, num_columns_ == 1 ? "" : "s", prints.size()));
  }
  ids_ += id;
  id_ends_.push_back(ids_.size());
  values_.insert(values_.end(), prints.begin(), prints.end());
  has_prints_.push_back(!prints.empty());
  return {};
}

uint64_t PrintFile::memory_bytes() const {
  return ids_.capacity() + id_ends_.capacity() * sizeof(uint64_t) + values_.capacity() * sizeof(values_[0]) +
         has_prints_.capacity() / 8;
}

PrintFile::Column PrintFile::column(size_t index) const {
  Column column;
  size_t at = index;
  for (uint32_t document = 0; document < has_prints_.size(); ++document) {
    if (!has_prints_[document]) continue;
    column.values.push_back(values_[at]);
    column.documents.push_back(document);
    at += num_columns_;
  }
  return column;
}

}  // namespace neardup::cli
