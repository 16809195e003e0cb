#include "neardup/cli/verify_flag.h"

namespace neardup::cli {

void define_verify_flags(Flags& flags, verify::Rule& rule, bool& is_given, const std::string& meaning) {
  flags.value({"--verify", kRuleWords, meaning}, verify::to_string(rule),
              [&rule, &is_given](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(const verify::Rule read, verify::rule_from_string(typed));
                is_given = true;
                rule.kind = read.kind;
                rule.threshold = read.threshold;
                rule.least_code = read.least_code;
                return {};
              });
  flags.on({"--templates", "", "With --verify origin: texts of one template that differ in their numbers are none"},
           rule.templates);
}

}  // namespace neardup::cli
