#include "neardup/cli/completion.h"

namespace neardup::cli {

ValueKind value_kind(const FlagDoc& flag) {
  if (flag.value.empty() && !flag.is_argument) return ValueKind::kNone;
  if (!flag.choices.empty())
    return flag.value.find("FILE") == std::string::npos ? ValueKind::kChoices : ValueKind::kChoicesOrFile;
  if (flag.value == "DIR") return ValueKind::kFolder;
  const std::string& name = flag.is_argument ? flag.long_name : flag.value;
  const bool file =
      name.find("FILE") != std::string::npos || name == "PATH" || name == "INPUT..." || name == "A" || name == "B";
  return file ? ValueKind::kFile : ValueKind::kOther;
}

}  // namespace neardup::cli
