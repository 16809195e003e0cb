// The sections of the page, in their order. Each appends HTML; those with nothing to show append nothing.
#pragma once

#include <string>
#include <string_view>

#include "neardup/report/figures.h"

namespace neardup::report {

/// One section of the page: where the menu points, and what it says.
struct PageSection {
  const char* anchor;
  const char* menu;
  const char* title;
  void (*append)(std::string& out, const Report& report);
};

void append_headline(std::string& out, const Report& report);
void append_warning_list(std::string& out, const Report& report);
void append_exploration(std::string& out, const Report& report);
void append_charts(std::string& out, const Report& report);
void append_inputs(std::string& out, const Report& report);
void append_groups(std::string& out, const Report& report);
void append_clusters(std::string& out, const Report& report);
void append_examples(std::string& out, const Report& report);
void append_rejections(std::string& out, const Report& report);
void append_settings(std::string& out, const Report& report);
void append_stages(std::string& out, const Report& report);
void append_reading_help(std::string& out, const Report& report);
void append_colophon(std::string& out, const Report& report);

// Pieces that several sections share.

/// Returns an id or file name as HTML: in a code element, its direction kept to itself, cut where it is very long.
[[nodiscard]] std::string name_html(std::string_view name);

/// Appends a figure of the head; `kind` is its class.
void append_tile(std::string& out, const char* kind, const std::string& value, const char* label,
                 const std::string& detail);

/// Returns one bar cut into kept, near, exact and rejected documents, as wide as its place.
[[nodiscard]] std::string split_bar(const Tally& tally);

}  // namespace neardup::report
