#include "neardup/engine/checked_file.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <vector>

namespace neardup::engine {
namespace {

// Feeds the first `size_bytes` bytes of `path` to `state`.
Status hash_prefix(const std::string& path, uint64_t size_bytes, XXH3_state_t& state) {
  if (size_bytes == 0) return {};
  NEARDUP_ASSIGN(const ReadFile file, ReadFile::open(path));
  std::vector<char> buffer(size_t{1} << 20);
  for (uint64_t offset = 0; offset < size_bytes;) {
    const std::span<char> piece(buffer.data(), std::min<uint64_t>(buffer.size(), size_bytes - offset));
    NEARDUP_TRY(file.read_exact_at(offset, piece));
    XXH3_64bits_update(&state, piece.data(), piece.size());
    offset += piece.size();
  }
  return {};
}

Status check_digest(const std::string& path, const FileMark& mark, const XXH3_state_t& state) {
  const uint64_t found = XXH3_64bits_digest(&state);
  if (mark.size_bytes == 0 || found == mark.checksum) return {};
  return fail(Code::kCorruption,
              fmt::format("'{}' is damaged: its first {} bytes have checksum {:016x}, {:016x} was written; start again "
                          "with --overwrite",
                          path, mark.size_bytes, found, mark.checksum));
}

}  // namespace

struct CheckedFile::Impl {
  explicit Impl(AppendFile f) : file(std::move(f)) { XXH3_64bits_reset(&state); }
  AppendFile file;
  XXH3_state_t state;
  uint64_t synced_bytes = 0;
};

CheckedFile::CheckedFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CheckedFile::CheckedFile(CheckedFile&&) noexcept = default;
CheckedFile& CheckedFile::operator=(CheckedFile&&) noexcept = default;
CheckedFile::~CheckedFile() = default;

Result<CheckedFile> CheckedFile::open(const std::string& path, const FileMark& mark) {
  NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path, mark.size_bytes));
  auto impl = std::make_unique<Impl>(std::move(file));
  NEARDUP_TRY(hash_prefix(path, mark.size_bytes, impl->state));
  NEARDUP_TRY(check_digest(path, mark, impl->state));
  impl->synced_bytes = mark.size_bytes;
  return CheckedFile(std::move(impl));
}

Status CheckedFile::append(std::string_view bytes) {
  XXH3_64bits_update(&impl_->state, bytes.data(), bytes.size());
  return impl_->file.append(bytes);
}

Result<FileMark> CheckedFile::mark() {
  const uint64_t size = impl_->file.size_bytes();
  if (size > impl_->synced_bytes) NEARDUP_TRY(impl_->file.sync());
  impl_->synced_bytes = size;
  return FileMark{size, XXH3_64bits_digest(&impl_->state)};
}

Result<FileMark> mark_of_file(const std::string& path) {
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  NEARDUP_TRY(hash_prefix(path, info.size_bytes, state));
  return FileMark{info.size_bytes, XXH3_64bits_digest(&state)};
}

Status check_file(const std::string& path, const FileMark& mark) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  NEARDUP_TRY(hash_prefix(path, mark.size_bytes, state));
  return check_digest(path, mark, state);
}

}  // namespace neardup::engine
