#include "neardup/lines/part_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/base/bytes.h"

namespace neardup::lines {
namespace {

constexpr size_t kMostRecords = size_t{1} << 12;  // at once

}  // namespace

Status PartFile::add(uint64_t position, std::string_view key) {
  append_varint(buffer_, position - std::exchange(last_, position));
  append_text(buffer_, key);
  ++num_keys_;
  return buffer_.size() < buffer_bytes_ ? Status() : flush();
}

Status PartFile::flush() {
  NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path_, size_bytes_));
  NEARDUP_TRY(file.append(buffer_));
  NEARDUP_TRY(file.flush());
  size_bytes_ += buffer_.size();
  buffer_.clear();
  if (buffer_.capacity() > 4 * buffer_bytes_) buffer_.shrink_to_fit();
  return {};
}

Status PartFile::finish() {
  if (empty()) return {};
  NEARDUP_TRY(flush());
  buffer_ = {};
  return {};
}

PartFiles::PartFiles(const std::string& prefix, size_t buffer_bytes) {
  files_.reserve(kNumParts);
  for (size_t part = 0; part < kNumParts; ++part) files_.emplace_back(fmt::format("{}-{}", prefix, part), buffer_bytes);
}

Result<PartReader> PartReader::open(const std::string& path, size_t buffer_bytes) {
  NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path));
  return PartReader(std::move(file), buffer_bytes);
}

/// Reads more behind what is left of the buffer; false where there is no more.
Result<bool> PartReader::fill() {
  std::string next(rest_);
  const size_t before = next.size();
  next.resize(before + std::max(buffer_bytes_, before));  // twice the last record where that was not all there
  NEARDUP_ASSIGN(const size_t got, file_.read_at(offset_, std::span(next).subspan(before)));
  next.resize(before + got);
  offset_ += got;
  buffer_ = std::move(next);
  rest_ = buffer_;
  return got > 0;
}

bool PartReader::take(PartRecord& record) {
  ByteReader reader(rest_);
  const uint64_t step = reader.varint();
  record.key = reader.text();
  if (!reader.ok()) return false;
  record.position = last_ += step;
  rest_ = reader.rest();
  return true;
}

Result<bool> PartReader::next(std::vector<PartRecord>& records) {
  records.clear();
  while (true) {
    for (PartRecord record; records.size() < kMostRecords && !rest_.empty() && take(record);) records.push_back(record);
    if (!records.empty()) return true;
    NEARDUP_ASSIGN(const bool more, fill());
    if (more) continue;
    if (rest_.empty()) return false;
    return fail(Code::kCorruption, fmt::format("the work file '{}' was cut off; start again", file_.path()));
  }
}

}  // namespace neardup::lines
