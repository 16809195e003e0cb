// What `neardup index` does: one function for each of its actions, which prints what came of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/cli/io.h"
#include "neardup/hamming/static_index.h"

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

[[nodiscard]] Status create_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status add_to_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status query_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status delete_from_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status show_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status check_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status compact_index(const IndexArguments& arguments, Io& io);

}  // namespace neardup::cli
