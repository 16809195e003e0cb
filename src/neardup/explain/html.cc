// The HTML page of `neardup explain`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "neardup/base/hash.h"
#include "neardup/base/sizes.h"
#include "neardup/base/utf8.h"
#include "neardup/explain/bits.h"
#include "neardup/explain/explain.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"
#include "neardup/report/page.h"

namespace neardup::explain {
namespace {

using recipe::ExplainedFingerprint;
using report::escape_html;

constexpr std::string_view kStyle = R"css(
.bits { display: grid; grid-template-columns: repeat(16, minmax(0, 1fr)); gap: 3px; margin: 0 0 1em; max-width: 760px; font: 11px/1.2 var(--mono); }
.bits div { border-radius: 4px; padding: 4px 0; text-align: center; border: 2px solid transparent; color: var(--ink); font-variant-numeric: tabular-nums; }
.bits .one { background: color-mix(in srgb, var(--kept) calc(12% + var(--sure) * 45%), transparent); }
.bits .zero { background: color-mix(in srgb, var(--near) calc(8% + var(--sure) * 38%), transparent); }
.bits .differs { border-color: var(--exact); }
.bits b { display: block; font-size: 13px; }
.marks { display: flex; flex-wrap: wrap; gap: 3px; margin: 0 0 1em; }
.marks i { width: 10px; height: 10px; border-radius: 2px; background: var(--tint); border: 1px solid var(--line); }
.marks i.yes { background: var(--kept); border-color: var(--kept); }
.wide-table { overflow-x: auto; }
.wide-table td:last-child, .wide-table th:last-child { text-align: start; white-space: normal; overflow-wrap: anywhere; min-width: 12em; }
.wide-table tbody th:first-child { width: auto; white-space: nowrap; overflow-wrap: normal; }
.push { display: inline-block; height: .7em; border-radius: 2px; background: var(--exact); margin-inline-end: .5em; }
.inline-diff { white-space: pre-wrap; overflow-wrap: anywhere; max-width: none; unicode-bidi: plaintext; }
details { margin: 0 0 1em; }
details table { margin-top: .6em; font-size: .88rem; }
@media (max-width: 680px) { .bits { grid-template-columns: repeat(8, minmax(0, 1fr)); } }
@media (max-width: 480px) { .bits { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
)css";

std::string number(double value) { return fmt::format("{:.9g}", std::round(value * 100) / 100 + 0.0); }

// Marks each line for itself, so that no mark hangs over a gap or an indentation.
std::string marked(std::string_view text, std::string_view tag) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::string out;
  while (!text.empty()) {
    const size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
    out += escape_html(text.substr(0, begin));
    text.remove_prefix(begin);
    const std::string_view line = text.substr(0, text.find('\n'));
    const size_t size = line.find_last_not_of(kSpace) + 1;
    if (size > 0) out += fmt::format("<{0}>{1}</{0}>", tag, escape_html(line.substr(0, size)));
    text.remove_prefix(size);
  }
  return out;
}

const char* letter(size_t index) { return index == 0 ? "A" : "B"; }

class Page {
 public:
  Page(const Explained& explained, const Style& style) : explained_(explained), style_(style) {}

  std::string paint() {
    out_ = report::page_head("neardup explain: " + escape_html(explained_.texts[0].source.name), kStyle);
    headline();
    if (explained_.content) out_ += content_html(*explained_.content);
    if (is_pair()) difference();
    const bool minhash_first = explained_.family == recipe::Family::kMinHash;
    if (minhash_first) signatures();
    for (size_t i = 0; i < explained_.recipe.fingerprints.size(); ++i) fingerprint(i);
    if (!minhash_first) signatures();
    return out_ + "</main>\n</body>\n</html>\n";
  }

 private:
  [[nodiscard]] bool is_pair() const { return explained_.texts.size() == 2; }

  void tile(const std::string& name, const std::string& value, const std::string& note) {
    out_ += fmt::format(R"(<div class="tile kept"><dt>{}</dt><dd>{}<small>{}</small></dd></div>)", escape_html(name),
                        value, escape_html(note));
  }

  // What dedup makes of the two, as on the terminal.
  [[nodiscard]] std::string title() const { return is_pair() ? explained_.verdict.title : "One document"; }

