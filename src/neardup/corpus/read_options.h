// What a Reader looks for in records, and how much it takes at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/base/context.h"
#include "neardup/corpus/formats/csv_dialect.h"
#include "neardup/corpus/record_memory.h"

namespace neardup::corpus {

/// No record is longer: offsets in a line of JSON have 32 bits.
inline constexpr uint64_t kMostRecordBytes = uint64_t{1} << 30;

struct ReadOptions {
  // JSONL: names of fields; CSV and TSV: of columns. Of several with one name the first counts. "a.b" names a nested
  // field of JSONL where no field of that very name exists.
  std::string text_key = "text";         // or several fields, and lists: text_path.h
  std::string id_key = "id";             // a string or an integer; another type or "" is as good as missing
  std::string value_key = {};            // one more field to hand over as its raw JSON; empty = none
  std::string group_key = {};            // likewise, for counts per field
  std::string within_key = {};           // likewise, for comparing within equal values
  uint64_t batch_bytes = 1 << 20;        // of input (after decompression) in one batch; at least 1
  uint64_t max_record_bytes = 64 << 20;  // a longer line or text file is rejected, not loaded; at most kMostRecordBytes
  uint64_t window_bytes = 128 << 20;     // what a Zstandard file may ask for; one that asks for more is unreadable
  bool any_encoding = false;             // text files in UTF-16 are read too, and none is said to be hardly UTF-8
  bool any_bytes = false;                // text files are read whatever they hold
  CsvDialect table = {};                 // what is said of how CSV and TSV are written
  // Makes UTF-8 of `bytes` that their source says are in the encoding `charset`, such as a Content-Type header: for
  // formats that have it. Null: they stay as they are. Threads: any.
  std::string (*to_utf8)(std::string_view bytes, std::string_view charset) = nullptr;
  std::string too_long_cure = {};  // what to do about such a record: the end of its message, after "; "
  // Where given, a batch that grows by one long record waits for a permit of all of it; it holds the permit until
  // drop_documents() or the next use of the batch. Nobody may wait for such a batch and load another meanwhile.
  std::shared_ptr<RecordMemory> record_memory = {};
  Context context = {};  // of it the wish to stop is heard, also while a program (Input::pre) says nothing: kCancelled
};

}  // namespace neardup::corpus
