#include "neardup/base/guard.h"

#include <fmt/format.h>

namespace neardup {
namespace {

// `make` may run out of memory itself; the words instead fit into a string without any.
template <class Make>
std::string message_of(const Make& make) noexcept {
  try {
    return make();
  } catch (...) {
    return "out of memory";
  }
}

}  // namespace

Error out_of_memory_error() noexcept {
  return {Code::kMemory, message_of([] {
            return std::string(
                "out of memory: the system gives no more; use fewer threads (--threads), set a memory limit that fits "
                "this machine (--memory), raise the limit of the system (ulimit -v), or free memory");
          })};
}

Error system_refused_error(const std::system_error& error) noexcept {
  if (error.code() == std::errc::not_enough_memory) return out_of_memory_error();
  if (error.code() == std::errc::resource_unavailable_try_again) {
    return {
        Code::kMemory, message_of([] {
          return std::string(
              "the system starts no more threads; use fewer (--threads), or raise its limits (ulimit -u, ulimit -v)");
        })};
  }
  return {Code::kIo, message_of([&] {
            return fmt::format("the system refused an operation: {}; see to its cause and start again", error.what());
          })};
}

}  // namespace neardup
