// The small files of an index folder (MANIFEST, lists of erased documents, tables of ids) from outside, as they are and
// with a checksum that fits.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/base/checked_bytes.h"
#include "neardup/base/hash.h"
#include "neardup/store/erased_file.h"
#include "neardup/store/id_piece.h"
#include "neardup/store/manifest.h"

inline void fuzz_id_piece(std::string_view bytes, bool verify) {
  using namespace neardup;
  const auto piece = store::IdPiece::from_bytes(bytes, "fuzz", verify);
  if (!piece) {
    if (piece.error().message.empty()) std::abort();
    return;
  }
  uint64_t live = 0;
  piece->for_live([&](uint64_t document) {
    ++live;
    const std::string_view id = piece->id(document);
    const auto found = piece->find(id, neardup::hash64(id), {});
    // Two documents may have one id only where the writer's rules were broken.
    if (verify && (!found || piece->id(*found) != id)) std::abort();
  });
  if (verify && live != piece->num_live()) std::abort();
  static_cast<void>(piece->find("some id", neardup::hash64("some id"), store::DocumentSet(piece->erased())));
}

inline void fuzz_index_folder_bytes(std::string_view bytes) {
  using namespace neardup;
  if (const auto manifest = store::parse_manifest(bytes, "fuzz"); manifest && store::to_bytes(*manifest) != bytes)
    std::abort();
  if (const auto erased = store::parse_erased_file(bytes, "fuzz"))
    for (const uint64_t document : erased->documents.sorted())
      if (!erased->documents.contains(document)) std::abort();
  fuzz_id_piece(bytes, true);
  fuzz_id_piece(bytes, false);
}

inline int fuzz_index_folder(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  fuzz_index_folder_bytes(bytes);
  if (bytes.size() < neardup::kFrameFooterBytes) return 0;
  bytes.resize(bytes.size() - neardup::kFrameFooterBytes);
  neardup::end_frame(bytes);
  fuzz_index_folder_bytes(bytes);
  return 0;
}
