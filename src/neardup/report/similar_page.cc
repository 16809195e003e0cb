#include "neardup/report/similar_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/sizes.h"
#include "neardup/base/version.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"
#include "neardup/report/page.h"
#include "neardup/report/sections.h"
#include "neardup/report/similar_data.h"

namespace neardup::report {
namespace {

constexpr size_t kPlainRows = 100;  // of the table for readers without scripts

constexpr std::string_view kPlainStyle = ".wide-table { overflow-x: auto; }\n";

const char* basis_words(ShareBasis basis) {
  return basis == ShareBasis::kEqual ? "equal" : basis == ShareBasis::kExact ? "exact" : "estimate";
}

// As the command's lines have it; what is not the whole never looks like it.
std::string share_words(float share, ShareBasis basis) {
  const double tenths = static_cast<double>(share) * 1000;
  return fmt::format("{:.1f} %", (basis == ShareBasis::kEqual || share >= 1 ? 1000 : std::min(tenths, 999.0)) / 10);
}

std::string similar_lead(const SimilarReport& report) {
  std::string text = fmt::format("Read {} of {}. ", counted(report.num_read, "file"), bytes(report.read_bytes));
  if (report.num_pairs == 0) text += "None has a passage of another to speak of. ";
  if (report.has_references) text += "Files were compared with references, not with each other. ";
  return text + fmt::format("A pair is listed where {:.4g} % of one file is in the other.", 100 * report.threshold);
}

void append_similar_head(std::string& out, const SimilarReport& report) {
  const uint64_t num_similar = report.num_pairs - report.num_equal;
  out += fmt::format(
      "<header>\n<p class=\"brand\"><b>neardup</b> files that share passages</p>\n<h1>{} of files.</h1>\n"
      "<p class=\"lead\">{}</p>\n<dl class=\"tiles\">\n",
      counted(report.num_pairs, "pair"), escape_html(similar_lead(report)));
  append_tile(out, "read", human_count(report.num_read), "Files", bytes(report.read_bytes));
  append_tile(out, "near", human_count(num_similar), "Similar pairs", "not equal");
  append_tile(out, "exact", human_count(report.num_equal), "Equal files", "to an earlier one");
  append_tile(out, "kept", human_count(report.num_groups), "Groups", "that pairs connect");
  append_tile(out, "", human_count(report.largest_group), "Largest group", "files");
  append_tile(out, "rejected", human_count(report.num_skipped), "Left out",
              report.num_skipped == 0 ? "every file was read" : "files, as below");
  out += "</dl>\n</header>\n";
}

// The first pairs, for readers without scripts; the script puts its own table in the place of this one.
void append_plain_pairs(std::string& out, const SimilarReport& report) {
  out += similar_assets().script.empty()
             ? "<p class=\"nothing\">This neardup was built without the scripts of the page (its build had no Node.js, "
               "or NEARDUP_WEB=OFF).</p>\n"
             : "<p class=\"nothing\">Slider, matrix, graph and texts need scripts, which are switched off here.</p>\n";
  out +=
      "<div class=\"wide-table\" tabindex=\"0\"><table class=\"plain-pairs\">\n<thead><tr><th>Files</th><th>first in "
      "second</th><th>second in first</th><th>shares are</th></tr></thead>\n<tbody>\n";
  for (size_t i = 0; i < std::min(kPlainRows, report.pairs.size()); ++i) {
    const SimilarFilePair& pair = report.pairs[i];
    out += fmt::format("<tr><th>{}<br>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       name_html(report.files[pair.a].name), name_html(report.files[pair.b].name),
                       share_words(pair.a_in_b, pair.basis), share_words(pair.b_in_a, pair.basis),
                       basis_words(pair.basis));
  }
  out += "</tbody></table></div>\n";
  if (report.num_pairs > kPlainRows)
    out += fmt::format("<p class=\"axis\">The first {} of {} pairs.</p>\n", kPlainRows, human_count(report.num_pairs));
}

void append_similar_pairs(std::string& out, const SimilarReport& report) {
  out += "<section id=\"pairs\">\n<h2>Similar files</h2>\n";
  if (report.pairs.empty()) {
    out += "<p class=\"nothing\">No pair was found, so there is nothing to show.</p>\n</section>\n";
    return;
  }
  out += "<div id=\"similar\">\n";
  append_plain_pairs(out, report);
  out += "</div>\n";
  if (!similar_assets().script.empty()) append_similar_data(out, report);
  out += "</section>\n";
}

void append_not_compared(std::string& out, const SimilarReport& report) {
  if (report.skipped.empty() && report.num_crowds == 0 && report.num_unread == 0) return;
  out += "<section id=\"left-out\">\n<h2>What is not listed</h2>\n<dl class=\"settings\">\n";
  for (const SkippedGroup& group : report.skipped)
    out += fmt::format("<div><dt>{}</dt><dd>{}: {}{}</dd></div>\n", counted(group.count, "file"),
                       escape_html(group.reason), name_html(group.example), group.count > 1 ? " and others" : "");
  if (report.num_crowds > 0)
    out += fmt::format(
        "<div><dt>{}</dt><dd>in more than {} files each: pairs that share nothing else are not listed</dd></div>\n",
        counted(report.num_crowds, "passage"), human_count(report.crowd_limit));
  if (report.num_unread > 0)
    out += fmt::format(
        "<div><dt>{}</dt><dd>without their texts on this page: a file is gone, has changed since it was compared, or "
        "is "
        "too large for the memory</dd></div>\n",
        counted(report.num_unread, "pair"));
  out += "</dl>\n</section>\n";
}

void append_similar_settings(std::string& out, const SimilarReport& report) {
  if (report.settings.empty()) return;
  out += "<section id=\"settings\">\n<h2>Settings</h2>\n<ul>\n";
  for (const std::string& setting : report.settings) out += fmt::format("<li>{}</li>\n", escape_html(setting));
  out += "</ul>\n</section>\n";
}

void append_similar_help(std::string& out) {
  out += R"(<section id="help">
<h2>How to read this page</h2>
<dl class="help">
<div><dt>Share</dt><dd>How much of a file is in the other one: the part of its different substrings of some length (50 bytes, if nothing else was asked) that the other has, too. It has two directions: a small file may be wholly in a large one of which it is a small part.</dd></div>
<div><dt>Similarity</dt><dd>The greater of the two shares.</dd></div>
<div><dt>Equal, exact, estimate</dt><dd>The same bytes; counted in all substrings (<code>--verify</code>); estimated from fingerprints, seldom off by more than some hundredths.</dd></div>
<div><dt>Group</dt><dd>Files that can be reached from each other through pairs. A higher threshold breaks large groups up.</dd></div>
</dl>
</section>
)";
}

}  // namespace

PairRoom room_for_pairs(uint64_t num_equal, uint64_t num_other, uint64_t most) {
  PairRoom room;
  room.other = std::min(num_other, most - std::min(num_equal, most / 2));
  room.equal = std::min(num_equal, most - room.other);
  return room;
}

std::string similar_html(const SimilarReport& report) {
  const ExplorationAssets assets = similar_assets();
  std::string out = page_head(fmt::format("neardup: {} of similar files", counted(report.num_pairs, "pair")),
                              std::string(kPlainStyle).append(assets.style), /*has_script=*/true);
  append_similar_head(out, report);
  append_similar_pairs(out, report);
  append_not_compared(out, report);
  append_similar_settings(out, report);
  append_similar_help(out);
  out +=
      fmt::format("<footer>Written by neardup {}. This page is one file and loads nothing from elsewhere.</footer>\n",
                  escape_html(kVersion));
  out += "</main>\n";
  if (!report.pairs.empty() && !assets.script.empty())
    out.append("<script>\n").append(assets.script).append("</script>\n");
  return out + "</body>\n</html>\n";
}

}  // namespace neardup::report
