// --verify, --templates and --commonness: the rule that decides about a pair of texts.
#pragma once

#include <string>

#include "neardup/cli/flags.h"
#include "neardup/verify/rule.h"

namespace neardup::cli {

/// The rules, as the value of a flag shows them.
inline constexpr char kRuleWords[] = "content|origin|jaccard:T|code|code:T|none";

/// --verify with one of them, in any order with --templates. Whether the two go together is for engine::check_rule().
/// `is_given` becomes true where a rule is typed.
void define_verify_flags(Flags& flags, verify::Rule& rule, bool& is_given);

/// --commonness FILE: what the rule content weighs n-grams by, of another run.
void define_commonness_flag(Flags& flags, std::string& file);

}  // namespace neardup::cli
