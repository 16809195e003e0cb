// Fingerprints of files, kept on disk from one run to the next.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folder_lock.h"
#include "neardup/sif/index_format.h"
#include "neardup/sif/options.h"

namespace neardup::sif {

/// The index in a folder, while one run uses it. What the run adds counts once commit() is through; until then, and
/// whenever a run ends before, the folder is what it was. Threads: const members and add() from many at once.
class IndexFolder {
 public:
  /// Opens the index in `folder`, or begins one where there is none: the folder is then made, or empty. Errors:
  /// kMismatch where the index is of other settings; kInvalidArgument where other files are in the folder; kCorruption;
  /// kIo, also where another process uses it; kDiskFull.
  [[nodiscard]] static Result<IndexFolder> open(const std::string& folder, const SimilarOptions& options);

  /// Returns the file as the last run found it; null where it did not.
  [[nodiscard]] const KnownFile* find(const std::string& absolute_path) const;

  /// Sets `out` to the fingerprints of a content, all fine ones too, and returns whether there were any. Errors: kIo;
  /// kCorruption, naming the file and the cure.
  [[nodiscard]] Result<bool> load(const ContentKey& content, FileFingerprints& out) const;

  /// Adds those of a content. Requires: load() has not found it. Errors: kDiskFull, kIo.
  [[nodiscard]] Status add(const ContentKey& content, const FileFingerprints& fingerprints);

  /// Writes what was added. `files`: those of this run, whose contents count from now on. Of others the index keeps
  /// those that are still there. The index is done afterwards. Errors: kDiskFull, kIo, kCorruption.
  [[nodiscard]] Status commit(std::vector<KnownFile> files);

 private:
  IndexFolder(std::string folder, FolderLock lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
  [[nodiscard]] Status read_catalogue(const std::string& settings);
  [[nodiscard]] Status append(const ContentKey& content, std::string_view record);
  [[nodiscard]] Result<std::string> read_record(const RecordPlace& place) const;
  [[nodiscard]] Status keep_records_of(const std::vector<KnownFile>& files);
  [[nodiscard]] Status gather_records();
  void remove_files_without_name();
  [[nodiscard]] std::string file_path(uint64_t number) const;

  std::string folder_;
  FolderLock lock_;
  Catalogue catalogue_;
  std::vector<std::pair<uint64_t, ReadFile>> data_;  // by number, those of catalogue_
  uint64_t next_number_ = 1;                         // of the file that is written
  std::optional<AtomicFile> added_file_;
  std::map<ContentKey, RecordPlace> added_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

/// Returns the path that an index knows a file by.
[[nodiscard]] std::string absolute_path_of(const std::string& path);

}  // namespace neardup::sif
