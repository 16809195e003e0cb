#include <fmt/format.h>

#include <array>

#include "neardup/base/sizes.h"
#include "neardup/base/utf8.h"
#include "neardup/report/escape.h"
#include "neardup/report/figures.h"
#include "neardup/report/numbers.h"
#include "neardup/report/page.h"
#include "neardup/report/render.h"
#include "neardup/report/sections.h"
#include "neardup/report/tally.h"

namespace neardup::report {
namespace {

constexpr std::array<PageSection, 10> kSections = {{
    {"distances", "Overview", "Distances, similarities, cluster sizes", append_charts},
    {"threshold", "Threshold", "What a higher threshold would change", append_exploration},
    {"sources", "Sources", "Removed by source", append_inputs},
    {"fields", "Fields", "Removed by field", append_groups},
    {"clusters", "Clusters", "Largest clusters", append_clusters},
    {"examples", "Examples", "Examples side by side", append_examples},
    {"rejected", "Rejected", "Rejected documents", append_rejections},
    {"settings", "Settings", "Settings", append_settings},
    {"stages", "Time", "Time by stage", append_stages},
    {"reading", "Help", "How to read this page", append_reading_help},
}};

void append_menu(std::string& out, const std::array<std::string, kSections.size()>& bodies) {
  out += "<nav aria-label=\"Sections\">";
  for (size_t i = 0; i < kSections.size(); ++i) {
    if (!bodies[i].empty()) out += fmt::format("<a href=\"#{}\">{}</a>", kSections[i].anchor, kSections[i].menu);
  }
  out += "</nav>\n";
}

void append_sections(std::string& out, const Report& report) {
  std::array<std::string, kSections.size()> bodies;
  for (size_t i = 0; i < kSections.size(); ++i) kSections[i].append(bodies[i], report);
  append_menu(out, bodies);
  for (size_t i = 0; i < kSections.size(); ++i) {
    if (bodies[i].empty()) continue;
    out += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", kSections[i].anchor, kSections[i].title,
                       bodies[i]);
  }
}

}  // namespace

std::string to_html(const Report& report) {
  std::string out = page_head(
      fmt::format("neardup: {} read, {} kept", counted(report.total.read, "document"), human_count(report.total.kept)),
      exploration_assets().style, /*has_script=*/true);
  append_headline(out, report);
  append_warning_list(out, report);
  append_sections(out, report);
  append_colophon(out, report);
  out.append("</main>\n<script>\n").append(page_script());
  if (!report.exploration.documents.empty()) out.append(exploration_assets().script);
  out.append("</script>\n</body>\n</html>\n");
  return out;
}

std::string name_html(std::string_view name) {
  constexpr size_t kMaxBytes = 300;
  std::string_view shown = cut_at_character(name, kMaxBytes);
  if (shown.empty()) return "<code class=\"none\">(empty)</code>";
  return fmt::format("<code dir=\"auto\">{}{}</code>", escape_html(shown), shown.size() < name.size() ? "\u2026" : "");
}

std::string split_bar(const Tally& tally) {
  std::string out = "<svg class=\"split\" width=\"100%\" height=\"8\" aria-hidden=\"true\">";
  double at = 0;
  auto part = [&](const char* kind, uint64_t count) {
    double width = 100 * share(count, tally.read);
    if (count > 0)
      out += fmt::format("<rect class=\"{}\" x=\"{:.2f}%\" width=\"{:.2f}%\" height=\"8\"/>", kind, at, width);
    at += width;
  };
  part("kept", tally.kept);
  part("near", tally.near);
  part("contained", tally.contained);
  part("exact", tally.exact);
  part("rejected", tally.rejected);
  return out + "</svg>";
}

}  // namespace neardup::report
