// What the script of the page of similar files works on (web/similar/data.js unpacks it).
#pragma once

#include <string>
#include <string_view>

#include "neardup/report/similar_page.h"

namespace neardup::report {

/// Appends the files, the pairs and what was left out, as an element <script id="similar-data">, and the texts as
/// <script id="similar-texts">, which is read when a pair is opened.
void append_similar_data(std::string& out, const SimilarReport& report);

/// Returns a name on one line, hidden characters named, the middle of a long one left out.
[[nodiscard]] std::string shown_name(std::string_view name);

}  // namespace neardup::report
