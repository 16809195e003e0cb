// The table of formats that are read: what each is called, how its files are told, who reads and who writes it.
// A format is one file FORMAT_format.cc, its row in formats.cc, and a page in docs/.
#pragma once

#include <span>
#include <string_view>

#include "neardup/corpus/find/file_signs.h"
#include "neardup/corpus/format.h"
#include "neardup/corpus/sink.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {

struct FormatRow {
  Format format;
  std::string_view name;  // of --format; empty: no file has it
  std::string_view says;  // "CSV", for messages
  FileSigns signs;
  bool has_fields;             // records are made of named fields, for --text-key and the like
  std::string_view extension;  // of files of this format that come without a name
  const Source& (*source)();
  const Sink& (*sink)();
};

/// Returns the formats in the order of Format.
[[nodiscard]] std::span<const FormatRow> formats();
[[nodiscard]] const FormatRow& row_of(Format format);
[[nodiscard]] inline const Source& source_of(Format format) { return row_of(format).source(); }
[[nodiscard]] inline const Sink& sink_of(Format format) { return row_of(format).sink(); }

}  // namespace neardup::corpus
