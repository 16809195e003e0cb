// An index in a folder: fingerprints of documents with ids, added, erased and asked; whole after every end of a
// process.
//
// Files of content never change; MANIFEST names those that count and is exchanged as a whole, at flush(). What was not
// flushed is gone with the process, all of it. One process writes, any number read. The files: docs/formats/index.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/store/manifest.h"
#include "neardup/store/updatable_index.h"

namespace neardup::store {

struct DirectoryOptions {
  hamming::Access access = hamming::Access::kMap;
  bool verify = true;         // checks every byte that is opened, against checksums
  int num_threads = 1;        // of one build in the background
  uint64_t memory_bytes = 0;  // of one build
  uint32_t mem_capacity = 1 << 18;
  Context context;  // to stop: opening, check() and what changes then fail with kCancelled; the last flush stays
};

/// A document within reach: the least distance of its fingerprints to those of the query in the same column.
struct Neighbour {
  uint64_t document = 0;
  int distance = 0;
  bool operator==(const Neighbour&) const = default;
};

/// The same by its id.
struct NamedNeighbour {
  std::string id;
  int distance = 0;
  bool operator==(const NamedNeighbour&) const = default;
};

/// How much there is.
struct DirectoryFigures {
  uint64_t documents = 0;      // not erased
  uint64_t next_document = 0;  // so many numbers were given
  uint64_t id_bytes = 0;       // of their files
  UpdateFigures index;
};

/// Threads: one for all that changes; queries and ids from any number beside it.
template <fingerprint::AnyFingerprint F>
class IndexDirectory {
 public:
  /// Makes an empty index in a folder that is empty or not there, and opens it for writing. It is there, for others
  /// too, from the first flush() on; without one nothing is left. Errors: kInvalidArgument (the folder is not empty, a
  /// plan that is not complete), kIo, kDiskFull.
  [[nodiscard]] static Result<IndexDirectory> create(const std::string& path, IndexSettings settings,
                                                     const DirectoryOptions& options = {});
  /// Opens for reading: the state of the last flush.
  /// Errors: kNotFound, kIo, kCorruption, kMismatch (of another width); the message says which file and the cure.
  [[nodiscard]] static Result<IndexDirectory> open_to_read(const std::string& path,
                                                           const DirectoryOptions& options = {});
  /// Opens for writing, alone, and removes what killed processes left. Errors: as above; kIo where another one writes.
  [[nodiscard]] static Result<IndexDirectory> open_to_write(const std::string& path,
                                                            const DirectoryOptions& options = {});
  IndexDirectory(IndexDirectory&&) noexcept;
  IndexDirectory& operator=(IndexDirectory&&) noexcept;
  ~IndexDirectory();

  [[nodiscard]] const IndexSettings& settings() const;
  /// Says what made the fingerprints to come; an empty id is not known. The first that is known stays. Errors:
  /// kMismatch (another recipe, a known one where documents of unknown ones are, or another number of fingerprints for
  /// each document).
  [[nodiscard]] Status join_recipe(const std::string& recipe_id, const std::string& recipe_json, uint32_t num_columns);

  /// Adds a document, in the place of the one that has this id, if any: queries beside it find the one or the other,
  /// never both or none. Returns whether there was one. `fingerprints`
  /// has one for each column, or none (a document without features, which nothing finds). Nothing changes where they
  /// are the same as before; the first known id without fingerprints costs a look at all entries. Errors:
  /// kInvalidArgument (their number), those of UpdatableIndex::insert. Requires: opened for writing.
  [[nodiscard]] Result<bool> put(std::string_view id, std::span<const F> fingerprints);
  /// Erases the document of that id; returns whether there was one. Requires: opened for writing.
  [[nodiscard]] Result<bool> erase(std::string_view id);
  /// Makes all so far durable, and visible to those who open the folder from now on. Errors: kIo, kDiskFull, kMemory.
  [[nodiscard]] Status flush();
  /// The same, after all merges that are due.
  [[nodiscard]] Status settle();
  /// The same, after making one segment of all: the smallest and fastest form.
  [[nodiscard]] Status compact();

  /// Receives the neighbours of query i, by distance, then document.
  using Sink = std::function<void(size_t i, std::span<const Neighbour> neighbours)>;
  /// Finds the documents within max_distance (<= the settings') of each query; `queries` holds num_columns fingerprints
  /// for each, side by side. Calls `sink` once for each query that has any, in order.
  void query(std::span<const F> queries, int max_distance, const Sink& sink) const;
  /// The same of one query, with the ids that the documents had at that moment, also where documents are erased and
  /// flushed meanwhile.
  [[nodiscard]] std::vector<NamedNeighbour> neighbours(std::span<const F> query, int max_distance) const;
  /// Returns the id of a document that a query gave; it is forgotten with the flush that follows its erasure.
  [[nodiscard]] std::string id(uint64_t document) const;
  [[nodiscard]] DirectoryFigures figures() const;
  /// Returns the segments at this moment, oldest first.
  [[nodiscard]] std::vector<Segment<F>> segments() const;
  /// Checks what the files say about each other: every fingerprint is of a live document. (Opening with `verify` has
  /// checked each of them.) Requires: nothing changed since the last flush. Errors: kCorruption.
  [[nodiscard]] Status check() const;
  /// Returns the state of the last flush (or opening), with the names of its files.
  [[nodiscard]] const Manifest& manifest() const;

 private:
  struct Impl;
  explicit IndexDirectory(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Returns the name of the manifest's files in a folder.
[[nodiscard]] std::string segment_path(const std::string& folder, uint64_t number);
[[nodiscard]] std::string erased_path(const std::string& folder, uint64_t number);
[[nodiscard]] std::string ids_path(const std::string& folder, uint64_t number);

/// Reads the manifest of a folder. Errors: kNotFound (with the cure), kIo, kCorruption.
[[nodiscard]] Result<Manifest> read_manifest(const std::string& folder);

}  // namespace neardup::store
