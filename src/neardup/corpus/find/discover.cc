#include "neardup/corpus/find/discover.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folders.h"
#include "neardup/corpus/find/data_folders.h"
#include "neardup/corpus/find/detect.h"
#include "neardup/corpus/find/glob.h"
#include "neardup/corpus/find/names.h"
#include "neardup/corpus/formats.h"
#include "neardup/corpus/source_file.h"

namespace neardup::corpus {
namespace {

namespace fs = std::filesystem;

using FileId = std::pair<dev_t, ino_t>;
using FolderIds = std::set<FileId>;

bool is_hidden(const std::string& name) { return name.starts_with('.'); }

/// What lies in a folder: the path below it, and why it cannot be read where that is known already.
struct Entry {
  std::string path;
  std::string fault;
  bool may_be_folder = false;  // one that cannot be listed
};

/// All regular files below a folder, and what cannot be looked into. Each folder is entered once, so that links that
/// lead back end.
class Walk {
 public:
  /// Adds what lies in `folder`. Returns 0, or the errno for which this folder alone cannot be listed. Errors: kIo.
  Result<int> enter(const fs::path& folder, const std::string& prefix) {
    struct stat info = {};
    if (::stat(folder.c_str(), &info) != 0) return check(folder, errno);
    if (!seen_.insert({info.st_dev, info.st_ino}).second) return 0;
    std::vector<std::string> names;
    if (const int error = read_names(folder.string(), names); error != 0) return check(folder, error);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (!is_hidden(name)) NEARDUP_TRY(visit(folder / name, prefix + name));
    }
    return 0;
  }
  std::vector<Entry> take() { return std::move(entries_); }

 private:
  static Result<int> check(const fs::path& path, int error) {
    if (error == ENOENT || error == ENOTDIR || concerns_one_file(error)) return error;
    return fail_errno("cannot look into", path.string(), error);
  }

  Status visit(const fs::path& path, const std::string& relative) {
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0) {
      NEARDUP_ASSIGN(const int error, check(path, errno));
      const bool is_link = ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
      const std::string reason = std::generic_category().message(error);
      entries_.push_back({relative, (is_link ? "a link that cannot be followed: " : "") + reason, !is_link});
    } else if (S_ISREG(info.st_mode)) {
      entries_.push_back({relative, {}});
    } else if (S_ISDIR(info.st_mode)) {
      const size_t before = entries_.size();
      NEARDUP_ASSIGN(const int error, enter(path, relative + "/"));
      if (error == 0) return {};
      entries_.resize(before);  // no entry is another one's folder
      entries_.push_back({relative, "a folder that cannot be listed: " + std::generic_category().message(error), true});
    }
    return {};
  }

  FolderIds seen_;
  std::vector<Entry> entries_;
};

/// All that lies below `folder`, by the bytes of the paths.
Result<std::vector<Entry>> entries_of(const std::string& folder) {
  Walk walk;
  NEARDUP_ASSIGN(const int error, walk.enter(folder, ""));
  if (error != 0) return fail_errno("cannot list folder", folder, error);
  std::vector<Entry> entries = walk.take();
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.path < b.path; });
  return entries;
}

bool is_chosen(const DiscoverOptions& options, const std::string& relative) {
  const auto matches = [&](const std::string& pattern) { return matches_glob(pattern, relative); };
  const bool included = options.include.empty() || std::any_of(options.include.begin(), options.include.end(), matches);
  return included && std::none_of(options.exclude.begin(), options.exclude.end(), matches);
}

/// Whether a pattern can match anything in a folder.
bool leads_into(std::string_view pattern, std::string_view folder) {
  while (!folder.empty()) {
    const std::string_view part = pattern.substr(0, pattern.find('/'));
    const std::string_view name = folder.substr(0, folder.find('/'));
    if (part.find("**") != std::string_view::npos) return true;
    if (part.size() == pattern.size() || !matches_glob(part, name)) return false;
    pattern.remove_prefix(part.size() + 1);
    folder.remove_prefix(std::min(folder.size(), name.size() + 1));
  }
  return true;
}

// Any file may lie in a folder that cannot be listed, so --include says nothing of it.
bool is_chosen(const DiscoverOptions& options, const Entry& entry) {
  if (!entry.may_be_folder) return is_chosen(options, entry.path);
  return std::ranges::none_of(options.exclude, [&](const auto& pattern) { return takes_folder(pattern, entry.path); });
}

