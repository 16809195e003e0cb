#include "neardup/sif/find_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>
#include <utility>

#include "neardup/base/disk/file_id.h"
#include "neardup/base/disk/folders.h"
#include "neardup/corpus/find/glob.h"
#include "neardup/sif/file_bytes.h"

namespace neardup::sif {
namespace {

int64_t nanoseconds(const timespec& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

std::string reason_of(int error) { return std::generic_category().message(error); }

// Walks without recursion: a tree may be deeper than the stack.
class TreeWalk {
 public:
  TreeWalk(const FileFilter& filter, const Context& context) : filter_(filter), context_(context) {}

  /// Leaves out what is at `path`, if anything is.
  void leave_out(const std::string& path) {
    if (const auto id = file_id(path)) left_out_.insert(*id);
  }
  void leave_out(const FileId& file) { left_out_.insert(file); }

  /// To find the file at `path`, if there is one, is an error.
  void refuse(const std::string& path) {
    if (const auto id = file_id(path); id && id->is_regular) refused_.insert(*id);
  }

  /// What comes from now on is a reference.
  void begin_references() { is_reference_ = true; }

  Status add_argument(const std::string& argument) {
    struct stat info = {};
    if (::stat(argument.c_str(), &info) != 0) return fail_errno("cannot find", argument, errno);
    if (S_ISREG(info.st_mode)) {
      NEARDUP_TRY(check_opens(argument));
      return add_file(argument, argument, info), Status{};
    }
    if (!S_ISDIR(info.st_mode))
      return fail(Code::kUnsupported, "'" + argument + "' is no file and no folder; give files or folders");
    return add_folder(argument);
  }
  Result<FoundFiles> take() {
    if (!error_.empty()) return fail(Code::kInvalidArgument, std::move(error_));
    return std::move(found_);
  }

 private:
  Status add_folder(const std::string& root) {
    const std::string top = root.ends_with('/') ? root : root + "/";
    const size_t first = found_.files.size();
    std::vector<std::string> folders = {""};
    while (!folders.empty()) {
      NEARDUP_TRY(context_.check_cancel());
      const std::string below = std::move(folders.back());
      folders.pop_back();
      std::vector<std::string> names;
      if (const int error = read_names(top + below, names); error != 0) {
        if (below.empty() || is_shortage(error))
          return fail_errno("cannot list folder", below.empty() ? root : top + below, error);
        found_.skipped.push_back({top + below, "a folder that cannot be listed: " + reason_of(error), true});
      }
      for (const std::string& name : names) look_at(top, below + name, name, folders);
    }
    std::sort(found_.files.begin() + static_cast<ptrdiff_t>(first), found_.files.end(),
              [](const FoundFile& a, const FoundFile& b) { return a.path < b.path; });
    return {};
  }

  void look_at(const std::string& top, const std::string& below, const std::string& name,
               std::vector<std::string>& folders) {
    if (name.starts_with('.') && !filter_.hidden) return;
    const std::string path = top + below;
    struct stat info = {};
    if (::lstat(path.c_str(), &info) != 0) {
      found_.skipped.push_back({path, reason_of(errno), true});
    } else if (left_out_.contains(file_id(info))) {
      found_.skipped.push_back({path, "what this run writes"});
    } else if (S_ISDIR(info.st_mode)) {
      if (!takes_any(filter_.exclude, below)) folders.push_back(below + "/");
    } else if (is_chosen(below)) {
      if (S_ISREG(info.st_mode)) return add_file(path, below, info);
      found_.skipped.push_back({path, S_ISLNK(info.st_mode) ? "a link" : "a pipe or a device"});
    }
  }

  void add_file(const std::string& path, const std::string& below, const struct stat& info) {
    const FileId id = file_id(info);
    if (refused_.contains(id) && error_.empty())
      error_ =
          fmt::format("'{}' is also an input, and would be replaced; name another file, or leave it out (--exclude {})",
                      path, below);
    if (!seen_.insert(id).second) {
      if (info.st_nlink > 1) found_.skipped.push_back({path, "another name (a hard link) of a file that is read"});
      return;
    }
    const FileStamp stamp{static_cast<uint64_t>(info.st_size), nanoseconds(info.st_mtim), nanoseconds(info.st_ctim),
                          info.st_ino};
    found_.files.push_back({path, stamp, is_reference_});
  }

  static bool matches_any(const std::vector<std::string>& patterns, const std::string& path) {
    return std::ranges::any_of(patterns, [&](const auto& pattern) { return corpus::matches_glob(pattern, path); });
  }
  static bool takes_any(const std::vector<std::string>& patterns, const std::string& folder) {
    return std::ranges::any_of(patterns, [&](const auto& pattern) { return corpus::takes_folder(pattern, folder); });
  }
  bool is_chosen(const std::string& path) const {
    return (filter_.include.empty() || matches_any(filter_.include, path)) && !matches_any(filter_.exclude, path);
  }

  const FileFilter& filter_;
  const Context& context_;
  FoundFiles found_;
  std::string error_;
  std::set<FileId> seen_, left_out_, refused_;
  bool is_reference_ = false;
};

}  // namespace

Result<FoundFiles> find_files(const SimilarOptions& options) {
  TreeWalk walk(options.filter, options.context);
  walk.leave_out(options.index_folder);
  for (const FileId& file : options.left_out) walk.leave_out(file);
  for (const std::string& path : options.outputs) walk.refuse(path);
  for (const std::string& argument : options.inputs) NEARDUP_TRY(walk.add_argument(argument));
  walk.begin_references();
  for (const std::string& argument : options.references) NEARDUP_TRY(walk.add_argument(argument));
  NEARDUP_ASSIGN(FoundFiles found, walk.take());
  std::sort(found.skipped.begin(), found.skipped.end(),
            [](const SkippedFile& a, const SkippedFile& b) { return a.path < b.path; });
  return found;
}

}  // namespace neardup::sif
