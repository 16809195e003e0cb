// What unique_lines() must give, by the most obvious way: maps of whole lines.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/work_place.h"
#include "neardup/lines/key_maker.h"
#include "neardup/lines/run_lines.h"

namespace neardup::lines {

struct SplitLines {
  std::vector<std::string> lines;
  bool last_has_end = true;
};

inline void split(const std::string& text, char line_end, SplitLines& split) {
  for (size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0; at < text.size();) {
    const size_t end = std::min(text.find(line_end, at), text.size());
    split.lines.push_back(text.substr(at, end - at));
    split.last_has_end = end < text.size();
    at = end + 1;
  }
}

/// The output `lines` begins as the first input does.
inline std::string with_mark_of(const std::vector<std::string>& inputs, const std::string& lines) {
  const bool has_mark = !lines.empty() && inputs.front().starts_with(kByteOrderMark);
  return (has_mark ? std::string(kByteOrderMark) : "") + lines;
}

/// The output for inputs with these bytes.
inline std::string reference(const LinesOptions& options, const std::vector<std::string>& inputs,
                             const std::vector<std::string>& minus) {
  const KeyMaker maker = *KeyMaker::create(options.key);
  std::string made;
  SplitLines all, removed;
  for (const std::string& text : inputs) split(text, options.line_end, all);
  for (const std::string& text : minus) split(text, options.line_end, removed);
  std::map<std::string, std::vector<size_t>> places;
  for (size_t i = 0; i < all.lines.size(); ++i) {
    const auto key = maker.key(all.lines[i], made);
    places[key ? "key " + std::string(*key) : "line " + std::to_string(i)].push_back(i);
  }
  for (const std::string& line : removed.lines) {
    if (const auto key = maker.key(line, made)) places.erase("key " + std::string(*key));
  }
  std::vector<std::pair<size_t, size_t>> written;  // position, count
  for (const auto& [key, at] : places) {
    if (options.show == Show::kAll || (at.size() > 1) == (options.show == Show::kRepeated))
      written.emplace_back(at.front(), at.size());
  }
  std::sort(written.begin(), written.end());
  if (options.order == Order::kSorted) {
    std::stable_sort(written.begin(), written.end(),
                     [&](const auto& a, const auto& b) { return all.lines[a.first] < all.lines[b.first]; });
  }
  std::string out;
  for (const auto& [position, count] : written) {
    if (options.count) out += std::to_string(count) + "\t";
    out += all.lines[position] + options.line_end;
  }
  const bool ends_in_last = !written.empty() && written.back().first + 1 == all.lines.size();
  if (ends_in_last && !all.last_has_end && !options.count && options.order == Order::kFirst) out.pop_back();
  return with_mark_of(inputs, out);
}

/// Files with these bytes in a folder of their own.
class WrittenFiles {
 public:
  std::vector<std::string> write(const std::vector<std::string>& texts) {
    std::vector<std::string> paths;
    for (const std::string& text : texts) {
      paths.push_back(folder_.path() + "/" + std::to_string(number_++));
      std::ofstream(paths.back(), std::ios::binary) << text;
    }
    return paths;
  }

 private:
  TemporaryFolder folder_ = *make_work_place();
  int number_ = 0;
};

/// What LinesRun gives, with `memory` where it is given; a message, which is no line of a test, where that fails.
inline std::string run_lines(const LinesOptions& options, const std::optional<LinesMemory>& memory = {},
                             LinesTotals* totals = nullptr) {
  std::string out;
  const WriteBytes write = [&](std::string_view bytes) -> Status {
    out += bytes;
    return {};
  };
  const auto done = memory ? LinesRun(options, *memory, write).run() : LinesRun(options, write).run();
  if (!done) return "error: " + done.error().message;
  if (done->read != done->kept + done->removed) return "error: read is not kept + removed";
  if (totals != nullptr) *totals = *done;
  return out;
}

}  // namespace neardup::lines