  void headline() {
    out_ += fmt::format("<header>\n<p class=\"brand\"><b>neardup</b> explain</p>\n<h1>{}</h1>\n", escape_html(title()));
    for (const std::string& reason : explained_.verdict.reasons)
      out_ += fmt::format("<p>{}</p>\n", escape_html(reason));
    for (size_t i = 0; i < explained_.texts.size(); ++i) {
      const ExplainedText& text = explained_.texts[i];
      out_ += fmt::format(
          "<p class=\"lead\"><b>{}</b> {}: {}, {}{}</p>\n", letter(i),
          escape_html(cut_at_character(text.source.name, 300)), report::counted(text.explanation.num_tokens, "token"),
          report::bytes(text.explanation.normalized.size()),
          text.explanation.has_features ? ""
          : text.explanation.cut        ? "; not read to its end: only an equal text is a duplicate"
          : text.explanation.whole      ? "; too few tokens: only an equal text is a duplicate"
                                        : "; a page with hardly any text: only an equal text is a duplicate");
      for (const std::string& line : extraction_lines(text.explanation))
        out_ += fmt::format("<p>{}</p>\n", escape_html(cut_at_character(line, 400)));
    }
    out_ += "<dl class=\"tiles\">";
    if (is_pair()) pair_tiles();
    tile("Recipe", escape_html(explained_.recipe.name), recipe::recipe_id(explained_.recipe));
    out_ += "</dl>\n</header>\n";
  }

  void pair_tiles() {
    if (is_by_characters(explained_))
      tile("Characters of short texts", explained_.decision.verdict.similar ? "similar" : "not similar",
           fmt::format("similarity {:.3f}; decides", explained_.decision.verdict.similarity));
    const bool is_asked = explained_.decision.route != engine::PairRoute::kTooShort;
    for (const RuleVerdict& verdict : is_asked ? std::span(explained_.verdicts) : std::span<const RuleVerdict>())
      tile("--verify " + verify::to_string(verdict.rule), verdict_text(verdict.verdict),
           fmt::format("similarity {:.3f}{}", verdict.verdict.similarity,
                       verdict.by_characters ? " of characters" : ""));
    if (const auto& numbers = explained_.numbers)
      tile("Numbers", fmt::format("{} of {}", numbers->same, numbers->placed), numbers_line(*numbers));
    if (explained_.match)
      tile("MinHash", fmt::format("{} of {}", explained_.match->num_equal, explained_.match->equal.size()),
           explained_.match->num_bands_met > 0 ? "values are equal: candidates" : "values are equal: no candidates");
    if (is_by_characters(explained_)) return;  // fingerprints take no part
    for (size_t i = 0; i < explained_.recipe.fingerprints.size(); ++i) {
      const auto fingerprints = fingerprints_of(i);
      if (fingerprints.size() < 2) continue;
      tile(fmt::format("Fingerprint {}", i + 1),
           fmt::format("{} bits", differing_bits(fingerprints[0]->fingerprint, fingerprints[1]->fingerprint).size()),
           spec_text(explained_.recipe.fingerprints[i]));
    }
  }

  void difference() {
    constexpr size_t kContext = 120;
    out_ +=
        "<section>\n<h2>Difference</h2>\n<p>Only in A: <ins>so</ins>, only in B: "
        "<del>so</del>";
    if (const size_t folded = diff::count_folded(explained_.diff); folded > 0)
      out_ += fmt::format("; {} differently written, the same to the recipe", report::counted(folded, "word"));
    out_ += "</p>\n";
    for (const diff::DiffHunk& hunk : diff::fold_equal(diff::merge_small_matches(explained_.diff), kContext)) {
      if (hunk.skipped_characters > 0)
        out_ +=
            fmt::format("<p class=\"fold\">{} the same</p>\n", report::counted(hunk.skipped_characters, "character"));
      if (!hunk.pieces.empty()) inline_diff(hunk);
    }
    out_ += "</section>\n";
  }

  void inline_diff(const diff::DiffHunk& hunk) {
    out_ += "<p class=\"inline-diff\" dir=\"auto\">";
    for (const diff::DiffPiece& piece : hunk.pieces) {
      const bool only_a = piece.kind == diff::DiffKind::kOnlyA, only_b = piece.kind == diff::DiffKind::kOnlyB;
      out_ += only_a ? marked(piece.a, "ins") : only_b ? marked(piece.b, "del") : escape_html(piece.b);
    }
    out_ += "</p>\n";
  }

