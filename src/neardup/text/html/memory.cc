#include "neardup/text/html/memory.h"

#include <lexbor/core/base.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace neardup::text {
namespace {

using Piece = HtmlMemory::Piece;

thread_local Piece* ring_in_use = nullptr;  // of the memory in use

void* bytes_of_piece(Piece* piece) { return piece + 1; }
Piece* piece_of(void* bytes) { return static_cast<Piece*>(bytes) - 1; }

void unlink_piece(Piece& piece) {
  piece.before->after = piece.after;
  piece.after->before = piece.before;
}

void* take_piece(size_t size_bytes) {
  if (ring_in_use == nullptr || size_bytes > std::numeric_limits<size_t>::max() - sizeof(Piece)) throw std::bad_alloc();
  auto* const piece = new (::operator new(sizeof(Piece) + size_bytes)) Piece;
  piece->size_bytes = size_bytes;
  piece->before = ring_in_use;
  piece->after = ring_in_use->after;
  ring_in_use->after->before = piece;
  ring_in_use->after = piece;
  return bytes_of_piece(piece);
}

void give_back_piece(void* bytes) {
  if (bytes == nullptr) return;
  unlink_piece(*piece_of(bytes));
  ::operator delete(piece_of(bytes));
}

/// The tokenizer asks for 4 KiB more each time: a long text would be copied again and again, in the square of its
/// length.
size_t grown_bytes(size_t has_bytes, size_t wanted_bytes) {
  constexpr size_t kLarge = size_t{64} << 10;
  return has_bytes < kLarge ? wanted_bytes : std::max(wanted_bytes, has_bytes + has_bytes / 2);
}

void* take_piece_again(void* bytes, size_t size_bytes) {
  if (bytes == nullptr) return take_piece(size_bytes);
  const size_t has_bytes = piece_of(bytes)->size_bytes;
  if (size_bytes <= has_bytes) return bytes;
  void* const larger = take_piece(grown_bytes(has_bytes, size_bytes));
  std::memcpy(larger, bytes, has_bytes);
  give_back_piece(bytes);
  return larger;
}

void* take_zeroed_piece(size_t count, size_t size_bytes) {
  if (size_bytes != 0 && count > std::numeric_limits<size_t>::max() / size_bytes) throw std::bad_alloc();
  return std::memset(take_piece(count * size_bytes), 0, count * size_bytes);
}

}  // namespace

HtmlMemory::HtmlMemory() {
  static const auto status = lexbor_memory_setup(&take_piece, &take_piece_again, &take_zeroed_piece, &give_back_piece);
  static_cast<void>(status);
}

void HtmlMemory::clear() noexcept {
  while (first_.after != &first_) give_back_piece(bytes_of_piece(first_.after));
}

HtmlMemory::Use::Use(HtmlMemory& memory) { ring_in_use = &memory.first_; }
HtmlMemory::Use::~Use() { ring_in_use = nullptr; }

}  // namespace neardup::text
