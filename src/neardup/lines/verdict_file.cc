#include "neardup/lines/verdict_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/base/bytes.h"

namespace neardup::lines {
namespace {

constexpr size_t kWriteBytes = size_t{1} << 16;
constexpr size_t kMostVerdictBytes = 20;

}  // namespace

Result<VerdictFile> VerdictFile::create(const std::string& path, bool counts) {
  NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path, 0));
  return VerdictFile(path, std::move(file), counts);
}

void VerdictFile::begin_list() {
  lists_.push_back({size_bytes_, size_bytes_});
  last_ = 0;
}

Status VerdictFile::add(const VerdictOf& verdict) {
  const size_t before = buffer_.size();
  append_varint(buffer_, verdict.position - std::exchange(last_, verdict.position));
  if (counts_) append_varint(buffer_, verdict.count);
  size_bytes_ += buffer_.size() - before;
  lists_.back().end = size_bytes_;
  if (buffer_.size() < kWriteBytes) return {};
  const std::string full = std::exchange(buffer_, {});
  return file_.append(full);
}

Status VerdictFile::finish() {
  NEARDUP_TRY(file_.append(std::exchange(buffer_, {})));
  return file_.flush();
}

Status VerdictReader::fill() {
  std::string next(rest_);
  const size_t before = next.size();
  next.resize(before + static_cast<size_t>(std::min<uint64_t>(buffer_bytes_, end_ - at_)));
  NEARDUP_TRY(file_->read_exact_at(at_, std::span(next).subspan(before)));
  at_ += next.size() - before;
  buffer_ = std::move(next);
  rest_ = buffer_;
  return {};
}

Status VerdictReader::read_next() {
  if (rest_.size() < kMostVerdictBytes && at_ < end_) NEARDUP_TRY(fill());
  if (rest_.empty()) return {};
  ByteReader reader(rest_);
  next_.position += reader.varint();
  if (counts_) next_.count = reader.varint();
  if (!reader.ok())
    return fail(Code::kCorruption, fmt::format("the work file '{}' is damaged; start again", file_->path()));
  rest_ = reader.rest();
  has_next_ = true;
  return {};
}

Result<std::vector<VerdictReader>> open_verdicts(std::span<const VerdictFile> files, uint64_t memory_bytes) {
  size_t num_lists = 1;
  for (const VerdictFile& file : files) num_lists += file.lists().size();
  const auto buffer_bytes = static_cast<size_t>(std::clamp<uint64_t>(memory_bytes / num_lists, 64, 1 << 16));
  std::vector<VerdictReader> readers;
  for (const VerdictFile& file : files) {
    NEARDUP_ASSIGN(ReadFile opened, ReadFile::open(file.path()));
    const auto shared = std::make_shared<ReadFile>(std::move(opened));
    for (const VerdictFile::List& list : file.lists()) readers.emplace_back(shared, list, file.counts(), buffer_bytes);
  }
  return readers;
}

}  // namespace neardup::lines
