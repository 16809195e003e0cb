#include "neardup/cli/out_of_memory.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

#include "neardup/base/code_table.h"

namespace neardup::cli {
namespace {

constexpr size_t kReserveBytes = size_t{256} << 10;  // for the error, its message, and what unwinding needs

std::atomic<void*> reserve = nullptr;
std::array<std::atomic<char>, 24> work = {};  // ends with a zero

// Throws as new would: what can hand the lack on does so, and all that it holds is freed.
void on_lack_of_memory() {
  std::free(reserve.exchange(nullptr));
  throw std::bad_alloc();
}

void say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] void end_without_memory() {
  say("neardup: out of memory");
  if (work[0] != '\0') say(" in '");
  for (size_t i = 0; i < work.size() && work[i] != '\0'; ++i) {
    const char c = work[i];
    say({&c, 1});
  }
  if (work[0] != '\0') say("'");
  say(": the system gives no more; use fewer threads (--threads), set a memory limit that fits this machine "
      "(--memory), raise the limit of the system (ulimit -v), or free memory\n");
  _exit(kExitFailed);
}

// No lack of memory: a defect, which ends as it would without us.
[[noreturn]] void on_terminate() {
  if (const auto exception = std::current_exception()) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
      end_without_memory();
    } catch (const std::exception& other) {
      say("neardup: defect: ");
      say(other.what());
      say("\n");
    } catch (...) {
    }
  }
  std::abort();
}

}  // namespace

void prepare_for_lack_of_memory() {
#ifdef M_ARENA_MAX
  // glibc keeps what threads have freed apart, in eight pools a core: of 32 threads with 64 MB a third more than is in
  // use.
  constexpr long kSpareArenas = 2;
  mallopt(M_ARENA_MAX, static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)) + kSpareArenas));
#endif
  reserve = std::malloc(kReserveBytes);
  std::set_new_handler(on_lack_of_memory);
  std::set_terminate(on_terminate);
}

void note_work(std::string_view name) {
  const size_t size = std::min(name.size(), work.size() - 1);
  for (size_t i = 0; i < size; ++i) work[i] = name[i];
  work[size] = '\0';
}

std::string noted_work() {
  std::string name;
  for (size_t i = 0; i < work.size() && work[i] != '\0'; ++i) name += work[i];
  return name;
}

}  // namespace neardup::cli
