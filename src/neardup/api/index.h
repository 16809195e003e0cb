// Index: a folder of fingerprints that is asked which stored texts lie near a new one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/api/recipe.h"

namespace neardup {

/// A stored document within reach.
struct Neighbour {
  std::string id = {};
  int distance = 0;  // bits that differ: the least of its fingerprints
};

/// Returns find_recipe("grams"): nothing is learnt, so that fingerprints of any two days can be compared.
[[nodiscard]] Recipe default_index_recipe();

struct IndexOptions {
  Recipe recipe = default_index_recipe();
  int max_distance = 3;       // bits, 0 to 16, for good; more find more edited texts, and cost more (docs/hamming.md)
  std::string idf_file = {};  // of recipes that weigh words by their rarity: the file that `neardup idf` made
};

/// Every stored document within max_distance bits is found, none is missed: the same folder as `neardup index` has.
/// One process writes, any number read. Nothing is verified: texts are not kept. Who wants verdicts takes a
/// Deduplicator.
/// One that was moved from holds nothing: all else but moving to it is kInvalidArgument.
/// Threads: add, erase and flush one at a time; query from any number beside them.
class Index {
 public:
  /// Makes an empty index in a folder that is empty or not there; it is there for others from the first flush() on.
  /// Errors: kInvalidArgument (the folder is not empty; the recipe is not set, is of MinHash alone or learns from its
  /// input and no idf_file is given), those of reading that file, kIo, kDiskFull.
  [[nodiscard]] static Result<Index> create(const std::string& folder, const IndexOptions& options = {});
  /// Opens an index for reading and writing, with the recipe that it was made with; where that weighs words by their
  /// rarity, `idf_file` is the file that it was made with. Errors: kNotFound, kIo (another one writes), kCorruption,
  /// kInvalidArgument (no idf_file where one is needed), kMismatch (another one than it was made with).
  [[nodiscard]] static Result<Index> open(const std::string& folder, const std::string& idf_file = {});
  Index(Index&&) noexcept;
  Index& operator=(Index&&) noexcept;
  ~Index();

  /// Adds a document, in the place of the one with this id, if any: a query beside it finds the one or the other.
  /// Returns whether there was one.
  [[nodiscard]] Result<bool> add(std::string_view id, std::string_view text);
  /// Returns the stored documents within max_distance of `text`, by distance, then in the order in which they were
  /// added; none for a text that is too short.
  [[nodiscard]] Result<std::vector<Neighbour>> query(std::string_view text) const;
  /// Erases the document of that id; returns whether there was one.
  [[nodiscard]] Result<bool> erase(std::string_view id);
  /// Makes all so far durable. What was not flushed is gone with the process. Errors: kIo, kDiskFull.
  [[nodiscard]] Status flush();
  /// Returns how many documents there are.
  [[nodiscard]] uint64_t size() const;

 private:
  struct Impl;
  explicit Index(std::unique_ptr<Impl> impl);
  [[nodiscard]] Status check_there() const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
