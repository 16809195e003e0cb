// A value of each thread's own: buffers that are kept from text to text.
#pragma once

#include <pthread.h>

#include <memory>
#include <system_error>

namespace neardup {

/// One T for each thread, made with T() at its first use there and destroyed when the thread ends; the main thread
/// keeps its own to the end of the process. For objects of static storage: the values of running threads outlive this
/// one. Instead of `thread_local` with a destructor, for which glibc ends the process where memory is refused.
template <class T>
class PerThread {
 public:
  /// Errors: throws std::system_error where the system has no place for one more (1,024 a process).
  PerThread() {
    const auto destroy = [](void* value) { delete static_cast<T*>(value); };
    check(pthread_key_create(&key_, destroy));
  }
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  /// Returns the calling thread's own; no other thread sees it. Errors: throws what T() does, std::bad_alloc, and
  /// std::system_error where memory is refused to the system; the next call tries again.
  [[nodiscard]] T& get() {
    if (void* const found = pthread_getspecific(key_)) return *static_cast<T*>(found);
    auto made = std::make_unique<T>();
    check(pthread_setspecific(key_, made.get()));
    return *made.release();
  }

 private:
  static void check(int error) {
    if (error != 0) throw std::system_error(error, std::generic_category(), "a value of each thread's own");
  }

  pthread_key_t key_{};
};

}  // namespace neardup
