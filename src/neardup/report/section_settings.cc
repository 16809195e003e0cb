#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "neardup/base/parse_json.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"
#include "neardup/report/sections.h"

namespace neardup::report {
namespace {

// As the user wrote it where it is not JSON.
std::string pretty_recipe(const Report& report) {
  const auto json = parse_json<nlohmann::ordered_json>(report.recipe_json);
  if (!json) return report.recipe_json;
  return json->dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string verify_meaning(const std::string& rule) {
  if (rule == "content")
    return "would a reader call the two the same? Of their word 3-grams, those that few documents of the corpus have "
           "count most, and other numbers count against it";
  if (rule == "origin") return "are the two versions of one text? Judged by shared word 3-grams";
  if (rule == "origin --templates")
    return "are the two versions of one text? Judged by shared word 3-grams; and where both have a place for a number, "
           "is it the same number?";
  if (rule == "none") return "fingerprints alone decide";
  if (rule == "code" || rule.starts_with("code:"))
    return "is the one source code a copy of the other? Judged by n-grams of its tokens";
  if (rule.starts_with("jaccard:")) return "the least similarity of the sets of word 5-grams";
  return "";
}

std::string cluster_meaning(const std::string& cluster) {
  if (cluster == "star") return "every removed document is similar to the kept one itself";
  if (cluster == "components") return "chains of similar pairs count as one cluster";
  return "";
}

void append_setting(std::string& out, const char* name, const std::string& value, const std::string& meaning = "") {
  if (value.empty()) return;
  out += fmt::format("<div><dt>{}</dt><dd><code>{}</code>", name, escape_html(value));
  if (!meaning.empty()) out += fmt::format(" <span>{}</span>", meaning);
  out += "</dd></div>\n";
}

constexpr const char* kSimHashHelp =
    R"(<div><dt>Near-duplicate</dt><dd>The fingerprints differ in few bits, and the comparison of the texts confirmed it (unless verification was off).</dd></div>
<div><dt>Distance</dt><dd>The number of the 64 bits in which two fingerprints differ. It finds candidates; it does not decide.</dd></div>
)";
constexpr const char* kMinHashHelp =
    R"(<div><dt>Near-duplicate</dt><dd>The signatures agree in a band, and the comparison of the texts confirmed it (unless verification was off).</dd></div>
<div><dt>Distance</dt><dd>The number of values in which two signatures differ: about the share of word n-grams that the texts do not have in common. It finds candidates; it does not decide.</dd></div>
)";

constexpr const char* kContainedHelp =
    R"(<div><dt>Contained</dt><dd>A longer document that is kept holds nearly all of it: a quote, an excerpt. The share is that of its words that stand in runs of eight and more which both have; runs that many documents have count for nothing. The long one is never removed for it.</dd></div>
)";

void append_candidates(std::string& out, const Report& report) {
  if (report.num_values == 0) {
    return append_setting(out, "Distance", std::to_string(report.distance),
                          "pairs that differ in at most so many bits are candidates");
  }
  append_setting(out, "Bands", fmt::format("{} of {}", report.num_bands, report.band_rows),
                 fmt::format("pairs whose MinHash signatures of {} values agree in all values of a band are candidates",
                             report.num_values));
}

}  // namespace

void append_settings(std::string& out, const Report& report) {
  out += "<dl class=\"settings\">\n";
  append_setting(out, "Recipe", report.recipe_id, "how a text becomes a fingerprint, in full below");
  append_candidates(out, report);
  append_setting(out, "Verify", report.verify, verify_meaning(report.verify));
  if (!report.within_key.empty())
    append_setting(out, "Within", report.within_key, "only documents with equal values of this field are compared");
  if (report.size_within) {
    append_setting(out, "Size within", fmt::format("{:.4g}%", *report.size_within * 100),
                   "texts whose sizes differ by more are not duplicates");
  }
  if (report.contained)
    append_setting(out, "Contained", fmt::format("{:.4g}", *report.contained),
                   "documents of which a longer one holds this share are removed, too");
  append_setting(out, "Keep", report.keep, "which document of a cluster stays");
  append_setting(out, "Cluster", report.cluster, cluster_meaning(report.cluster));
  append_setting(out, "Mode", report.mode);
  append_setting(out, "Threads", std::to_string(report.num_threads));
  out += "</dl>\n";
  if (!report.command.empty()) out += fmt::format("<h3>Command</h3>\n<pre>{}</pre>\n", escape_html(report.command));
  if (!report.recipe_json.empty()) {
    out += fmt::format("<h3>Recipe</h3>\n<pre class=\"recipe\">{}</pre>\n", escape_html(pretty_recipe(report)));
  }
}

void append_reading_help(std::string& out, const Report& report) {
  out += R"(<dl class="help">
<div><dt>Kept, removed, rejected</dt><dd>Every document read is one of these, and nothing is lost: read = kept + removed + rejected. Each removed document names a kept one as <code>duplicate_of</code> in <code>)";
  out += report.has_files ? "duplicates.jsonl" : "result.duplicates";
  out += R"(</code>.</dd></div>
<div><dt>Equal text</dt><dd>Once normalised, as the recipe says, it is the text of the kept document: but for letter case, accents, width and white space, in most recipes; their checksums are equal. Other punctuation makes a near-duplicate.</dd></div>
)";
  out += report.num_values == 0 ? kSimHashHelp : kMinHashHelp;
  if (report.contained) out += kContainedHelp;
  out +=
      R"(<div><dt>Similarity</dt><dd>The share of word n-grams that two texts have in common, out of all that either has: 0 nothing, 1 the same. Under <code>--verify content</code> rare ones weigh more, and other numbers lower it. One changed word touches several n-grams, so .80 is already a close reprint.</dd></div>
<div><dt>Too much or too little removed?</dt><dd>Read the examples of lowest similarity. If unrelated texts are together, raise the bar (<code>--verify jaccard:0.8</code>; after <code>--verify origin</code> take <code>content</code>, the default); if duplicates are left, compare with <code>--verify none</code> what verification turned away. <code>neardup explain A B</code> shows why a pair is or is not one.</dd></div>
</dl>
)";
}

void append_colophon(std::string& out, const Report& report) {
  out +=
      fmt::format("<footer>Written by neardup {}. {}This page is one file and loads nothing from elsewhere.</footer>\n",
                  escape_html(report.version),
                  report.has_files ? "The same figures, for programs: <code>report.json</code>. " : "");
}

}  // namespace neardup::report
