// The encoding that a page names itself.
#pragma once

#include <string_view>

namespace neardup::text {

/// Returns the encoding, by the name that encoding_of_label() returns, that the XML declaration or a <meta> element in
/// the first 4 KiB of `bytes` names; "" for none.
[[nodiscard]] std::string_view encoding_in_html(std::string_view bytes);

}  // namespace neardup::text
