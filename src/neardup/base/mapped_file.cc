#include "neardup/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "neardup/base/file.h"

namespace neardup {

Result<MappedFile> MappedFile::open(const std::string& path) {
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  MappedFile file;
  if (info.size_bytes == 0) return file;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return fail_errno("cannot open", path, errno);
  void* address = ::mmap(nullptr, info.size_bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  const int error = errno;
  ::close(descriptor);
  if (address == MAP_FAILED) return fail_errno("cannot map", path, error);
  file.address_ = address;
  file.size_bytes_ = info.size_bytes;
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)), size_bytes_(std::exchange(other.size_bytes_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(address_, other.address_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (address_ != nullptr) ::munmap(address_, size_bytes_);
}

}  // namespace neardup
