#include "neardup/cluster/keep_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "neardup/cluster/json_scalar.h"

namespace neardup::cluster {
namespace {

constexpr std::string_view kMaxPrefix = "max:";
constexpr std::string_view kPriorityPrefix = "priority:";

tl::unexpected<Error> bad_rule(std::string_view text, std::string_view what) {
  return fail(Code::kInvalidArgument,
              fmt::format("keep: {} in '{}'; use first, longest, max:FIELD or priority:FIELD=a,b", what, text));
}

std::vector<std::string> split_at_commas(std::string_view list) {
  std::vector<std::string> values;
  while (true) {
    const size_t comma = list.find(',');
    values.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return values;
    list.remove_prefix(comma + 1);
  }
}

bool has_repetition(std::vector<std::string> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

Result<KeepRule> read_priority(std::string_view text) {
  const std::string_view rest = text.substr(kPriorityPrefix.size());
  const size_t equals = rest.find('=');
  if (equals == std::string_view::npos) return bad_rule(text, "no '=' before the values");
  if (equals == 0) return bad_rule(text, "no field");
  KeepRule rule{KeepRule::Kind::kPriority, std::string(rest.substr(0, equals)),
                split_at_commas(rest.substr(equals + 1))};
  if (std::ranges::any_of(rule.values, &std::string::empty)) return bad_rule(text, "an empty value");
  if (has_repetition(rule.values)) return bad_rule(text, "a value twice");
  return rule;
}

double priority_key(const std::vector<std::string>& values, std::string_view raw) {
  const auto count = static_cast<double>(values.size());
  if (raw.empty() || raw == "null") return count + 1;
  const auto found = std::ranges::find(values, json_text(raw));
  return static_cast<double>(found - values.begin());  // `count` for a value that is not listed
}

double max_key(std::string_view raw) {
  const auto number = json_number(raw);
  return number ? 0 - *number : std::numeric_limits<double>::infinity();
}

}  // namespace

double KeepRule::key(uint64_t size_bytes, std::string_view raw_json_value) const {
  switch (kind) {
    case Kind::kFirst:
      break;
    case Kind::kLongest:
      return -static_cast<double>(size_bytes);
    case Kind::kMax:
      return max_key(raw_json_value);
    case Kind::kPriority:
      return priority_key(values, raw_json_value);
  }
  return 0;
}

Result<KeepRule> keep_rule_from_string(std::string_view text) {
  if (text == "first") return KeepRule{KeepRule::Kind::kFirst, {}, {}};
  if (text == "longest") return KeepRule{KeepRule::Kind::kLongest, {}, {}};
  if (text.starts_with(kPriorityPrefix)) return read_priority(text);
  if (!text.starts_with(kMaxPrefix)) return bad_rule(text, "no known rule");
  if (text.size() == kMaxPrefix.size()) return bad_rule(text, "no field");
  return KeepRule{KeepRule::Kind::kMax, std::string(text.substr(kMaxPrefix.size())), {}};
}

std::string to_string(const KeepRule& rule) {
  switch (rule.kind) {
    case KeepRule::Kind::kFirst:
      break;
    case KeepRule::Kind::kLongest:
      return "longest";
    case KeepRule::Kind::kMax:
      return fmt::format("{}{}", kMaxPrefix, rule.field);
    case KeepRule::Kind::kPriority:
      return fmt::format("{}{}={}", kPriorityPrefix, rule.field, fmt::join(rule.values, ","));
  }
  return "first";
}

std::vector<uint32_t> documents_by_rank(std::span<const double> keys) {
  std::vector<uint32_t> documents(keys.size());
  for (uint32_t i = 0; i < documents.size(); ++i) documents[i] = i;
  const auto better = [&](uint32_t a, uint32_t b) { return KeepKey{keys[a], a} < KeepKey{keys[b], b}; };
  if (!std::ranges::is_sorted(documents, better)) std::ranges::sort(documents, better);
  return documents;
}

}  // namespace neardup::cluster
