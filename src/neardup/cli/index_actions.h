// What `neardup index` does: one function for each of its actions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/cli/io.h"
#include "neardup/fingerprint/file.h"
#include "neardup/store/index_directory.h"

namespace neardup::cli {

enum class IndexFormat { kTsv, kJsonl };

struct IndexArguments {
  std::string folder;
  std::vector<std::string> rest;  // files, or ids
  int max_distance = -1;          // -1 = not given
  hamming::Codec codec = hamming::Codec::kPacked;
  std::string plan;
  std::string ids_file;
  IndexFormat format = IndexFormat::kTsv;
  std::string output;
  bool json = false;
  int num_threads = 0;
  uint64_t memory_bytes = 0;
};

using Index = store::IndexDirectory<fingerprint::Fingerprint>;

[[nodiscard]] Status create_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status add_to_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status query_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status delete_from_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status show_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status check_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status compact_index(const IndexArguments& arguments, Io& io);

/// Returns how to open an index with these arguments, until io.cancel.
[[nodiscard]] store::DirectoryOptions directory_options(const IndexArguments& arguments, const Io& io);
/// Tells `index` what `header` says (where the file is text, a recipe's id at most) and how many fingerprints each of
/// `records` has.
/// Errors: kMismatch, naming `path`.
[[nodiscard]] Status join_file(Index& index, const std::string& path, const fingerprint::FileHeader& header,
                               std::span<const fingerprint::Record> records);

}  // namespace neardup::cli