  void marks(const std::vector<bool>& marks, const std::string& label) {
    out_ += fmt::format("<div class=\"marks\" role=\"img\" aria-label=\"{}\">", label);
    for (const bool mark : marks) out_ += mark ? "<i class=\"yes\"></i>" : "<i></i>";
    out_ += "</div>\n";
  }

  void signatures() {
    if (explained_.texts[0].signature.empty()) return;
    const recipe::MinHashSpec spec = signed_as(explained_);
    const std::string ngrams =
        is_by_characters(explained_) ? "character n-grams" : fmt::format("{}-grams of tokens", spec.ngram);
    out_ += fmt::format("<section>\n<h2>MinHash</h2>\n<p>{} values of {}, {} bands of {}.</p>\n", spec.num_values,
                        ngrams, spec.bands, spec.rows);
    if (explained_.match) {
      const engine::SignatureMatch& match = *explained_.match;
      const std::string values = fmt::format("{} of {} values are equal", match.num_equal, spec.num_values);
      const std::string bands = fmt::format("{} of {} bands are equal", match.num_bands_met, spec.bands);
      out_ += fmt::format("<h3>{}: Jaccard about {:.2f} \u00b1 {:.2f}</h3>\n", values, match.jaccard, match.error);
      marks(match.equal, values);
      out_ += fmt::format("<h3>{}: {}</h3>\n", bands, match.num_bands_met > 0 ? "candidates" : "no candidates");
      marks(match.bands, bands);
      out_ += fmt::format("<p>Texts of that similarity become candidates with a probability of {:.3f}.</p>\n",
                          match.probability);
    }
    out_ += "</section>\n";
  }

  [[nodiscard]] std::vector<const ExplainedFingerprint*> fingerprints_of(size_t index) const {
    std::vector<const ExplainedFingerprint*> fingerprints;
    for (const ExplainedText& text : explained_.texts)
      if (text.explanation.has_features) fingerprints.push_back(&text.explanation.fingerprints[index]);
    return fingerprints;
  }

  void fingerprint(size_t index) {
    const auto fingerprints = fingerprints_of(index);
    if (fingerprints.size() < explained_.texts.size()) return;
    out_ += fmt::format("<section>\n<h2>Fingerprint {} of {}</h2>\n<p>{}.</p>\n", index + 1,
                        explained_.recipe.fingerprints.size(), spec_text(explained_.recipe.fingerprints[index]));
    const uint64_t differing = is_pair() ? fingerprints[0]->fingerprint ^ fingerprints[1]->fingerprint : 0;
    for (size_t i = 0; i < fingerprints.size(); ++i) bit_grid(*fingerprints[i], differing, is_pair() ? letter(i) : "");
    if (is_pair()) movers(*fingerprints[0], *fingerprints[1]);
    features(fingerprints);
    for (size_t i = 0; i < fingerprints.size(); ++i)
      bit_details(*fingerprints[i], differing, is_pair() ? letter(i) : "");
    out_ += "</section>\n";
  }

  void bit_grid(const ExplainedFingerprint& explained_fingerprint, uint64_t differing, const char* name) {
    double most = 0;
    for (const double votes : explained_fingerprint.counters) most = std::max(most, std::abs(votes));
    out_ += fmt::format("<h3>{} {}</h3>\n<div class=\"bits\">", name, to_hex(explained_fingerprint.fingerprint));
    for (int bit = fingerprint::kNumBits - 1; bit >= 0; --bit) {
      const double votes = explained_fingerprint.counters[static_cast<size_t>(bit)];
      const bool one = (explained_fingerprint.fingerprint >> bit & 1) != 0;
      out_ += fmt::format(R"(<div class="{}{}" style="--sure:{:.2f}"><b>{}</b>{}</div>)", one ? "one" : "zero",
                          (differing >> bit & 1) != 0 ? " differs" : "", most > 0 ? std::abs(votes) / most : 0,
                          one ? 1 : 0, number(votes));
    }
    out_ += "</div>\n";
  }

