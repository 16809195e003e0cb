// What is typed behind `neardup index`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/cli/flags.h"
#include "neardup/cli/input_flags.h"
#include "neardup/engine/online/text_store.h"
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
  ProgressKind progress = ProgressKind::kAuto;

  // Of stores of texts.
  engine::TextStoreSettings settings;
  InputArguments input;
  corpus::DiscoverOptions discover;
  corpus::ReadOptions read;
  std::string tag;
  int limit = 10;
  bool repair = false;
};

/// Those of documents that are added or asked for: --text-key and the like, --tag, --limit.
void define_document_flags(Flags& flags, IndexArguments& arguments);
/// Returns those that say how documents are read.
[[nodiscard]] const std::vector<std::string>& document_flags();

}  // namespace neardup::cli
