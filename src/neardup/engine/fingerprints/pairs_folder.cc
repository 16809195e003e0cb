#include "neardup/engine/fingerprints/pairs_folder.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folders.h"

namespace neardup::engine {
namespace {

constexpr const char* kLock = "/lock";
constexpr const char* kRun = "/run";
constexpr const char* kDone = "/done";  // what kRun becomes when the run is done and its files go

// The paths of what is in `folder`; `deep`: also in the folders in it.
Result<std::vector<std::string>> content_of(const std::string& folder, bool deep) {
  std::vector<std::string> paths, folders{folder};
  while (!folders.empty()) {
    const std::string at = folders.back();
    folders.pop_back();
    NEARDUP_ASSIGN(const auto names, list_folder(at));
    for (const std::string& name : names) {
      paths.push_back(at + "/" + name);
      const auto info = file_info(paths.back());
      if (deep && info && info->is_directory) folders.push_back(paths.back());
    }
  }
  return paths;
}

// Another run may remove the folder, being done, between its creation and the lock.
Result<FolderLock> create_and_lock(const std::string& path) {
  while (true) {
    NEARDUP_TRY(create_directories(path));
    auto lock = FolderLock::acquire(path + kLock, false);
    if (lock || lock.error().code != Code::kNotFound) return lock;
  }
}

}  // namespace

Result<PairsFolder> PairsFolder::open(const std::string& work, const std::string& run) {
  const std::string path = work + "/neardup-pairs";
  NEARDUP_ASSIGN(FolderLock lock, create_and_lock(path));
  PairsFolder folder(path, std::move(lock));
  NEARDUP_ASSIGN(const bool is_done, file_exists(path + kDone));
  if (is_done) NEARDUP_TRY(folder.clear());
  NEARDUP_TRY(folder.claim(run));
  NEARDUP_TRY(folder.remove_half_written());
  return folder;
}

Status PairsFolder::claim(const std::string& run) const {
  const std::string text = "neardup pairs 1\n" + run, claim_path = path_ + kRun;
  const auto found = read_file(claim_path, uint64_t{1} << 20);
  if (!found && found.error().code == Code::kNotFound) return write_file_atomically(claim_path, text);
  NEARDUP_TRY(found);
  if (*found == text) return {};
  return fail(Code::kMismatch, fmt::format("the work folder '{}' holds a stopped run of something else, found\n{}"
                                           "expected\n{}give the same files and flags as then, choose another folder, "
                                           "or remove this one to give that run up",
                                           path_, *found, text));
}

Status PairsFolder::remove_half_written() const {
  NEARDUP_ASSIGN(const auto paths, content_of(path_, true));
  for (const auto& path : paths) {
    if (path.find(".tmp", path_.size()) != std::string::npos) NEARDUP_TRY(remove_all(path));
  }
  return {};
}

// The sign that all may go is the last to go.
Status PairsFolder::clear() const {
  NEARDUP_ASSIGN(const auto paths, content_of(path_, false));
  for (const auto& path : paths) {
    if (path != path_ + kLock && path != path_ + kDone) NEARDUP_TRY(remove_all(path));
  }
  return remove_all(path_ + kDone);
}

// A run that is killed here must not be gone on with: some of its files are gone. The lock goes last: whoever gets the
// next one of its name finds nothing else here.
Status PairsFolder::remove() {
  NEARDUP_TRY(move_path(path_ + kRun, path_ + kDone));
  NEARDUP_TRY(sync_folder(path_));  // a loss of power must not take this back and leave some of the files
  NEARDUP_TRY(clear());
  NEARDUP_TRY(remove_all(path_ + kLock));
  remove_empty_folder(path_);  // not where another run has come
  return {};
}

}  // namespace neardup::engine
