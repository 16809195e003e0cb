// Places: where the records of a closed log stand, about a byte for each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::store {

/// Offsets in a file, ascending, one for each of a row of documents that has any: as varints of what one is beyond the
/// one before. Some documents are marked. Threads: as a vector.
class Places {
 public:
  Places() = default;
  /// Reads what append_to() gave. Errors: kCorruption, without the name of the file.
  [[nodiscard]] static Result<Places> parse(std::string_view bytes);

  /// Adds the next document. Requires: an offset is greater than all before, and not 0.
  void add(std::optional<uint64_t> offset, bool is_marked = false);
  /// Adds documents that have none until there are `size`.
  void fill_to(uint64_t size) {
    while (size_ < size) add(std::nullopt);
  }
  [[nodiscard]] uint64_t size() const { return size_; }
  /// Returns the last offset; 0 where there is none.
  [[nodiscard]] uint64_t last() const { return last_; }
  /// Returns the offset of the i-th, if it has one. Cost: some 50 ns. Requires: i < size().
  [[nodiscard]] std::optional<uint64_t> at(uint64_t i) const;
  /// Returns which documents are marked, ascending.
  [[nodiscard]] std::vector<uint64_t> marked() const;
  /// Appends its bytes. Format: docs/formats/store.md.
  void append_to(std::string& bytes) const;
  [[nodiscard]] uint64_t size_bytes() const {
    return bytes_.capacity() + marks_.capacity() + blocks_.capacity() * sizeof(Block);
  }
  /// Gives back the memory that was kept for more.
  void shrink();

 private:
  static constexpr uint64_t kBlock = 64;
  struct Block {
    uint64_t offset;  // of the last document before it
    uint64_t begin;   // in bytes_
  };
  void count(uint64_t begin);
  [[nodiscard]] bool marks_are_sound() const;

  std::string bytes_;
  std::string marks_;          // varints: a mark less the one before
  std::vector<Block> blocks_;  // of kBlock documents each
  uint64_t size_ = 0;
  uint64_t last_ = 0;  // offset
  uint64_t last_mark_ = 0;
};

}  // namespace neardup::store
