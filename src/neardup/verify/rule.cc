// The names of the rules.
#include <fmt/format.h>

#include <charconv>

#include "neardup/verify/verify.h"

namespace neardup::verify {
namespace {

constexpr std::string_view kJaccardPrefix = "jaccard:";

}  // namespace

Result<Rule> rule_from_string(std::string_view text) {
  if (text == "origin") return Rule{Rule::Kind::kOrigin};
  if (text == "code") return Rule{Rule::Kind::kCode};
  if (text == "none") return Rule{Rule::Kind::kNone};
  if (text.starts_with(kJaccardPrefix)) {
    const std::string_view number = text.substr(kJaccardPrefix.size());
    double threshold = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), threshold);
    const bool whole = error == std::errc() && end == number.data() + number.size();
    if (whole && threshold > 0 && threshold <= 1) return Rule{Rule::Kind::kJaccard, threshold};
    return fail(
        Code::kInvalidArgument,
        fmt::format(
            "verify: the threshold in '{}' is not a number above 0 and at most 1; write for example jaccard:0.8",
            text));
  }
  return fail(Code::kInvalidArgument,
              fmt::format("verify: unknown rule '{}'; use origin, code, jaccard:T (0 < T <= 1) or none", text));
}

std::string to_string(const Rule& rule) {
  switch (rule.kind) {
    case Rule::Kind::kOrigin:
      return rule.templates ? "origin --templates" : "origin";
    case Rule::Kind::kCode:
      return "code";
    case Rule::Kind::kNone:
      return "none";
    case Rule::Kind::kJaccard:
      break;
  }
  return fmt::format("{}{}", kJaccardPrefix, rule.threshold);
}

}  // namespace neardup::verify
