// Sink: how the records of one format are written again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/corpus/batch.h"
#include "neardup/corpus/input.h"

namespace neardup::corpus {

/// What is noted of a document beside it.
struct Note {
  std::optional<std::string> duplicate_of;  // the id of the document that stays in its place; none where it stays
  std::optional<uint32_t> cluster;
};

/// A record that is written, as it came or with a note.
struct Chosen {
  const Document* record = nullptr;
  std::optional<Note> note = {};
};

/// Writes bytes behind those of the file that were written before.
using WriteBytes = std::function<Status(std::string_view bytes)>;

/// Makes a file of the pieces of one input, where these are not it one after the other. Threads: one at a time.
class Assembly {
 public:
  virtual ~Assembly() = default;
  /// Takes the next of the pieces that append() gave. Errors: those of `write`, and of reading the input.
  virtual Status add(std::string_view piece, const WriteBytes& write) = 0;
  /// Comes behind the last piece; there may have been none. Errors: as add().
  virtual Status finish(const WriteBytes& write) = 0;
};

/// One object a format, without a state. Threads: any.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Appends to `out` the bytes that stand for `records`, all of one input of `batch`, in the file that is written
  /// again; those of the input's batches one after the other are that file. With the first batch comes what stands
  /// before all records, such as a header row; it may have no record. `annotates`: every record has a note.
  virtual void append(const Batch& batch, std::span<const Chosen> records, bool annotates, std::string& out) const = 0;
  /// Returns whether notes can be written.
  [[nodiscard]] virtual bool takes_notes() const { return false; }
  /// Returns whether append() gives bytes that are compressed as their input is: where records are compressed one by
  /// one. Else who writes them compresses what it gives as one piece.
  [[nodiscard]] virtual bool compresses() const { return false; }
  /// Returns what makes the file of `input` from the pieces that append() gives; null where they are it, one after the
  /// other. Errors: those of opening the input.
  [[nodiscard]] virtual Result<std::unique_ptr<Assembly>> assemble(const Input& input, bool annotates) const;
  /// Returns whether a document is a file, of which nothing is written where it goes.
  [[nodiscard]] virtual bool is_whole_file() const { return false; }
};

/// The one object of each format.
[[nodiscard]] const Sink& jsonl_sink();
[[nodiscard]] const Sink& lines_sink();
[[nodiscard]] const Sink& text_sink();
[[nodiscard]] const Sink& csv_sink();
[[nodiscard]] const Sink& tsv_sink();
[[nodiscard]] const Sink& warc_sink();
[[nodiscard]] const Sink& parquet_sink();

}  // namespace neardup::corpus
