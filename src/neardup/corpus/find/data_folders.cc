#include "neardup/corpus/find/data_folders.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "neardup/corpus/find/detect.h"
#include "neardup/corpus/formats.h"

namespace neardup::corpus {
namespace {

constexpr std::array<std::string_view, 3> kNoteFolders = {"_delta_log", "_spark_metadata", "_temporary"};
constexpr std::array<std::string_view, 3> kMarks = {"_SUCCESS", "_metadata", "_common_metadata"};
constexpr std::array<std::string_view, 2> kMarkFronts = {"_committed_", "_started_"};

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
  return name.ends_with(".crc") || std::ranges::find(kMarks, name) != kMarks.end() ||
         std::ranges::any_of(kMarkFronts, [&](auto front) { return name.starts_with(front); });
}

/// The outermost folder for notes that `path` lies in; empty where it lies in none.
std::string_view note_folder_of(std::string_view path) {
  for (size_t end = path.find('/'); end != std::string_view::npos; end = path.find('/', end + 1))
    if (std::ranges::find(kNoteFolders, file_name_of(path.substr(0, end))) != kNoteFolders.end())
      return path.substr(0, end);
  return {};
}

bool is_note(std::string_view path) { return is_mark(file_name_of(path)) || !note_folder_of(path).empty(); }

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

bool is_left_out(const std::string& path, const DataFolders& data) {
  if (const std::string_view notes = note_folder_of(path); !notes.empty()) return data.holds_below(folder_of(notes));
  return is_mark(file_name_of(path)) && data.holds_below(folder_of(path));
}

}  // namespace

void settle_data_folders(std::vector<Input>& inputs, std::span<const Doubt> doubts) {
  DataFolders data;
  for (const Input& input : inputs)
    if (is_data(input) && !is_note(input.path)) data.add(input);
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
  std::erase_if(inputs, [&](const Input& input) { return input.fault.empty() && is_left_out(input.path, data); });
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

}  // namespace neardup::corpus
