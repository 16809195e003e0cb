// What is done to an index of fingerprints in a folder: values in, values out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/fingerprint/file.h"
#include "neardup/recipe/spec.h"
#include "neardup/store/index_directory.h"

namespace neardup::engine {

using FingerprintIndex = store::IndexDirectory<fingerprint::Fingerprint>;

/// Returns how to open an index: `memory_bytes` for building a segment (0: no limit), threads (0: all cores), until
/// `context` is cancelled.
[[nodiscard]] store::DirectoryOptions index_options(int num_threads, uint64_t memory_bytes, const Context& context);

struct IndexAddition {
  uint64_t documents = 0;  // added
  uint64_t replaced = 0;   // of them, in the place of others of their id
  uint64_t held = 0;       // documents of the index afterwards
};

/// Makes an index in `folder`, with the documents of `files` (as read_fingerprints() takes them). Errors: kNotFound
/// where one of them is not there, before anything is made; those of the index and of reading; kMismatch naming the
/// file whose recipe or number of fingerprints is another one.
[[nodiscard]] Result<IndexAddition> create_index(const std::string& folder, const store::IndexSettings& settings,
                                                 const std::vector<std::string>& files,
                                                 const store::DirectoryOptions& options);
/// Adds the documents of `files` to the index in `folder`. Errors: as above.
[[nodiscard]] Result<IndexAddition> add_to_index(const std::string& folder, const std::vector<std::string>& files,
                                                 const store::DirectoryOptions& options);

struct IndexDeletion {
  uint64_t deleted = 0;
  std::vector<std::string> missing;  // ids that no document has, in the order given
  uint64_t held = 0;
};

/// Deletes the documents with these ids. Errors: those of the index; kCancelled.
[[nodiscard]] Result<IndexDeletion> delete_from_index(const std::string& folder, const std::vector<std::string>& ids,
                                                      const store::DirectoryOptions& options);
/// Returns the ids of a file: one a line, written as in the first column of the files that are added. Errors:
/// kNotFound, kIo.
[[nodiscard]] Result<std::vector<std::string>> read_ids(const std::string& path);

struct IndexSize {
  uint64_t documents = 0;
  uint64_t bytes = 0;      // of all files in the folder
  uint64_t num_files = 0;  // that the index is made of
};

/// Returns the size of the files in a folder that holds `documents`.
[[nodiscard]] IndexSize size_of_files(const std::string& folder, uint64_t documents);

/// Reads every byte of the index. Errors: kCorruption naming what is wrong; those of opening.
[[nodiscard]] Result<IndexSize> check_index(const std::string& folder, const store::DirectoryOptions& options);

struct IndexCompaction {
  uint64_t documents = 0;
  uint64_t bytes_before = 0, bytes_after = 0;
};

/// Makes the smallest and fastest form of the index. Errors: those of the index.
[[nodiscard]] Result<IndexCompaction> compact_index(const std::string& folder, const store::DirectoryOptions& options);

/// The figures of an index and of its files.
struct IndexFacts {
  store::DirectoryFigures figures;
  store::IndexSettings settings;
  uint64_t commits = 0;
  uint64_t segment_bytes = 0;
  std::string plan;  // of the largest segment; empty where there is none

  [[nodiscard]] double bytes_per_fingerprint() const;
};

/// Errors: those of opening; what the files hold is not checked.
[[nodiscard]] Result<IndexFacts> index_facts(const std::string& folder, store::DirectoryOptions options);

/// Returns the recipe that made the fingerprints of an index. Errors: kMismatch where it does not say which that is.
[[nodiscard]] Result<recipe::Recipe> recipe_of(const store::IndexSettings& settings);

/// Tells `index` what `header` says (where the file is text, a recipe's id at most) and how many fingerprints each of
/// `records` has. Errors: kMismatch, naming `path`.
[[nodiscard]] Status join_file(FingerprintIndex& index, const std::string& path, const fingerprint::FileHeader& header,
                               std::span<const fingerprint::Record> records);

}  // namespace neardup::engine
