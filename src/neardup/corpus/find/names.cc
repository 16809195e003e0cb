#include "neardup/corpus/find/names.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

namespace neardup::corpus {
namespace {

/// The last `count` parts of `path`, without a leading slash; all of them if there are fewer.
std::string_view last_parts(std::string_view path, size_t count) {
  size_t begin = path.size();
  for (; count > 0 && begin > 0; --count) {
    const size_t slash = path.rfind('/', begin - 1);
    begin = slash == std::string_view::npos ? 0 : slash;
  }
  path.remove_prefix(begin);
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

std::string name_of(std::string_view argument, const Found& found, size_t num_parts) {
  std::string name(last_parts(argument, num_parts));
  if (!found.relative.empty()) name += (name.empty() ? "" : "/") + found.relative;
  return name;
}

/// Arguments with a name that another argument has too, or that another one's name uses as a folder.
std::set<size_t> colliding_arguments(const std::vector<std::string>& names, const std::vector<Found>& found) {
  std::vector<size_t> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  const auto less = [&](size_t a, size_t b) { return names[a] < names[b]; };
  std::sort(order.begin(), order.end(), less);
  std::set<size_t> arguments;
  const auto note = [&](size_t a, size_t b) {
    if (found[a].argument != found[b].argument) arguments.insert({found[a].argument, found[b].argument});
  };
  for (size_t i = 0; i + 1 < order.size(); ++i) {
    for (size_t j = i + 1; j < order.size() && names[order[j]] == names[order[i]]; ++j) note(order[i], order[j]);
    const std::string folder = names[order[i]] + "/";
    const auto inside = std::lower_bound(order.begin(), order.end(), folder,
                                         [&](size_t a, const std::string& key) { return names[a] < key; });
    for (auto it = inside; it != order.end() && names[*it].starts_with(folder); ++it) note(order[i], *it);
  }
  return arguments;
}

}  // namespace

std::vector<std::string> choose_names(const std::vector<std::string>& arguments, const std::vector<Found>& found,
                                      bool folder_first) {
  std::vector<size_t> num_parts(arguments.size(), 0);
  for (const Found& file : found) num_parts[file.argument] = file.relative.empty() || folder_first ? 1 : 0;
  std::vector<std::string> names(found.size());
  while (true) {
    for (size_t i = 0; i < found.size(); ++i) {
      names[i] = name_of(arguments[found[i].argument], found[i], num_parts[found[i].argument]);
    }
    bool grew = false;
    for (const size_t argument : colliding_arguments(names, found)) {
      const auto depth = static_cast<size_t>(std::count(arguments[argument].begin(), arguments[argument].end(), '/'));
      if (num_parts[argument] >= depth) continue;
      ++num_parts[argument];
      grew = true;
    }
    if (!grew) return names;
  }
}

}  // namespace neardup::corpus
