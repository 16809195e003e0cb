// Files of fingerprints or signatures: who the documents are and what stands for them. The format:
// docs/formats/fingerprints.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/hash.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/fingerprint/value.h"

namespace neardup::fingerprint {

/// What made the fingerprints of a file. Two files can be compared where their recipe ids are equal.
struct FileHeader {
  std::string recipe_id;
  std::string recipe_json;   // canonical form; for people and for making more
  uint32_t num_columns = 0;  // fingerprints of each document that has any; 0 in files of signatures
  uint32_t num_values = 0;   // values of each document's signature; 0 in files of fingerprints
  bool operator==(const FileHeader&) const = default;
};

/// One document. As given to a writer the views need to live for the call, as given by a reader until its next block.
struct Record {
  std::string_view id;
  std::span<const Fingerprint> fingerprints;  // num_columns of them, or none: a document without features
  Hash128 checksum;                           // of its normalised text
  uint64_t size_bytes = 0;                    // of that text
  uint64_t num_tokens = 0;
  std::span<const SignatureValue> signature = {};  // num_values of them, or none: a document without features
};

/// Writes a file from start to end; it appears at commit(). Memory: one block, about a megabyte. Threads: one.
class FileWriter {
 public:
  /// Errors: kIo, kDiskFull; kInvalidArgument where the file has neither 1..kMaxColumns columns and no values, nor
  /// signatures of a size that there is and no columns.
  [[nodiscard]] static Result<FileWriter> create(const std::string& path, const FileHeader& header);
  /// The same into memory: take_bytes() gives it after commit().
  [[nodiscard]] static Result<FileWriter> in_memory(const FileHeader& header);
  /// Errors: kIo, kDiskFull, kInvalidArgument where the fingerprints are neither 0 nor num_columns, or the
  /// signature has neither 0 nor num_values values.
  [[nodiscard]] Status add(const Record& record);
  [[nodiscard]] Status commit();
  [[nodiscard]] std::string take_bytes() { return std::move(memory_); }
  [[nodiscard]] uint64_t num_records() const { return num_records_; }

 private:
  explicit FileWriter(const FileHeader& header);
  Status begin(const FileHeader& header);
  Status write_block();
  Status write(std::string_view bytes);

  std::optional<AtomicFile> file_;  // none: into memory_
  std::string memory_;
  uint32_t num_columns_, num_values_;
  uint64_t num_records_ = 0;
  uint64_t chain_ = 0;
  uint32_t block_records_ = 0;
  std::string fixed_, value_bytes_, ids_;  // the parts of the block that is being filled
};

/// Reads a file block by block. Nothing is trusted before its length and checksum are. Threads: one.
class FileReader {
 public:
  /// Maps `path` and checks its start and its end. Errors: kNotFound, kIo, kCorruption.
  [[nodiscard]] static Result<FileReader> open(const std::string& path);
  /// The same over bytes in memory, which must outlive the reader. `name` is for messages.
  [[nodiscard]] static Result<FileReader> from_bytes(std::string_view bytes, std::string name);

  [[nodiscard]] const FileHeader& header() const { return header_; }
  [[nodiscard]] uint64_t num_records() const { return num_records_; }
  /// Returns the next records in file order; none at the end. Valid until the next call.
  /// Errors: kCorruption naming the block.
  [[nodiscard]] Result<std::span<const Record>> next();

 private:
  explicit FileReader(std::string name) : name_(std::move(name)) {}
  Status read_frame(std::string_view bytes);
  Status read_header(std::string_view bytes);
  Status read_block(std::string_view payload, uint32_t count);
  void give_values(std::string_view value_bytes, const std::vector<bool>& has_values);
  Status check_end() const;
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view what) const;

  std::string name_;
  MappedFile mapped_;
  FileHeader header_;
  std::string_view blocks_;  // what is left between header and footer
  uint64_t num_records_ = 0;
  uint64_t records_read_ = 0;
  uint64_t blocks_read_ = 0;
  uint64_t chain_ = 0;
  uint64_t chain_expected_ = 0;
  std::vector<Fingerprint> values_;
  std::vector<SignatureValue> signatures_;
  std::vector<Record> records_;
};

inline constexpr uint32_t kMaxColumns = 64;

/// Returns whether a file may have these columns and values: fingerprints alone or signatures alone.
[[nodiscard]] bool is_file_shape(uint32_t num_columns, uint32_t num_values);

/// Returns whether a file that begins with `first_bytes` (8 suffice) is meant to be one of ours.
[[nodiscard]] bool is_fingerprint_file(std::string_view first_bytes);

}  // namespace neardup::fingerprint
