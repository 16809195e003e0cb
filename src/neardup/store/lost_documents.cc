#include "neardup/store/lost_documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/store/batch_record.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/erased_file.h"

namespace neardup::store {

uint64_t num_documents(const NumberRange& range, const NumberSet& erased) {
  if (!range.end || *range.end <= range.first) return 0;
  return *range.end - range.first - erased.count(range.first, *range.end);
}

std::string lost_documents_text(const NumberRange& range, const NumberSet& erased) {
  const uint64_t count = num_documents(range, erased);
  if (count == 0) return {};
  return fmt::format(", and with them {} document{} at most, from number {} on", count, count == 1 ? "" : "s",
                     range.first);
}

NumberSet erased_in(const std::string& folder, const StoreManifest& manifest) {
  if (manifest.erased_file == 0) return {};
  auto file = read_erased_ranges(erased_path(folder, manifest.erased_file), manifest.first_free);
  return file ? std::move(file->numbers) : NumberSet();
}

Status LoggedNumbers::add(const LoggedRecord& record) {
  Row row{record.sequence, UINT64_MAX, 0};
  NEARDUP_TRY(for_each_piece(record.bytes, [&](std::string_view bytes) -> Status {
    NEARDUP_ASSIGN(const Change change, reader_.read(bytes));
    if (!change.document) return {};
    row.first = std::min(row.first, change.document->number);
    row.end = std::max(row.end, change.document->number + 1);
    return {};
  }));
  if (row.end > end()) rows_.push_back(row);  // a record that was sent to two logs is known
  return {};
}

NumberRange LoggedNumbers::lost_in(const LogGap& gap) const {
  const auto behind = std::ranges::lower_bound(rows_, gap.before, {}, &Row::sequence);
  NumberRange range{.first = behind == rows_.begin() ? first_ : (behind - 1)->end, .end = {}};
  if (behind != rows_.end()) range.end = behind->first;
  return range;
}

std::optional<uint64_t> LoggedNumbers::first() const {
  return rows_.empty() ? std::nullopt : std::optional(rows_.front().first);
}

}  // namespace neardup::store
