#include "neardup/base/disk/shared_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <utility>

namespace neardup {
namespace {

/// What the handler of the signal looks up: no locks there.
struct Mapped {
  std::atomic<uintptr_t> begin = 0;  // 0: free, or not whole yet
  std::atomic<uintptr_t> end = 0;
  std::atomic<bool> is_cut = false;
  bool is_taken = false;
};
std::array<Mapped, SharedFile::kMost> all_mapped;
std::mutex mutex;  // of is_taken, and of the two below
bool survives = false;
struct sigaction before {};

uintptr_t page_bytes() {
  static const auto bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Zeros from the page at `address` to the end: behind the place where a file was cut it has nothing.
bool show_zeros(Mapped& mapped, uintptr_t address, uintptr_t end) {
  const uintptr_t page = address & ~(page_bytes() - 1);
  mapped.is_cut = true;
  void* const zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,  // NOLINT(performance-no-int-to-ptr)
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return zeros != MAP_FAILED;
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (Mapped& mapped : all_mapped) {
    const uintptr_t begin = mapped.begin, end = mapped.end;
    // Another file may take the place between the two looks.
    if (begin == 0 || begin != mapped.begin || address < begin || address >= end) continue;
    if (!show_zeros(mapped, address, end)) continue;
    errno = error;
    return;
  }
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
  ::sigaction(signal, &before, nullptr);
  ::raise(signal);  // once more, and ends the process: what others send does not come again by itself
}

size_t take_place() {
  const std::lock_guard lock(mutex);
  for (size_t place = 0; survives && place < all_mapped.size(); ++place) {
    if (!std::exchange(all_mapped[place].is_taken, true)) return place;
  }
  return all_mapped.size();
}

void leave_place(size_t place) {
  all_mapped[place].begin = 0;
  const std::lock_guard lock(mutex);
  all_mapped[place].is_taken = false;
}

const char* map(const std::string& path, uint64_t size_bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  struct stat info {};
  void* address = MAP_FAILED;
  if (::fstat(descriptor, &info) == 0 && static_cast<uint64_t>(info.st_size) >= size_bytes)
    address = ::mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  return address == MAP_FAILED ? nullptr : static_cast<const char*>(address);
}

}  // namespace

void survive_cut_files() {
  const std::lock_guard lock(mutex);
  if (survives) return;
  page_bytes();
  struct sigaction ours {};
  ours.sa_sigaction = on_bus_error;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  survives = ::sigaction(SIGBUS, &ours, &before) == 0;
}

std::unique_ptr<SharedFile> SharedFile::open(const std::string& path, uint64_t size_bytes) {
  const size_t place = take_place();
  if (place == kMost) return nullptr;
  const char* const address = map(path, size_bytes);
  if (address == nullptr) {
    leave_place(place);
    return nullptr;
  }
  Mapped& mapped = all_mapped[place];
  const auto begin = reinterpret_cast<uintptr_t>(address);
  mapped.is_cut = false;
  mapped.end = (begin + size_bytes + page_bytes() - 1) & ~(page_bytes() - 1);
  mapped.begin = begin;
  return std::unique_ptr<SharedFile>(new SharedFile(address, size_bytes, place));
}

SharedFile::~SharedFile() {
  leave_place(place_);
  ::munmap(const_cast<char*>(address_), size_bytes_);
}

void SharedFile::fetch(uint64_t offset, uint64_t size_bytes) const {
#ifdef MADV_POPULATE_READ
  const uint64_t begin = offset & ~uint64_t{page_bytes() - 1};
  ::madvise(const_cast<char*>(address_) + begin, offset + size_bytes - begin, MADV_POPULATE_READ);
#else
  static_cast<void>(offset), static_cast<void>(size_bytes);
#endif
}

bool SharedFile::is_cut() const { return all_mapped[place_].is_cut; }

}  // namespace neardup
