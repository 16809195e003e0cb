#include "neardup/base/disk/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace neardup {

Result<MappedFile> MappedFile::open(const std::string& path) {
  // The size is that of the open file: another one may take its name at any time.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return fail_errno("cannot open", path, errno);
  struct stat info {};
  MappedFile file;
  void* address = nullptr;
  if (::fstat(descriptor, &info) != 0) address = MAP_FAILED;
  const auto size = static_cast<size_t>(info.st_size);
  if (address == nullptr && size != 0) address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  const int error = errno;
  ::close(descriptor);
  if (address == MAP_FAILED) return fail_errno("cannot map", path, error);
  file.address_ = address;
  file.size_bytes_ = size;
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
