// A part: what the read stage leaves behind for one shard (or for the whole run, which is part 0 of 1).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "neardup/base/base.h"
#include "neardup/engine/checked_file.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/rows.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/fingerprint/value.h"

namespace neardup::engine {

/// The files of a part: rows, prints (fingerprints of each document, side by side), signatures (likewise; one of the
/// two is empty), ids, tokens (32-bit), batches, rejected, groups (one JSON string a line, in order of first
/// appearance).
enum class PartFile { kRows, kFingerprints, kSignatures, kIds, kTokens, kBatches, kRejected, kGroups };
inline constexpr size_t kNumPartFiles = 8;
[[nodiscard]] std::string part_path(const std::string& folder, PartFile file);

/// What part.json says: how far the part's files are whole, and whether that is all of it.
struct Checkpoint {
  uint64_t of = 0;  // the run, and which part of it
  uint64_t num_batches = 0;
  uint64_t num_documents = 0;
  bool complete = false;
  std::array<FileMark, kNumPartFiles> marks;
};
/// Reads the text of part.json. Errors: kCorruption, naming `path`.
[[nodiscard]] Result<Checkpoint> checkpoint_from_json(std::string_view json, const std::string& path);
/// `run`: WorkFolder::RunMark::reading of the run that it must be of, where that is asked. Errors: kNotFound;
/// kCorruption, also where it is of another run or another part.
[[nodiscard]] Result<Checkpoint> load_checkpoint(const std::string& folder, std::optional<uint64_t> run = {});

/// What one batch adds to a part. Offsets in rows count from the start of this batch's ids and tokens; the writer moves
/// them to their place, and sets Row::group: groups[i] is the value of rows[i], empty where it has none.
struct PartBatch {
  BatchRow batch;
  std::vector<Row> rows;
  std::vector<fingerprint::Fingerprint> fingerprints;
  std::vector<fingerprint::SignatureValue> signatures;
  std::string ids;
  std::vector<uint32_t> tokens;
  std::string rejected;
  std::vector<std::string> groups;
  void clear();
  /// Returns what it takes in the part's files, but for groups.
  [[nodiscard]] uint64_t num_bytes() const;
  /// Appends a document without its fingerprints and signature: `row` says all but where its id and tokens lie.
  void add(Row row, std::string_view id, std::span<const uint32_t> document_tokens,
           std::span<const uint32_t> short_text);
};

/// Writes a part, batch by batch. Threads: one at a time.
class PartWriter {
 public:
  /// Begins anew, or goes on behind `checkpoint` after its files were checked. `run`: as of load_checkpoint().
  [[nodiscard]] static Result<PartWriter> open(const std::string& folder, const std::optional<Checkpoint>& checkpoint,
                                               const GroupLimit& limit = {}, uint64_t run = 0);

  /// Appends; changes the offsets in `batch`. Errors: kIo, kDiskFull; kMemory where the group values pass the limit.
  [[nodiscard]] Status append(PartBatch& batch);
  /// Makes what was appended so far survive the process: writes part.json. Does nothing after a failed append.
  [[nodiscard]] Status checkpoint(bool complete);
  [[nodiscard]] uint64_t num_batches() const { return state_.num_batches; }
  [[nodiscard]] uint64_t num_documents() const { return state_.num_documents; }

 private:
  PartWriter() = default;
  CheckedFile& file(PartFile which) { return files_[static_cast<size_t>(which)]; }
  Result<uint32_t> intern_group(const std::string& value);
  void place(PartBatch& batch) const;

  std::string folder_;
  Checkpoint state_;
  bool half_written_ = false;  // an append failed in the middle: the files no longer agree with each other
  uint64_t num_id_bytes_ = 0;
  uint64_t num_tokens_ = 0;
  std::vector<CheckedFile> files_;
  GroupLimit limit_;
  uint64_t group_bytes_ = 0;  // what groups_ takes here and where it is read back
  std::unordered_map<std::string, uint32_t> groups_;
};

/// Checks that the files of a complete part are as long as they should be. Errors: kCorruption, kNotFound, kIo.
[[nodiscard]] Status check_part_sizes(const std::string& folder, const Checkpoint& checkpoint);
/// Checks that, and all files against their checksums. Errors: kCorruption, kNotFound, kIo.
[[nodiscard]] Status check_part(const std::string& folder, const Checkpoint& checkpoint);

/// Reads groups.jsonl back: the group values of a part.
[[nodiscard]] Result<std::vector<std::string>> load_groups(const std::string& folder);

}  // namespace neardup::engine
