// Bytes of Parquet from outside: reading them ends and takes bounded memory, and the rows that were read can be
// written, to a file whose rows are those again. Without the module every file is refused, which is looked at too.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "neardup/corpus/corpus.h"

namespace neardup::corpus {

/// A file that goes at the end of the program.
struct ParquetFuzzFile {
  ParquetFuzzFile() {
    const std::filesystem::path memory = "/dev/shm";
    const bool has_memory = ::access(memory.c_str(), W_OK) == 0;
    path = ((has_memory ? memory : std::filesystem::temp_directory_path()) / "neardup_parquet_XXXXXX").string();
    const int descriptor = ::mkstemp(path.data());
    if (descriptor < 0) std::abort();
    ::close(descriptor);
  }
  ~ParquetFuzzFile() { ::unlink(path.c_str()); }
  ParquetFuzzFile(const ParquetFuzzFile&) = delete;
  ParquetFuzzFile& operator=(const ParquetFuzzFile&) = delete;

  [[nodiscard]] std::vector<Input> inputs(const std::string& bytes) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    Input input;
    input.path = path;
    input.name = "a.parquet";
    input.format = Format::kParquet;
    input.size_bytes = bytes.size();
    return {input};
  }
  std::string path;
};

struct ParquetFound {
  std::vector<std::string> texts;
  uint64_t num_rejected = 0;
  std::string written;
  bool is_written = false;
};

/// What was read was checked.
inline void must_write(const Status& status) {
  if (status) return;
  std::fputs((status.error().message + "\n").c_str(), stderr);
  std::abort();
}

/// Reads the input, and writes every document of it.
inline ParquetFound read_parquet_input(const std::vector<Input>& inputs) {
  ReadOptions options;
  options.batch_bytes = 2000;
  options.max_record_bytes = 1 << 16;
  options.value_key = "value";
  options.within_key = "s.within";
  ParquetFound found;
  const WriteBytes write = [&](std::string_view bytes) -> Status {
    found.written += bytes;
    return {};
  };
  auto reader = *Reader::open(inputs, options);
  auto assembly = parquet_sink().assemble(inputs[0], false);
  found.is_written = assembly.has_value();
  for (Batch batch; *reader.next(batch);) {
    if (!reader.load(batch)) std::abort();
    std::vector<Chosen> all;
    for (const Document& document : batch.documents) {
      found.texts.emplace_back(document.text);
      all.push_back({&document, {}});
    }
    found.num_rejected += batch.rejections.size();
    std::string piece;
    parquet_sink().append(batch, all, false, piece);
    if (found.is_written) must_write((*assembly)->add(piece, write));
  }
  if (found.is_written) must_write((*assembly)->finish(write));
  return found;
}

inline int fuzz_parquet(const uint8_t* data, size_t size) {
  static const ParquetFuzzFile file, again;
  const ParquetFound found = read_parquet_input(file.inputs(std::string(reinterpret_cast<const char*>(data), size)));
  if (found.texts.empty()) return 0;
  const ParquetFound second = read_parquet_input(again.inputs(found.written));
  if (second.texts != found.texts || second.num_rejected != 0) std::abort();
  return 0;
}

}  // namespace neardup::corpus

using neardup::corpus::fuzz_parquet;
