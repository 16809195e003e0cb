// A file of ids: document number -> id for a range of documents, and id -> document number. The format:
// docs/formats/index.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/result.h"
#include "neardup/store/document_set.h"

namespace neardup::store {

/// What a piece is written from. ends[i] is the end in `ids` of the id of document first_document + i; that of one that
/// is not live is empty.
struct IdPieceContent {
  uint64_t first_document = 0;
  std::vector<uint64_t> ends;
  std::string ids;
  std::vector<bool> live;
  std::vector<uint64_t> erased;  // documents of other pieces
};

/// Returns the bytes of the file. Requires: fewer than 2^32 documents.
[[nodiscard]] std::string to_bytes(const IdPieceContent& content);

/// A file of ids that is mapped. Copies share it. Threads: any.
class IdPiece {
 public:
  /// Checks lengths; with `verify` all bytes, and that the ids are found by their hashes.
  /// Errors: kNotFound, kIo, kCorruption, naming the file and the cure.
  [[nodiscard]] static Result<IdPiece> open(const std::string& path, bool verify);
  [[nodiscard]] static Result<IdPiece> from_bytes(std::string_view bytes, std::string path, bool verify);

  [[nodiscard]] uint64_t first_document() const { return first_document_; }
  [[nodiscard]] uint64_t num_documents() const { return num_documents_; }
  [[nodiscard]] uint64_t num_live() const { return num_live_; }
  [[nodiscard]] uint64_t file_bytes() const { return bytes_.size(); }
  [[nodiscard]] uint64_t checksum() const;
  /// The id of a document of the piece; empty where it is not live. Valid as long as a copy of this object.
  [[nodiscard]] std::string_view id(uint64_t document) const;
  /// Returns the live document of that id that `erased` does not hold. Cost: about two cache misses.
  [[nodiscard]] std::optional<uint64_t> find(std::string_view id, uint64_t hash, const DocumentSet& erased) const;
  /// Documents of other pieces that were erased with this one, ascending.
  [[nodiscard]] std::vector<uint64_t> erased() const;
  /// Calls visit(document) for each live document, by the hash of its id.
  template <class Visit>
  void for_live(const Visit& visit) const {
    for (uint64_t i = 0; i < num_live_; ++i)
      if (order(i) < num_documents_) visit(first_document_ + order(i));
  }

 private:
  IdPiece() = default;
  Status read(std::string_view bytes, bool verify);
  Status check_content() const;
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view what) const;
  [[nodiscard]] uint64_t number(const char* array, uint64_t i) const;
  [[nodiscard]] uint64_t hash(uint64_t i) const { return number(hashes_, i); }
  [[nodiscard]] uint64_t end(uint64_t i) const { return number(ends_, i); }
  [[nodiscard]] uint32_t order(uint64_t i) const;
  [[nodiscard]] uint64_t first_of_hash(uint64_t hash) const;

  std::shared_ptr<const MappedFile> mapped_;
  std::string path_;
  std::string_view bytes_;
  uint64_t first_document_ = 0, num_documents_ = 0, num_live_ = 0, num_erased_ = 0;
  const char* hashes_ = nullptr;  // of the live ones' ids, ascending
  const char* erased_ = nullptr;
  const char* ends_ = nullptr;
  const char* order_ = nullptr;  // the document, less first_document, of each hash
  std::string_view ids_;
};

}  // namespace neardup::store