std::string absolute_path(const std::string& path) {
  std::string absolute = fs::absolute(path).lexically_normal().string();
  while (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
  return absolute;
}

// Its URI may hold a password, and is not shown.
Status check_no_store(std::string_view argument) {
  for (const std::string_view scheme : {"redis://", "rediss://", "hbase://"})
    if (argument.starts_with(scheme))
      return fail(Code::kInvalidArgument, std::string(scheme) +
                                              "... is a store on a server, and no input: dedup compares with one by "
                                              "--reference, and adds to one by --into");
  return {};
}

class Discovery {
 public:
  explicit Discovery(const DiscoverOptions& options) : options_(options) {}

  Status add(const std::string& argument) {
    struct stat info = {};
    if (::stat(argument.c_str(), &info) != 0) {
      if (is_glob(argument)) return add_pattern(argument);
      const int reason = errno;
      NEARDUP_TRY(check_no_store(argument));
      return fail_errno("cannot find input", argument, reason);
    }
    if (::access(argument.c_str(), R_OK) != 0) return fail_errno("cannot read input", argument, errno);
    if (S_ISDIR(info.st_mode)) return add_folder(argument);
    if (!S_ISREG(info.st_mode)) {
      return fail(Code::kUnsupported, "input '" + argument +
                                          "' is a pipe or a device, which cannot be read twice; give it on standard "
                                          "input with - instead");
    }
    add_file({}, argument, true);
    return {};
  }

  Result<std::vector<Input>> finish() {
    if (inputs_.empty()) {
      return fail(Code::kInvalidArgument,
                  "the inputs hold no file to read (hidden files and those excluded by patterns are left out); give "
                  "files, folders or patterns");
    }
    NEARDUP_TRY(check_twice());
    const std::vector<std::string> names = choose_names(arguments_, found_, arguments_.size() > 1);
    std::vector<Doubt> doubts(inputs_.size());
    for (size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i].name = names[i];
      NEARDUP_ASSIGN(doubts[i], describe(inputs_[i]));
      doubts[i].below = below_[i];
    }
    settle_data_folders(inputs_, doubts);
    if (!options_.pre.empty()) NEARDUP_TRY(check_names());
    return std::move(inputs_);
  }

 private:
  Status add_folder(const std::string& folder) {
    NEARDUP_ASSIGN(const std::vector<Entry> entries, entries_of(folder));
    const std::string slash = folder.ends_with('/') ? "" : "/";
    arguments_.push_back(absolute_path(folder));
    for (const Entry& entry : entries) {
      if (is_chosen(options_, entry)) push(folder + slash, entry.path, entry.path, false, entry.fault);
    }
    return {};
  }

  /// The part of a pattern before its first wild card is a folder that is searched; each match is named like a file
  /// given itself.
  Status add_pattern(const std::string& pattern) {
    const size_t slash = pattern.rfind('/', pattern.find_first_of("*?["));
    const std::string folder = slash == std::string::npos ? "" : pattern.substr(0, slash + 1);
    const std::string rest = pattern.substr(folder.size());
    const auto entries = entries_of(folder.empty() ? "." : folder);
    if (!entries && entries.error().code != Code::kNotFound) return tl::unexpected(entries.error());
    size_t num_matches = 0;
    for (const Entry& entry : entries.value_or(std::vector<Entry>())) {
      // A leading slash keeps a pattern without one from matching at any depth.
      if (entry.may_be_folder ? !leads_into(rest, entry.path) : !matches_glob("/" + rest, "/" + entry.path)) continue;
      ++num_matches;
      if (is_chosen(options_, entry)) add_file(folder, entry.path, false, entry.fault);
    }
    if (num_matches == 0) return fail(Code::kNotFound, "no file matches the pattern '" + pattern + "'");
    return {};
  }

  void add_file(const std::string& typed, const std::string& rest, bool named, const std::string& fault = {}) {
    arguments_.push_back(absolute_path(typed + rest));
    push(typed, rest, {}, named, fault);
  }

  /// `typed`: the part of the path that was typed, where there is more than that.
  void push(const std::string& typed, const std::string& rest, const std::string& relative, bool named,
            const std::string& fault) {
    Input input;
    input.path = typed + rest;
    input.named = named;
    input.fault = fault;
    inputs_.push_back(std::move(input));
    found_.push_back({arguments_.size() - 1, relative});
    below_.push_back(typed.size());
  }

  /// A name in a folder is the same one under any path that leads to the folder. Another name of the same file, a
  /// link, is another document: an exact duplicate. A folder that went away since is told by describe().
  Status check_twice() const {
    std::map<std::pair<FileId, std::string>, size_t> seen;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const fs::path path = inputs_[i].path;
      struct stat info = {};
      if (::stat(path.has_parent_path() ? path.parent_path().c_str() : ".", &info) != 0) {
        if (errno != ENOENT && !concerns_one_file(errno)) return fail_errno("cannot look into", path.string(), errno);
        continue;
      }
      const auto [it, is_new] = seen.try_emplace({FileId{info.st_dev, info.st_ino}, path.filename().string()}, i);
      if (!is_new) return given_twice(inputs_[it->second].path, inputs_[i].path);
    }
    return {};
  }

  /// The names that were chosen are apart, but not those that got an ending more.
  Status check_names() const {
    std::set<std::string> names;
    for (const Input& input : inputs_)
      if (!names.insert(input.name).second)
        return fail(Code::kInvalidArgument, "the output of --pre for '" + input.path + "' would be called '" +
                                                input.name + "', as another input is; give them in two runs");
    return {};
  }

  static Status given_twice(const std::string& first, const std::string& second) {
    const bool is_link = absolute_path(first) != absolute_path(second);
    return fail(Code::kInvalidArgument, "input '" + second + "' is given twice (first as '" + first + "'" +
                                            (is_link ? "; links make them one folder" : "") +
                                            "); give each file once, or exclude one of the two");
  }

  Result<Doubt> describe(Input& input) const {
    if (!input.fault.empty()) return Doubt();
    NEARDUP_ASSIGN(const FileInfo info, file_info(input.path));
    input.size_bytes = info.size_bytes;
    input.modified_ns = info.modified_ns;
    NEARDUP_ASSIGN(const Doubt doubt, detect(input, options_));
    // What a program makes of a table is not written under the name of the table.
    if (!input.pre.empty() && input.format != Format::kText) input.name += row_of(input.format).extension;
    return doubt;
  }

  const DiscoverOptions& options_;
  std::vector<std::string> arguments_;  // absolute
  std::vector<Found> found_;            // parallel to inputs_
  std::vector<size_t> below_;           // likewise: Doubt::below
  std::vector<Input> inputs_;
};

}  // namespace

Result<std::vector<Input>> discover(std::span<const std::string> arguments, const DiscoverOptions& options) {
  Discovery discovery(options);
  for (const std::string& argument : arguments) NEARDUP_TRY(discovery.add(argument));
  return discovery.finish();
}

}  // namespace neardup::corpus
