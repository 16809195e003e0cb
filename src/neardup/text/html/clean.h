// What is not main text within the part of a page that holds it.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/text/html/stats.h"
#include "neardup/text/html/tree.h"

namespace neardup::text {

/// Marks in `dropped` what lies below `root` and is a list of links, a share bar, a form, a by-line or a heading that
/// repeats the title. `figures` are those of the tree without what is dropped so far.
void clean_part(const HtmlTree& tree, uint32_t root, const HtmlFigures& figures, std::vector<uint8_t>& dropped);

}  // namespace neardup::text
