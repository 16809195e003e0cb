#include "neardup/cli/print_file.h"

#include <fmt/format.h>

#include "neardup/cli/input_set.h"
#include "neardup/cli/print_line.h"
#include "neardup/cli/print_stream.h"
#include "neardup/corpus/reader.h"
#include "neardup/fingerprint/file.h"

namespace neardup::cli {

Result<PrintFile> PrintFile::load(const std::string& path, const Context& context) {
  NEARDUP_ASSIGN(const std::string binary, binary_prints(path));
  return binary.empty() ? load_text(path, context) : load_binary(binary, context);
}

Result<PrintFile> PrintFile::load_binary(const std::string& path, const Context& context) {
  NEARDUP_ASSIGN(auto reader, fingerprint::FileReader::open(path));
  PrintFile file;
  file.recipe_id_ = reader.header().recipe_id;
  file.num_columns_ = reader.header().num_columns;
  while (true) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const std::span<const fingerprint::Record> records, reader.next());
    if (records.empty()) return file;
    for (const fingerprint::Record& record : records) NEARDUP_TRY(file.add(record.id, record.fingerprints));
  }
}

Result<PrintFile> PrintFile::load_text(const std::string& path, const Context& context) {
  NEARDUP_ASSIGN(const InputSet set,
                 InputSet::open({path}, {.format = corpus::Format::kLines, .include = {}, .exclude = {}}, context));
  if (set.inputs().size() != 1)
    return fail(Code::kInvalidArgument, fmt::format("{}: expected one file, not a folder", path));
  NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(set.inputs(), {}));
  PrintFile file;
  uint64_t lines_before = 0;
  for (corpus::Batch batch;;) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const bool more, reader.next(batch));
    if (!more) return file;
    NEARDUP_TRY(reader.load(batch));
    for (const corpus::Document& document : batch.documents) {
      if (auto status = file.add_line(document.text); !status) {
        return fail(status.error().code,
                    fmt::format("{}:{}: {}", path, lines_before + document.line + 1, status.error().message));
      }
    }
    for (const corpus::Rejection& bad : batch.rejections) {
      return fail(Code::kCorruption, fmt::format("{}:{}: {}", path, lines_before + bad.line + 1, bad.message));
    }
    lines_before += batch.num_lines;
  }
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
