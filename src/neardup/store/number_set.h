// A set of document numbers, most of which are not in it, or most of the old ones are.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace neardup::store {

/// So many numbers that nobody has may lie within a log; where more are left out the next one begins behind them.
inline constexpr uint64_t kMostLeftOut = 1 << 16;

/// Memory: a bit for each number near to one that is in it and one that is not; 16 bytes for each 65,536 numbers below
/// the greatest, where all or none of these are in it. So what was erased long ago costs next to nothing. Threads: as a
/// vector.
class NumberSet {
 public:
  NumberSet() = default;
  explicit NumberSet(std::span<const uint64_t> numbers) {
    for (const uint64_t number : numbers) add(number);
  }

  [[nodiscard]] bool contains(uint64_t number) const {
    const uint64_t which = number / kChunk;
    if (which >= chunks_.size()) return false;
    const Chunk& chunk = chunks_[which];
    return chunk.words.get() == nullptr ? chunk.count != 0 : has(*chunk.words.get(), number % kChunk);
  }
  void add(uint64_t number);
  /// From here on, and before settle(), neither adding nor removing it can fail for memory. Where that is refused (it
  /// throws then) the set is as before.
  void make_room(uint64_t number);
  /// Gives back the room of what is wholly in the set, or not at all.
  void settle();
  /// Adds first, first + 1, ..., end - 1, or none where it throws for memory. Cost: as that of 65,536 of them at once.
  void add_range(uint64_t first, uint64_t end);
  void remove(uint64_t number);

  [[nodiscard]] uint64_t size() const { return size_; }
  /// Returns a number that is greater than all in it.
  [[nodiscard]] uint64_t end() const { return chunks_.size() * kChunk; }
  [[nodiscard]] uint64_t size_bytes() const;
  /// Returns the first number from `number` on that is not in it. Cost: a look at each chunk between.
  [[nodiscard]] uint64_t next_absent(uint64_t number) const;
  /// Returns how many numbers from `first` on and before `end` are in it.
  [[nodiscard]] uint64_t count(uint64_t first, uint64_t end) const;
  /// Returns how many are in both.
  [[nodiscard]] uint64_t count_common(const NumberSet& other) const;
  /// Returns those that are not in `other`, ascending; of those from `first` on and before `end`.
  [[nodiscard]] std::vector<uint64_t> without(const NumberSet& other, uint64_t first = 0,
                                              uint64_t end = UINT64_MAX) const;
  /// Returns the numbers, ascending.
  [[nodiscard]] std::vector<uint64_t> sorted() const { return without({}); }
  /// Calls `visit` with the ranges [first, end) that are in it, ascending, none next to another.
  void for_each_range(const std::function<void(uint64_t first, uint64_t end)>& visit) const;

 private:
  static constexpr uint64_t kChunk = 1 << 16;
  using Words = std::array<uint64_t, kChunk / 64>;
  // Owns them, and copies as a value.
  struct Held : std::unique_ptr<Words> {
    using std::unique_ptr<Words>::unique_ptr;
    Held() = default;
    Held(Held&&) = default;
    Held& operator=(Held&&) = default;
    Held(const Held& other) : std::unique_ptr<Words>(other ? new Words(*other) : nullptr) {}
    Held& operator=(const Held& other) { return *this = Held(other); }
    ~Held() = default;
  };
  // Without words all of it is in the set, or nothing.
  struct Chunk {
    Held words;
    uint32_t count = 0;
  };
  static bool has(const Words& words, uint64_t place) { return (words[place / 64] >> place % 64 & 1) != 0; }
  [[nodiscard]] uint64_t word(uint64_t i) const;  // of numbers 64 i, 64 i + 1, ...
  Words& words_of(Chunk& chunk);
  static void settle(Chunk& chunk);

  std::vector<Chunk> chunks_;
  uint64_t size_ = 0;
};

}  // namespace neardup::store
