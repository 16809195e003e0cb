#include "neardup/feature/passages.h"

#include <algorithm>
#include <array>

namespace neardup::feature {
namespace {

// The passages of one window, and which of them is selected.
class Window {
 public:
  // Takes the passage that begins at `begin`; the one kPassageWindow before it leaves.
  void add(uint64_t hash, uint32_t begin) {
    hashes_[begin % kPassageWindow] = hash;
    const bool has_left = begin >= kPassageWindow && least_.begin <= begin - kPassageWindow;
    if (begin == 0 || hash < least_.hash)
      least_ = {hash, begin};
    else if (has_left)
      search(begin);
  }
  [[nodiscard]] const Passage& least() const { return least_; }

 private:
  // From the last on, so that of equal ones the last is taken.
  void search(uint32_t last) {
    least_ = {hashes_[last % kPassageWindow], last};
    for (uint32_t begin = last - 1; begin + kPassageWindow > last; --begin)
      if (hashes_[begin % kPassageWindow] < least_.hash) least_ = {hashes_[begin % kPassageWindow], begin};
  }

  std::array<uint64_t, kPassageWindow> hashes_{};
  Passage least_;
};

}  // namespace

void select_passages(std::span<const uint32_t> tokens, std::vector<Passage>& selected) {
  selected.clear();
  if (tokens.size() < kPassageTokens) return;
  const size_t first_window = std::min(tokens.size() - kPassageTokens + 1, kPassageWindow) - 1;
  Window window;
  for_each_passage(tokens, [&](uint64_t hash, size_t begin) {
    window.add(hash, static_cast<uint32_t>(begin));
    if (begin >= first_window && (selected.empty() || selected.back() != window.least()))
      selected.push_back(window.least());
  });
}

void take_hashes(std::span<const Passage> passages, std::vector<uint64_t>& hashes) {
  hashes.clear();
  for (const Passage& passage : passages) hashes.push_back(passage.hash);
  std::ranges::sort(hashes);
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

}  // namespace neardup::feature
