#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/sizes.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"
#include "neardup/report/sections.h"
#include "neardup/report/tally.h"

namespace neardup::report {
namespace {

constexpr size_t kMaxRows = 50;

// A figure with what the script sorts by, and the label that a narrow screen shows beside it.
std::string figure_cell(const char* label, const std::string& shown, double value) {
  return fmt::format("<td data-label=\"{}\" data-value=\"{}\">{}</td>", label, value, escape_html(shown));
}

std::string count_cell(const char* label, uint64_t count) {
  return figure_cell(label, human_count(count), static_cast<double>(count));
}

void append_row(std::string& out, const Tally& tally, const std::string& name, bool has_contained) {
  out += fmt::format("<tr><th scope=\"row\"><div>{}{}</div></th>", name, split_bar(tally));
  out += figure_cell("removed", percent(removed(tally), tally.read), share(removed(tally), tally.read));
  out += count_cell("read", tally.read) + count_cell("kept", tally.kept) + count_cell("near", tally.near) +
         (has_contained ? count_cell("contained", tally.contained) : "") + count_cell("exact", tally.exact) +
         count_cell("rejected", tally.rejected) +
         figure_cell("text saved", bytes(tally.bytes_removed), static_cast<double>(tally.bytes_removed));
  out += "</tr>\n";
}

void append_tallies(std::string& out, const std::vector<Tally>& tallies, const std::string& name_title,
                    bool has_contained) {
  size_t shown = std::min(kMaxRows, tallies.size());
  out += fmt::format("<table class=\"tallies sortable\">\n<thead><tr><th scope=\"col\">{}</th>", name_title);
  for (const char* title : {"Removed", "Read", "Kept", "Near", "Exact", "Rejected", "Text saved"}) {
    if (has_contained && title == std::string_view("Exact")) out += "<th scope=\"col\">Contained</th>";
    out += fmt::format("<th scope=\"col\">{}</th>", title);
  }
  out += "</tr></thead>\n<tbody>\n";
  for (size_t i = 0; i < shown; ++i) append_row(out, tallies[i], name_html(tallies[i].name), has_contained);
  out += "</tbody>\n";
  if (shown < tallies.size()) {
    std::span<const Tally> rest = std::span(tallies).subspan(shown);
    out += "<tfoot>";
    append_row(out, sum_of(rest, ""), fmt::format("<span>and {} more</span>", human_count(rest.size())), has_contained);
    out += "</tfoot>\n";
  }
  out += "</table>\n";
}

std::string legend(const Report& report) {
  return fmt::format(
      "<p class=\"legend\"><span class=\"kept\">kept</span><span class=\"near\">near-duplicates</span>{}"
      "<span class=\"exact\">equal texts</span><span class=\"rejected\">rejected</span></p>\n",
      report.contained ? "<span class=\"contained\">contained</span>" : "");
}

}  // namespace

void append_inputs(std::string& out, const Report& report) {
  if (report.by_input.empty()) return;
  out += legend(report);
  append_tallies(out, report.by_input, "Source", report.contained.has_value());
}

void append_groups(std::string& out, const Report& report) {
  if (report.by_group.empty()) return;
  out += fmt::format("<p>Documents by the value of their field {}.</p>\n", name_html(report.group_key));
  out += legend(report);
  append_tallies(out, report.by_group, name_html(report.group_key), report.contained.has_value());
}

void append_rejections(std::string& out, const Report& report) {
  if (report.rejections.empty()) return;
  out += report.has_files
             ? "<p>These could not be read as documents. Each is in <code>rejected.jsonl</code> with its file and "
               "line.</p>\n"
             : "<p>These could not be read as documents. Their rows are in <code>result.rejected</code>.</p>\n";
  out +=
      "<table class=\"plain sortable\">\n<thead><tr><th scope=\"col\">Reason</th>"
      "<th scope=\"col\">Documents</th></tr></thead>\n<tbody>\n";
  for (const auto& [reason, count] : report.rejections) {
    out += fmt::format("<tr><th scope=\"row\" dir=\"auto\">{}</th>{}</tr>\n", escape_html(reason),
                       count_cell("documents", count));
  }
  out += "</tbody>\n</table>\n";
}

void append_stages(std::string& out, const Report& report) {
  if (report.stages.empty()) return;
  double total = 0;
  for (const Stage& stage : report.stages) total += std::max(0.0, stage.seconds);
  out +=
      "<table class=\"plain stages\">\n<thead><tr><th scope=\"col\">Stage</th><th scope=\"col\">Time</th>"
      "<th scope=\"col\">Items</th><th scope=\"col\">Items a second</th><th scope=\"col\">Bytes a "
      "second</th></tr></thead>\n<tbody>\n";
  for (const Stage& stage : report.stages) {
    double width = total > 0 ? 100 * std::max(0.0, stage.seconds) / total : 0;
    out += fmt::format(
        "<tr><th scope=\"row\"><div><span>{}</span><svg class=\"split\" width=\"100%\" height=\"8\" "
        "aria-hidden=\"true\">"
        "<rect class=\"time\" width=\"{:.2f}%\" height=\"8\"/></svg></div></th>",
        escape_html(stage.name), width);
    out += figure_cell("time", duration(stage.seconds), stage.seconds) + count_cell("items", stage.items) +
           figure_cell("items a second", stage.items == 0 ? "-" : rate(stage.items, stage.seconds), 0) +
           figure_cell("bytes a second", stage.bytes == 0 ? "-" : byte_rate(stage.bytes, stage.seconds), 0);
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n";
}

}  // namespace neardup::report
