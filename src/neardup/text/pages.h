// Tables over all code points, in pages of 256 that are made when they are first needed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace neardup::text {

/// Pages of a table over U+0000..U+10FFFF. A text touches few of them, so nothing is spent at the start of a program.
/// `Build` makes a page: std::unique_ptr<Page> build(char32_t first), a pure function that may run on several threads.
/// Threads: share freely. Cost: two loads and a test that is always predicted.
template <class Page, class Build>
class Pages {
 public:
  explicit Pages(Build build) : build_(build) {}
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() {
    for (auto& page : pages_) delete page.load(std::memory_order_relaxed);
  }

  /// Returns the page of `c`. Requires: c <= U+10FFFF.
  const Page& page_of(char32_t c) {
    const Page* page = pages_[c >> 8].load(std::memory_order_acquire);
    return page != nullptr ? *page : make(c);
  }

 private:
  [[gnu::noinline]] const Page& make(char32_t c) {
    std::unique_ptr<const Page> mine = build_(c & ~char32_t{0xFF});
    const Page* expected = nullptr;
    // Two threads may make the same page; the first one wins.
    if (!pages_[c >> 8].compare_exchange_strong(expected, mine.get(), std::memory_order_acq_rel)) return *expected;
    return *mine.release();
  }

  Build build_;
  std::array<std::atomic<const Page*>, 0x1100> pages_{};
};

}  // namespace neardup::text
