// Which of the texts that came before have a passage: what quotes are found by, in memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup::engine {

/// From the hashes of passages to the numbers of texts: open addressing with linear probing, at most three quarters
/// full. Of a passage that `most` texts have it is known no more than that, so that one that all have costs one slot.
/// Memory: 21 to 43 bytes for each different passage, some 56 to 80 more for the second text that has it (a list), up
/// to 8 for each further one; the list's numbers go with the text that makes it common. Threads: one at a time.
class PassageHolders {
 public:
  /// The number of a text that counts, and is no candidate.
  static constexpr uint32_t kNobody = (uint32_t{1} << 31) - 1;

  explicit PassageHolders(size_t most) : most_(most), slots_(16) {}

  struct Holders {
    std::span<const uint32_t> numbers = {};  // in the order of add(); empty where it is common. Valid until add()
    bool is_common = false;                  // `most` texts have it
  };
  [[nodiscard]] Holders of(uint64_t hash) const;
  /// A text has all of `hashes`, and was not added for them before; of none it is where this throws for memory.
  /// Requires: each once, number <= kNobody.
  void add(std::span<const uint64_t> hashes, uint32_t number);
  /// Cost: constant.
  [[nodiscard]] uint64_t size_bytes() const;

 private:
  static constexpr uint32_t kFree = UINT32_MAX, kCommon = UINT32_MAX - 1, kIsList = uint32_t{1} << 31;
  struct Slot {
    uint64_t hash = 0;
    uint32_t value = kFree;  // a number, kCommon, or kIsList + the place of a list
  };

  [[nodiscard]] size_t place_of(uint64_t hash) const;
  void grow();
  void make_room(Slot& slot);
  void make_list(Slot& slot);
  void add_one(Slot& slot, uint64_t hash, uint32_t number) noexcept;
  void add_to_list(Slot& slot, uint32_t number) noexcept;

  const size_t most_;
  std::vector<Slot> slots_;  // a power of two of them
  uint64_t num_used_ = 0;
  std::vector<std::vector<uint32_t>> lists_;
  uint64_t list_bytes_ = 0;           // of their numbers, as malloc() hands them out
  std::vector<uint32_t> free_lists_;  // of passages that became common
};

}  // namespace neardup::engine
