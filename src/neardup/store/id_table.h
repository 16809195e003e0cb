// The ids of an index: every document has a number that is never given twice, and an id that names one document.
//
// Ids stand in pieces (files) that do not change; newer ones in memory until write() makes a piece of them. An erased
// document's number stays unused; its id may be added again, under another number.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "neardup/store/id_piece.h"
#include "neardup/store/manifest.h"

namespace neardup::store {

/// Threads: any number of readers (id, find, figures), one writer at a time.
class IdTable {
 public:
  /// `pieces` by document, without a gap, from document 0 on.
  explicit IdTable(std::vector<IdPieceFile> files, std::vector<IdPiece> pieces);

  /// Gives the next number to `id`, which `before` had until now: a document that is live; nothing where find(id) is
  /// nothing. Where memory is refused (it throws then) all is as before, here and below.
  uint64_t add(std::string_view id, std::optional<uint64_t> before = {});
  /// Takes the id off its document. Requires: it is live.
  void erase(uint64_t document);
  /// Takes back add() and erase(), if it was the last change. Never throws.
  void take_back_add(std::optional<uint64_t> before) noexcept;
  void take_back_erase(uint64_t document) noexcept;

  /// Returns the live document of that id.
  [[nodiscard]] std::optional<uint64_t> find(std::string_view id) const;
  /// Returns the id of a document that was live when the files were opened or since; empty where it never was.
  [[nodiscard]] std::string id(uint64_t document) const;
  /// Returns how often ids of erased documents were forgotten: while it stays, id() knows whatever it knew.
  [[nodiscard]] uint64_t times_forgotten() const;
  [[nodiscard]] uint64_t next_document() const;
  [[nodiscard]] uint64_t num_live() const;
  [[nodiscard]] uint64_t file_bytes() const;
  /// Returns for each number given whether its document is live.
  [[nodiscard]] std::vector<bool> live() const;
  /// Whether something is not in a file yet.
  [[nodiscard]] bool changed() const;

  /// Returns the path of the file of that number, and whether to open it with all checks.
  using PathOf = std::function<std::string(uint64_t number)>;
  /// Writes what is new as a piece, together with the newest pieces that are no greater (so that there are few), and
  /// returns the files that are now the table. Files that are no longer part of it stay. Takes numbers from
  /// `next_file`. Threads: the writer; readers do not wait for the disk. Errors: kIo, kDiskFull.
  [[nodiscard]] Result<std::vector<IdPieceFile>> write(uint64_t& next_file, const PathOf& path_of);

 private:
  [[nodiscard]] std::optional<uint64_t> find_new(std::string_view id, uint64_t hash) const;
  [[nodiscard]] std::string_view view_of(uint64_t document) const;
  [[nodiscard]] bool is_erased(uint64_t document) const {
    return erased_.contains(document) || newly_.contains(document);
  }
  void make_room_for_one(std::string_view id);
  [[nodiscard]] size_t free_slot(uint64_t hash) const;
  void grow_slots();
  [[nodiscard]] IdPieceContent gather(size_t first_piece) const;
  [[nodiscard]] size_t first_to_merge() const;
  void exchange(std::vector<IdPiece> pieces, std::vector<IdPieceFile> files);

  mutable std::shared_mutex mutex_;
  std::vector<IdPieceFile> files_;      // of pieces_, one by one
  std::vector<IdPiece> pieces_;         // by document, without gaps
  DocumentSet erased_;                  // by the lists of the pieces
  std::unordered_set<uint64_t> newly_;  // since; of any document
  uint64_t num_live_ = 0;
  uint64_t times_forgotten_ = 0;

  // Documents first_new_ + i, which are in no piece yet.
  uint64_t first_new_ = 0;
  std::string new_ids_;               // one behind the other
  std::vector<uint64_t> new_ends_;    // of each in new_ids_
  std::vector<uint64_t> new_hashes_;  // so that growing the slots hashes nothing again
  std::vector<uint32_t> slots_;       // open addressing by hash; i + 1, 0 = free
};

}  // namespace neardup::store
