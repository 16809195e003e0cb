#include "neardup/base/disk/wait_for_bytes.h"

#include <poll.h>

#include <cerrno>

namespace neardup {

Status wait_for_bytes(int descriptor, const std::string& name, const Context& context, const std::atomic<bool>* stop) {
  constexpr int kPollMilliseconds = 100;
  const Context other{nullptr, stop};
  pollfd polled = {.fd = descriptor, .events = POLLIN, .revents = 0};
  while (true) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_TRY(other.check_cancel());
    const int ready = ::poll(&polled, 1, kPollMilliseconds);
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return fail_errno("cannot wait for", name, errno);
  }
}

}  // namespace neardup
