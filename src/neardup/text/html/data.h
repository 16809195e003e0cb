// What a page says of itself as data, for machines: JSON-LD in script elements.
#pragma once

#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by HTML with a paragraph for each string in the page's blocks of JSON-LD that is text to read: bodies
/// of articles and posts, answers, ingredients and steps of recipes; else descriptions. Empty where there are none, or
/// blocks are no JSON. Cost: a search through `html`, and simdjson's for the blocks. See: schema.org.
void read_linked_data(std::string_view html, std::string& out);

}  // namespace neardup::text
