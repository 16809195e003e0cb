#include "neardup/cli/verify_flag.h"

namespace neardup::cli {

void define_verify_flags(Flags& flags, verify::Rule& rule, bool& is_given) {
  flags.value({"--verify", kRuleWords,
               "content: texts that readers call the same; origin: versions and reprints of one text; jaccard:T: texts "
               "with this share of word 5-grams in common; code: source code, which --recipe code takes by itself; "
               "none: every candidate pair"},
              verify::to_string(rule), [&rule, &is_given](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(const verify::Rule read, verify::rule_from_string(typed));
                is_given = true;
                rule.kind = read.kind;
                rule.threshold = read.threshold;
                rule.least_code = read.least_code;
                return {};
              });
  flags.on({"--templates", "", "With --verify origin: texts of one template whose numbers differ are not duplicates"},
           rule.templates);
}

void define_commonness_flag(Flags& flags, std::string& file) {
  flags.text({"--commonness", "FILE|none",
              "How common n-grams are, from the commonness.bin of another run over texts of the same kind, in place of "
              "what the input would teach; none: all weigh the same"},
             file);
}

}  // namespace neardup::cli
