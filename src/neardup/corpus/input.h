// Inputs: what is read, how, and under which name its kept documents are written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/corpus/compression.h"
#include "neardup/corpus/format.h"

namespace neardup::corpus {

class Rows;

/// One input file.
struct Input {
  std::string path;
  std::string name;  // relative, unique among the inputs, without "..": where its kept documents go below the output
                     // folder; no name is another one's folder
  Format format = Format::kText;
  Compression compression = Compression::kNone;
  uint64_t size_bytes = 0;  // on disk; bytes that are appended later are not read
  int64_t modified_ns = 0;
  bool named =
      false;  // given itself, not found in a folder or by a pattern: then a few NUL bytes do not make it binary
  bool is_wide = false;  // `fault` is that it has records in UTF-16 or UTF-32
  std::string fault;     // of an entry of a folder that cannot be read at all: why. Reading it gives one rejection
  std::string pre;       // where it is not empty: the program that is given the path, and whose output is read
  std::vector<std::string> left_out = {};  // of the first input: paths of files of the folders that are no data
  const Rows* rows = nullptr;              // of kRows: the documents, owned by the program
  bool operator==(const Input&) const = default;

  /// Returns whether its bytes come out of a program or a decompressor: in order alone, and nobody knows how many.
  [[nodiscard]] bool is_packed() const { return compression != Compression::kNone || !pre.empty(); }
};

}  // namespace neardup::corpus
