// Where fingerprints of documents are written: text lines or a binary file, under a name or into a stream.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/fingerprint/file.h"

namespace neardup::fingerprint {

/// The forms of a file of fingerprints: text_line.h, and file.h.
enum class FileForm { kTsv, kJsonl, kBin };

/// Takes documents in order. Threads: one at a time.
class RecordWriter {
 public:
  virtual ~RecordWriter() = default;
  [[nodiscard]] virtual Status add(const Record& document) = 0;
  /// Hands over what was added so far. Errors: kIo, kDiskFull, those of the stream.
  [[nodiscard]] virtual Status flush() = 0;
  /// Makes the file appear under its name.
  [[nodiscard]] virtual Status commit() = 0;
};

/// Takes the bytes of a stream in order. An Error ends the writing.
using ByteStream = std::function<Status(std::string_view bytes)>;

/// Returns a writer to the file `path`, or to `stream` where `path` is empty; that gets text at each flush(), and the
/// binary form at commit(), when all of it is there. `header` says what made the records: of a text its recipe id is
/// written, and JSON lines hold signatures where it has any. Errors: kIo, kDiskFull; those of FileWriter::create().
[[nodiscard]] Result<std::unique_ptr<RecordWriter>> open_record_writer(FileForm form, const std::string& path,
                                                                       const FileHeader& header, ByteStream stream);

}  // namespace neardup::fingerprint
