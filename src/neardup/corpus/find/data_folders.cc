#include "neardup/corpus/find/data_folders.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "neardup/corpus/digits.h"
#include "neardup/corpus/find/detect.h"
#include "neardup/corpus/formats.h"

namespace neardup::corpus {
namespace {

constexpr std::array<std::string_view, 3> kNoteFolders = {"_delta_log", "_spark_metadata", "_temporary"};
constexpr std::array<std::string_view, 3> kMarks = {"_SUCCESS", "_metadata", "_common_metadata"};
constexpr std::array<std::string_view, 3> kMarkFronts = {"_committed_vacuum", "_committed_", "_started_"};

bool is_data(const Input& input) {
  return input.fault.empty() && input.pre.empty() && input.format != Format::kText && input.format != Format::kRows;
}

/// "a/b" of "a/b/c", "" of "c".
std::string_view folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view file_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_mark(std::string_view name) {
  const auto is_numbered = [&](std::string_view front) {
    return name.starts_with(front) && is_digits(name.substr(front.size()));
  };
  return std::ranges::find(kMarks, name) != kMarks.end() || std::ranges::any_of(kMarkFronts, is_numbered);
}

/// The outermost folder for notes that `path` lies in, of those that are named behind `below`; empty where it lies in
/// none.
std::string_view note_folder_of(std::string_view path, size_t below) {
  for (size_t end = path.find('/', below); end != std::string_view::npos; end = path.find('/', end + 1))
    if (std::ranges::find(kNoteFolders, file_name_of(path.substr(0, end))) != kNoteFolders.end())
      return path.substr(0, end);
  return {};
}

/// Tells files that are no data where others are.
class Notes {
 public:
  explicit Notes(std::span<const Input> inputs) {
    for (const Input& input : inputs)
      if (input.path.ends_with(kSum)) sums_.insert(input.path);
    if (sums_.empty()) return;
    for (const Input& input : inputs)
      if (sums_.contains(input.path + kSum)) has_file_.insert(input.path + kSum);
  }

  [[nodiscard]] bool holds(const Input& input, size_t below) const {
    return !input.named && (is_mark(file_name_of(input.path)) || has_file_.contains(input.path) ||
                            !note_folder_of(input.path, below).empty());
  }

 private:
  static constexpr const char* kSum = ".crc";
  std::set<std::string> sums_;      // files that are called like checksums
  std::set<std::string> has_file_;  // those beside what they are of
};

/// Where data lies.
class DataFolders {
 public:
  void add(const Input& input) {
    std::string_view folder = folder_of(input.path);
    if (!last_.empty() && folder == last_) return;
    last_ = folder;
    if (!folders_.emplace(folder).second) return;
    for (; above_.emplace(folder).second && !folder.empty(); folder = folder_of(folder)) {
    }
  }
  [[nodiscard]] bool is_empty() const { return folders_.empty(); }
  [[nodiscard]] bool holds(std::string_view folder) const { return folders_.contains(folder); }
  [[nodiscard]] bool holds_below(std::string_view folder) const { return above_.contains(folder); }
  /// A file that is JSONL, or a text.
  void add_kind(const Input& input) {
    if (input.format == Format::kJsonl) objects_.insert(key(input.path));
    if (input.format == Format::kText) texts_.insert(key(input.path));
  }
  [[nodiscard]] bool has_objects_like(const std::string& path) const {
    return objects_.contains(key(path)) && !texts_.contains(key(path));
  }

 private:
  static std::string key(const std::string& path) { return std::string(folder_of(path)) + '/' + ending_of(path); }

  std::string_view last_;
  std::set<std::string, std::less<>> folders_;
  std::set<std::string, std::less<>> above_;  // these, and those that they lie in
  std::set<std::string> objects_;             // endings of files of JSONL in each folder
  std::set<std::string> texts_;               // likewise of texts
};

/// Whether data lies where a note lies, or where the folder for notes does.
bool lies_among(const DataFolders& data, const std::string& note, size_t below) {
  const std::string_view notes = note_folder_of(note, below);
  return data.holds_below(folder_of(notes.empty() ? std::string_view(note) : notes));
}

/// Takes the inputs of which `is_left_out` has true, and keeps the paths of those that are not empty.
void leave_out(std::vector<Input>& inputs, const std::vector<bool>& is_left_out, std::span<const Doubt> doubts) {
  std::vector<std::string> paths;
  size_t stays = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_left_out[i]) {
      if (stays != i) inputs[stays] = std::move(inputs[i]);
      ++stays;
    } else if (!doubts[i].is_empty && inputs[i].size_bytes > 0) {
      paths.push_back(inputs[i].path);
    }
  }
  inputs.resize(stays);
  if (!inputs.empty()) inputs.front().left_out = std::move(paths);
}

}  // namespace

void settle_data_folders(std::vector<Input>& inputs, std::span<const Doubt> doubts) {
  DataFolders data;
  const Notes notes(inputs);
  std::vector<bool> is_note(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    is_note[i] = inputs[i].fault.empty() && notes.holds(inputs[i], doubts[i].below);
    if (is_data(inputs[i]) && !is_note[i]) data.add(inputs[i]);
  }
  if (data.is_empty()) return;
  const bool has_doubt = std::ranges::any_of(doubts, &Doubt::may_be_objects);
  for (size_t i = 0; i < inputs.size() && has_doubt; ++i)
    if (!doubts[i].may_be_objects && !doubts[i].is_empty) data.add_kind(inputs[i]);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string& path = inputs[i].path;
    if ((doubts[i].is_empty && data.holds(folder_of(path))) ||
        (doubts[i].may_be_objects && data.has_objects_like(path)))
      inputs[i].format = Format::kJsonl;
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    is_note[i] = is_note[i] && lies_among(data, inputs[i].path, doubts[i].below);
  leave_out(inputs, is_note, doubts);
}

std::string why_mixed(std::span<const Input> inputs) {
  std::map<Format, size_t> counts;
  const Input* first_text = nullptr;
  for (const Input& input : inputs) {
    if (input.named || !input.fault.empty() || !input.pre.empty()) continue;
    ++counts[input.format];
    if (input.format == Format::kText && first_text == nullptr) first_text = &input;
  }
  if (first_text == nullptr || counts.size() < 2) return {};
  const size_t num_texts = counts[Format::kText];
  std::string records;
  for (const auto& [format, count] : counts)
    if (format != Format::kText)
      records += (records.empty() ? "" : ", ") + std::to_string(count) + " of " + std::string(row_of(format).says);
  return "the inputs are of two kinds: " + std::to_string(num_texts) + (num_texts == 1 ? " file" : " files") +
         " read as one document each, such as '" + first_text->name + "', and files of records (" + records +
         "); leave out with --exclude what is no document, or say with --format what all are";
}

std::string why_left_out(std::span<const Input> inputs) {
  if (inputs.empty() || inputs.front().left_out.empty()) return {};
  const std::vector<std::string>& paths = inputs.front().left_out;
  if (paths.size() == 1)
    return "a file beside data was left out as a mark of the program that wrote it, '" + paths.front() +
           "'; a file that is given itself is read";
  return std::to_string(paths.size()) +
         " files beside data were left out as marks of the program that wrote it, such as '" + paths.front() +
         "'; a file that is given itself is read";
}

std::vector<std::string> warnings_of(std::span<const Input> inputs) {
  std::vector<std::string> warnings = {why_mixed(inputs), why_left_out(inputs)};
  std::erase(warnings, std::string());
  return warnings;
}

}  // namespace neardup::corpus