  void begin_table(const std::string& head) {
    out_ += "<div class=\"wide-table\" tabindex=\"0\"><table>\n<thead><tr>" + head + "</tr></thead>\n<tbody>\n";
  }

  void movers(const ExplainedFingerprint& a, const ExplainedFingerprint& b) {
    const std::vector<Mover> movers = find_movers(a, b);
    if (movers.empty()) return;
    out_ +=
        "<h3>What made the bits differ</h3>\n<p>Each feature's share of the push from A's side to B's, in bits; all "
        "add up to the distance.</p>\n";
    begin_table("<th>bits</th><th>A</th><th>B</th><th>feature</th>");
    for (size_t i = 0; i < limit(movers.size()); ++i) {
      const FeatureRow& row = movers[i].feature;
      out_ += fmt::format(
          "<tr><th>{}</th><td>{}</td><td>{}</td><td><span class=\"push\" style=\"width:{:.1f}em\"></span>"
          "{}</td></tr>\n",
          number(movers[i].bits), row.counts[0] == 0 ? "\u2013" : number(row.weights[0]),
          row.counts[1] == 0 ? "\u2013" : number(row.weights[1]), 6 * movers[i].bits / movers[0].bits,
          escape_html(row.text));
    }
    end_table(movers.size());
  }

  void features(const std::vector<const ExplainedFingerprint*>& fingerprints) {
    const std::vector<FeatureRow> rows = merge_features(fingerprints);
    out_ += "<h3>Features</h3>\n";
    begin_table(is_pair() ? "<th>A</th><th>B</th><th>feature</th>" : "<th>weight</th><th>feature</th>");
    const auto cell = [](const FeatureRow& row, size_t i) {
      return row.counts[i] == 0  ? std::string("\u2013")
             : row.counts[i] > 1 ? fmt::format("{} \u00d7{}", number(row.weights[i]), row.counts[i])
                                 : number(row.weights[i]);
    };
    for (size_t i = 0; i < limit(rows.size()); ++i) {
      out_ += fmt::format("<tr><th>{}</th>", cell(rows[i], 0));
      if (is_pair()) out_ += fmt::format("<td>{}</td>", cell(rows[i], 1));
      out_ += fmt::format("<td>{}</td></tr>\n", escape_html(rows[i].text));
    }
    end_table(rows.size());
  }

  void bit_details(const ExplainedFingerprint& explained_fingerprint, uint64_t differing, const char* name) {
    constexpr size_t kTop = 4;
    out_ += fmt::format("<details><summary>What made each bit{}{}</summary>\n", *name != '\0' ? " of " : "", name);
    begin_table("<th>bit</th><th>for 1</th><th>for 0</th><th>heaviest for 1, for 0 (share of all weights)</th>");
    for (int bit = fingerprint::kNumBits - 1; bit >= 0; --bit) {
      const BitVotes votes = explain_bit(explained_fingerprint, bit, kTop);
      out_ += fmt::format("<tr><th>{} = {}{}</th><td>{}</td><td>{}</td><td>{}<br>{}</td></tr>\n", bit,
                          (explained_fingerprint.fingerprint >> bit & 1) != 0 ? 1 : 0,
                          (differing >> bit & 1) != 0 ? " *" : "", number(votes.pro), number(votes.contra),
                          shares(votes.top_pro), shares(votes.top_contra));
    }
    out_ += "</tbody></table></div></details>\n";
  }

  static std::string shares(const std::vector<BitShare>& shares) {
    std::string out;
    for (const BitShare& share : shares)
      out +=
          fmt::format("{}{} ({:.1f} %)", out.empty() ? "" : ", ", escape_html(share.feature->text), share.share * 100);
    return out.empty() ? "\u2013" : out;
  }

  [[nodiscard]] size_t limit(size_t count) const { return style_.top == 0 ? count : std::min(style_.top, count); }

  void end_table(size_t count) {
    out_ += "</tbody></table></div>\n";
    if (limit(count) < count)
      out_ += fmt::format("<p class=\"axis\">and {} more</p>\n", human_count(count - limit(count)));
  }

  const Explained& explained_;
  const Style& style_;
  std::string out_;
};

}  // namespace

std::string explain_html(const Explained& explained, const Style& style) { return Page(explained, style).paint(); }

}  // namespace neardup::explain
