// The pages made from the flag definitions: Markdown for docs/cli/, and the man page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "neardup/cli/command_doc.h"

namespace neardup::cli {

/// Returns the files of docs/cli/: (name, content), README.md first, then one page per command.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> markdown_pages(const CommandLine& line);

/// Returns neardup.1 in the man macros of troff.
[[nodiscard]] std::string man_page(const CommandLine& line);

}  // namespace neardup::cli
