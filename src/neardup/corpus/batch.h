// What a Reader delivers: documents, and what could not become one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::corpus {

/// One document. Views live until the batch is prepared or loaded again, or destroyed.
struct Document {
  uint32_t input = 0;  // index in the inputs
  uint64_t line = 0;   // lines since the start of the batch, from 0, blank ones counted; text files: 0
  bool has_id = false;
  std::string_view
      id;  // JSONL: a non-empty string, unescaped, or an integer's digits. CSV: if not empty. Text files: their name
  std::string_view text;    // JSONL: unescaped. Lines: without a trailing \r. Text files: without a byte order mark
  std::string_view record;  // the input's bytes without the line end, and without a byte order mark at a file's start
  std::string_view value;   // raw JSON of value_key, empty where missing
  std::string_view group;   // of group_key: text of a string, else raw JSON, empty where missing
  std::string_view within;  // of within_key, likewise
  bool not_utf8 = false;    // more than 1 % of the record's bytes are not UTF-8: probably another encoding
};

/// What is lost with a Rejection that stands for more than one record: all from its line on.
struct Unread {
  uint64_t text_bytes = 0;    // of lines that are no records, their ends counted
  uint64_t packed_bytes = 0;  // of the compressed file, behind those that were read
  uint64_t num_lines = 0;     // that are begun in text_bytes; 0: nobody knows, all to the end of the input
  bool operator==(const Unread&) const = default;
};

/// A record that is not a document, and why.
struct Rejection {
  uint32_t input = 0;
  uint64_t line = 0;    // as in Document
  std::string reason;   // one word:
                        //   invalid_json   the line is not one whole JSON value
                        //   not_an_object  it is one, but no object
                        //   invalid_csv    a quote that does not end, or something behind one that does
                        //   invalid_warc   no record of WARC, or one with a wrong header or length
                        //   wrong_columns  the row has more or fewer than the header row
                        //   missing_text   the object, or header row, has no text field
                        //   not_a_string   it has, of another type
                        //   too_long       longer than max_record_bytes
                        //   truncated      the file ends too early: the rest of it, from this line on
                        //   corrupt        compressed data is damaged: the rest of the file, from this line on
                        //   unreadable     the system or the library refuses to read: the rest of the file
                        //   pre_failed     the program of --pre failed, or gave no text
                        //   unsupported    a file of a format that is not read, such as PDF
                        //   binary         a text file with NUL bytes, or UTF-16 or UTF-32 by its byte order mark
  std::string message;  // what was found, and where
  std::string excerpt;  // its first 200 bytes
  std::optional<Unread> unread = {};
};

struct BatchBuffers;  // the Reader's own: bytes, unescaped texts, parser; kept from load to load
struct BatchBuffersDelete {
  void operator()(BatchBuffers* buffers) const noexcept;
};

/// Consecutive records of one input (text files: of several inputs). Reuse one object for many batches: its memory is
/// kept. Moves, but does not copy.
struct Batch {
  uint64_t index = 0;        // 0, 1, 2, ... in the order of next()
  uint32_t first_input = 0;  // the input, or of text files the first of `num_inputs`
  uint32_t num_inputs = 1;
  bool begins_input = false;  // the first batch of its input (text files: always)
  uint64_t bytes = 0;         // consumed of the inputs' bytes on disk, for progress
  uint64_t data_bytes = 0;    // the same after decompression; 0 for a compressed text file, which load() decompresses
  uint64_t num_lines = 0;     // lines that start in this batch (text files: 0), known after load() or load_records()
  uint64_t checksum = 0;  // of the bytes that a program made (Input::pre), header row and all, known likewise; 0: of
                          // other inputs, and of text files, whose documents are the files
  std::vector<Document> documents;    // in order
  std::vector<Rejection> rejections;  // in order
  std::vector<Rejection> notes;  // what of an input is no document and no fault, at its end; its reason no_document
  std::unique_ptr<BatchBuffers, BatchBuffersDelete> buffers;
};

}  // namespace neardup::corpus
