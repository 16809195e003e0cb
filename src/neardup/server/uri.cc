#include "neardup/server/uri.h"

#include <fmt/format.h>

#include <algorithm>

namespace neardup::server {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Cuts what stands before the next `mark` off `rest`.
std::string_view cut(std::string_view& rest, char mark) {
  const size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

Result<std::string> parameter_text(std::string_view raw) {
  std::string spaced(raw);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  auto text = percent_decoded(spaced);
  if (!text) return fail(Code::kInvalidArgument, "the parameters of the request hold a % without two digits behind it");
  return std::move(*text);
}

}  // namespace

Target split_target(std::string_view uri) {
  const size_t mark = std::min(uri.find('?'), uri.size());
  return {uri.substr(0, mark), uri.substr(std::min(mark + 1, uri.size()))};
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (text.size() - i < 3) return {};
    const int high = digit_of(text[i + 1]), low = digit_of(text[i + 2]);
    if (high < 0 || low < 0) return {};
    decoded += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return decoded;
}

Result<Parameters> parse_parameters(std::string_view query) {
  Parameters parameters;
  while (!query.empty()) {
    std::string_view pair = cut(query, '&');
    if (pair.empty()) continue;
    NEARDUP_ASSIGN(const std::string name, parameter_text(cut(pair, '=')));
    NEARDUP_ASSIGN(std::string value, parameter_text(pair));
    if (find_parameter(parameters, name) != nullptr)
      return fail(Code::kInvalidArgument, fmt::format("the parameter \"{}\" is there twice", name));
    parameters.emplace_back(name, std::move(value));
  }
  return parameters;
}

const std::string* find_parameter(const Parameters& parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, [](const auto& pair) { return std::string_view(pair.first); });
  return found == parameters.end() ? nullptr : &found->second;
}

std::optional<std::vector<std::string>> match_path(std::string_view pattern, std::string_view path) {
  std::vector<std::string> values;
  while (true) {
    const bool is_last = pattern.find('/') == std::string_view::npos;
    const std::string_view wanted = cut(pattern, '/');
    const bool is_place = wanted.starts_with('{');
    const bool ends = path.find('/') == std::string_view::npos;
    if (is_last != ends && !wanted.ends_with("*}")) return {};
    const std::string_view part = is_last ? std::exchange(path, {}) : cut(path, '/');
    if (is_place) {
      auto value = percent_decoded(part);
      if (!value || value->empty()) return {};
      values.push_back(std::move(*value));
    } else if (part != wanted) {
      return {};
    }
    if (is_last) return values;
  }
}

}  // namespace neardup::server
