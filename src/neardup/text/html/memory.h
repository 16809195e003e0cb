// What lexbor takes: from operator new, and given back as a whole.
#pragma once

#include <cstddef>

namespace neardup::text {

/// The memory of one parser of lexbor. lexbor is told of a refusal by null, which it does not look for everywhere, and
/// what it leaves then is not fit to be destroyed: so here a refusal is std::bad_alloc, thrown through its functions,
/// which are compiled for that (cmake/NeardupLexbor.cmake), and clear() gives back all that it has, whatever its state.
/// Threads: one at a time.
class HtmlMemory {
 public:
  HtmlMemory();
  HtmlMemory(const HtmlMemory&) = delete;
  HtmlMemory& operator=(const HtmlMemory&) = delete;
  ~HtmlMemory() { clear(); }

  /// Gives back everything. No object of lexbor that was made of it is to be used after.
  void clear() noexcept;

  /// While one lives, what this thread's calls of lexbor take is of `memory`. One at a time in a thread.
  class Use {
   public:
    explicit Use(HtmlMemory& memory);
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use();
  };

  /// What stands before each piece: pieces are a ring, in which `first_` stands, too.
  struct alignas(std::max_align_t) Piece {
    Piece* before = this;
    Piece* after = this;
    size_t size_bytes = 0;
  };

 private:
  Piece first_;
};

}  // namespace neardup::text
