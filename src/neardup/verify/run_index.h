// The runs of a long text, kept so that many short ones can be looked up in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup::verify {

/// The hashes of all runs of kHeldRun tokens of a text, each once: an open-addressing table, at most three quarters
/// full. Cost of making it: some 10 ns a token; of has(): one look into memory. Threads: any number read it.
class RunIndex {
 public:
  explicit RunIndex(std::span<const uint32_t> tokens);
  /// Whether the text has the run with this hash (feature::for_each_passage()).
  [[nodiscard]] bool has(uint64_t hash) const {
    if (hash == kFree) return has_free_;
    size_t place = hash & (slots_.size() - 1);
    while (slots_[place] != kFree && slots_[place] != hash) place = (place + 1) & (slots_.size() - 1);
    return slots_[place] == hash;
  }
  [[nodiscard]] uint64_t num_tokens() const { return num_tokens_; }
  [[nodiscard]] uint64_t size_bytes() const { return bytes_of_slots(slots_.size()); }
  /// Returns size_bytes() of a text of so many tokens: 11 to 22 a token.
  [[nodiscard]] static uint64_t size_bytes_of(uint64_t num_tokens) { return bytes_of_slots(num_slots(num_tokens)); }

 private:
  static constexpr uint64_t kFree = 0;  // no run: that with this hash has a flag of its own

  static uint64_t bytes_of_slots(uint64_t num_slots) { return num_slots * sizeof(uint64_t) + sizeof(RunIndex); }
  [[nodiscard]] static size_t num_slots(uint64_t num_tokens);
  void add(uint64_t hash);

  uint64_t num_tokens_;
  std::vector<uint64_t> slots_;  // a power of two of them
  bool has_free_ = false;
};

}  // namespace neardup::verify
