// The folder DIR/neardup-pairs that `neardup pairs --work DIR` keeps until it is done.
#pragma once

#include <string>

#include "neardup/base/disk/folder_lock.h"

namespace neardup::engine {

/// Locked while it lives, and claimed by one run: files, distance.
class PairsFolder {
 public:
  /// Creates the folder in `work` if it is not there, locks it and claims it for `run`, lines that say what is joined.
  /// Nothing in it is touched before. What a killed run left half written, or was about to remove, is removed.
  /// Errors: kIo where another process works in it; kMismatch where it holds a stopped run of something else.
  [[nodiscard]] static Result<PairsFolder> open(const std::string& work, const std::string& run);

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Removes the folder with all that is in it: the run is done. The last call.
  [[nodiscard]] Status remove();

 private:
  PairsFolder(std::string path, FolderLock lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  [[nodiscard]] Status claim(const std::string& run) const;
  [[nodiscard]] Status remove_half_written() const;
  [[nodiscard]] Status clear() const;

  std::string path_;
  FolderLock lock_;
};

}  // namespace neardup::engine
