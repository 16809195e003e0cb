// The names of the rules.
#include "neardup/verify/rule.h"

#include <fmt/format.h>

#include <charconv>

namespace neardup::verify {
namespace {

constexpr std::string_view kJaccardPrefix = "jaccard:", kCodePrefix = "code:";

// Reads what stands in `text` from `begin` on.
Result<double> read_threshold(std::string_view text, size_t begin) {
  const std::string_view number = text.substr(begin);
  double threshold = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), threshold);
  const bool whole = error == std::errc() && end == number.data() + number.size();
  if (whole && threshold > 0 && threshold <= 1) return threshold;
  return fail(
      Code::kInvalidArgument,
      fmt::format("verify: the threshold in '{}' is not a number above 0 and at most 1; write for example {}0.8", text,
                  text.substr(0, begin)));
}

}  // namespace

Result<Rule> rule_from_string(std::string_view text) {
  if (text == "content") return Rule{Rule::Kind::kContent};
  if (text == "origin") return Rule{Rule::Kind::kOrigin};
  if (text == "code") return Rule{Rule::Kind::kCode};
  if (text == "none") return Rule{Rule::Kind::kNone};
  Rule rule;
  if (text.starts_with(kJaccardPrefix)) {
    rule.kind = Rule::Kind::kJaccard;
    NEARDUP_ASSIGN(rule.threshold, read_threshold(text, kJaccardPrefix.size()));
    return rule;
  }
  if (text.starts_with(kCodePrefix)) {
    rule.kind = Rule::Kind::kCode;
    NEARDUP_ASSIGN(rule.least_code, read_threshold(text, kCodePrefix.size()));
    return rule;
  }
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
  return fail(
      Code::kInvalidArgument,
      fmt::format("verify: unknown rule '{}'; use content, origin, jaccard:T (0 < T <= 1), code, code:T or none{}",
                  text, is_number ? fmt::format("; did you mean jaccard:{}?", text) : ""));
}

std::string to_string(const Rule& rule) {
  switch (rule.kind) {
    case Rule::Kind::kContent:
      return "content";
    case Rule::Kind::kOrigin:
      return rule.templates ? "origin --templates" : "origin";
    case Rule::Kind::kCode:
      return rule.least_code == kReusedCode ? "code" : fmt::format("{}{}", kCodePrefix, rule.least_code);
    case Rule::Kind::kNone:
      return "none";
    case Rule::Kind::kJaccard:
      break;
  }
  return fmt::format("{}{}", kJaccardPrefix, rule.threshold);
}

}  // namespace neardup::verify
