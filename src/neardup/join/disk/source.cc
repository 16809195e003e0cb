// What joins on disk read: in order, in pieces of any size, and again from the start for each table. A source has no
// state but its place, so a join that is begun again can skip to where it was.
#include "neardup/join/disk/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/fingerprint/file.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;

class RawFile final : public Source {
 public:
  RawFile(ReadFile file, uint64_t size) : file_(std::move(file)), size_(size) {}

  Result<size_t> read(std::span<Fingerprint> out) override {
    const auto count = static_cast<size_t>(std::min<uint64_t>(out.size(), size_ - next_));
    NEARDUP_TRY(file_.read_exact_at(next_ * sizeof(Fingerprint), writable_bytes_of(out.first(count))));
    if constexpr (std::endian::native == std::endian::big) {
      for (size_t i = 0; i < count; ++i) out[i] = __builtin_bswap64(out[i]);
    }
    next_ += count;
    return count;
  }
  [[nodiscard]] uint64_t size() const override { return size_; }
  Status skip(uint64_t count) override {
    next_ += std::min(count, size_ - next_);
    return {};
  }
  Status rewind() override {
    next_ = 0;
    return {};
  }

 private:
  ReadFile file_;
  uint64_t size_;
  uint64_t next_ = 0;
};

class FingerprintFile final : public Source {
 public:
  static Result<std::unique_ptr<Source>> open(const std::string& path, uint32_t column) {
    auto file = std::make_unique<FingerprintFile>(path, column);
    NEARDUP_TRY(file->rewind());
    if (column >= file->reader_->header().num_columns) {
      return fail(Code::kInvalidArgument,
                  fmt::format("'{}' has {} fingerprints for each document, there is no number {}", path,
                              file->reader_->header().num_columns, column + 1));
    }
    NEARDUP_TRY(file->count());
    return file;
  }
  FingerprintFile(std::string path, uint32_t column) : path_(std::move(path)), column_(column) {}

  Result<size_t> read(std::span<Fingerprint> out) override {
    size_t count = 0;
    while (count < out.size()) {
      if (records_.empty()) {
        NEARDUP_ASSIGN(records_, reader_->next());
        if (records_.empty()) break;
      }
      const auto& record = records_.front();
      if (!record.fingerprints.empty()) out[count++] = record.fingerprints[column_];
      records_ = records_.subspan(1);
    }
    return count;
  }
  [[nodiscard]] uint64_t size() const override { return size_; }
  Status rewind() override {
    NEARDUP_ASSIGN(reader_, fingerprint::FileReader::open(path_));
    records_ = {};
    return {};
  }

 private:
  // How many documents have fingerprints is not in the header.
  Status count() {
    while (true) {
      NEARDUP_ASSIGN(const auto records, reader_->next());
      if (records.empty()) return rewind();
      for (const auto& record : records) size_ += record.fingerprints.empty() ? 0 : 1;
    }
  }

  std::string path_;
  uint32_t column_;
  std::optional<fingerprint::FileReader> reader_;
  std::span<const fingerprint::Record> records_;
  uint64_t size_ = 0;
};

class ArraySource final : public Source {
 public:
  explicit ArraySource(std::span<const Fingerprint> set) : set_(set) {}
  Result<size_t> read(std::span<Fingerprint> out) override {
    const size_t count = std::min(out.size(), set_.size() - next_);
    std::copy_n(set_.begin() + static_cast<std::ptrdiff_t>(next_), count, out.begin());
    next_ += count;
    return count;
  }
  [[nodiscard]] uint64_t size() const override { return set_.size(); }
  Status rewind() override {
    next_ = 0;
    return {};
  }

 private:
  std::span<const Fingerprint> set_;
  size_t next_ = 0;
};

}  // namespace

Status Source::skip(uint64_t count) {
  std::vector<Fingerprint> passed(static_cast<size_t>(std::min<uint64_t>(count, size_t{1} << 14)));
  while (count > 0) {
    NEARDUP_ASSIGN(const size_t got, read(std::span(passed).first(std::min<uint64_t>(count, passed.size()))));
    if (got == 0) break;
    count -= got;
  }
  return {};
}

Result<std::unique_ptr<Source>> open_raw_file(const std::string& path) {
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  if (!info.is_regular || info.size_bytes % sizeof(Fingerprint) != 0) {
    return fail(Code::kCorruption,
                fmt::format("'{}' is no file of 64-bit numbers: it has {} bytes, expected a multiple of "
                            "8; write each fingerprint as 8 bytes, the lowest first",
                            path, info.size_bytes));
  }
  NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path));
  return std::make_unique<RawFile>(std::move(file), info.size_bytes / sizeof(Fingerprint));
}

Result<std::unique_ptr<Source>> open_fingerprint_file(const std::string& path, uint32_t column) {
  return FingerprintFile::open(path, column);
}

std::unique_ptr<Source> make_array_source(std::span<const Fingerprint> set) {
  return std::make_unique<ArraySource>(set);
}

}  // namespace neardup::join
