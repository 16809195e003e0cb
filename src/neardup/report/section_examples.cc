#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "neardup/base/sizes.h"
#include "neardup/base/utf8.h"
#include "neardup/diff/characters.h"
#include "neardup/diff/diff.h"
#include "neardup/diff/reflow.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"
#include "neardup/report/sections.h"

namespace neardup::report {
namespace {

constexpr size_t kContext = 90;             // characters of equal text beside a change
constexpr size_t kMaxTextBytes = 32 << 10;  // of one side of an example
constexpr size_t kMaxChangeBytes = 900;     // of one change; a longer one loses its middle
constexpr size_t kMaxShownBytes = 3000;     // of one side with its changes; what differs beyond is only counted
constexpr size_t kMaxExcerptBytes = 230;    // a little less than is kept, so that a cut word does not show
constexpr size_t kOpenClusters = 10;
constexpr size_t kOpenPairs = 2;  // of each band
constexpr int kNoBand = -1;       // of equal texts

std::string_view trim_space(std::string_view text) {
  size_t end = text.find_last_not_of(" \t\r\n");
  return end == text.npos ? std::string_view{} : text.substr(0, end + 1);
}

std::string_view skip_blank_lines(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return text;
  size_t line = text.rfind('\n', first);
  return line == text.npos ? text : text.substr(line + 1);
}

// Marks each line for itself, so that no mark hangs over a gap or an indentation.
void append_lines(std::string& out, std::string_view text, const char* tag) {
  constexpr std::string_view kSpace = " \t\r\n";
  while (!text.empty()) {
    size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
    out += escape_html(text.substr(0, begin));
    text.remove_prefix(begin);
    std::string_view line = trim_space(text.substr(0, text.find('\n')));
    if (!line.empty()) out += fmt::format("<{0}>{1}</{0}>", tag, escape_html(line));
    text.remove_prefix(line.size());
  }
}

// One change; a long one loses its middle.
void append_marked(std::string& out, std::string_view text, const char* tag) {
  if (text.size() <= kMaxChangeBytes) return append_lines(out, text, tag);
  std::string_view head = cut_at_character(text, kMaxChangeBytes * 2 / 3);
  std::string_view before_tail = cut_at_character(text, text.size() - kMaxChangeBytes / 3);
  append_lines(out, head, tag);
  out += fmt::format("<i class=\"cut\">{} more bytes</i>", human_count(before_tail.size() - head.size()));
  append_lines(out, text.substr(before_tail.size()), tag);
}

// One side of a hunk. White space at both ends is dropped: the hunk is a piece of a text anyway.
void append_side(std::string& out, const diff::DiffHunk& hunk, diff::DiffKind side, const char* label) {
  const char* tag = side == diff::DiffKind::kOnlyA ? "ins" : "del";
  out += fmt::format("<div class=\"side\" dir=\"auto\" lang=\"\" data-label=\"{}\">", label);
  for (size_t i = 0; i < hunk.pieces.size(); ++i) {
    const diff::DiffPiece& piece = hunk.pieces[i];
    std::string_view text = side == diff::DiffKind::kOnlyA ? piece.a : piece.b;
    if (i == 0) text = skip_blank_lines(text);
    if (i + 1 == hunk.pieces.size()) text = trim_space(text);
    if (piece.kind == diff::DiffKind::kEqual) {
      out += escape_html(text);
    } else if (!text.empty()) {
      append_marked(out, text, tag);
    }
  }
  out += "</div>";
}

void append_fold(std::string& out, size_t skipped) {
  if (skipped > 0) out += fmt::format("<p class=\"fold\">{} the same</p>\n", counted(skipped, "character"));
}

size_t shown_size(const diff::DiffPiece& piece) {
  size_t size = std::max(piece.a.size(), piece.b.size());
  return std::min(size, piece.kind == diff::DiffKind::kEqual ? 2 * kContext : kMaxChangeBytes);
}

// Drops what is beyond the room for one example; returns how many changed pieces that were.
size_t drop_rest(std::vector<diff::DiffPiece>& pieces) {
  size_t shown = 0, first_dropped = 0;
  while (first_dropped < pieces.size() && shown < kMaxShownBytes) shown += shown_size(pieces[first_dropped++]);
  size_t dropped = 0;
  for (size_t i = first_dropped; i < pieces.size(); ++i) dropped += pieces[i].kind != diff::DiffKind::kEqual;
  if (dropped > 0) pieces.resize(first_dropped);
  return dropped;
}

void append_hunks(std::string& out, const std::vector<diff::DiffPiece>& pieces, bool is_same) {
  for (const diff::DiffHunk& hunk : diff::fold_equal(pieces, is_same ? 4 * kContext : kContext)) {
    append_fold(out, hunk.skipped_characters);
    if (hunk.pieces.empty()) continue;
    out += is_same ? "<div class=\"hunk one\">" : "<div class=\"hunk\">";
    append_side(out, hunk, diff::DiffKind::kOnlyA, "kept");
    if (!is_same) append_side(out, hunk, diff::DiffKind::kOnlyB, "removed");
    out += "</div>\n";
  }
}

// A text that goes on ends at a word: half of one would differ from the whole.
std::string_view cut_at_word(std::string_view text, bool is_cut) {
  const size_t limit = std::min(text.size(), kMaxTextBytes);
  if (!is_cut && limit == text.size()) return text;
  const std::string_view head = cut_at_character(text, limit);
  const size_t space = head.find_last_of(" \t\r\n");
  return space == head.npos || space < head.size() / 2 ? head : head.substr(0, space);
}

// What stands alone at the end of one text is no difference where the other one was cut before it.
void drop_what_the_cut_left(std::vector<diff::DiffPiece>& pieces, bool a_is_cut, bool b_is_cut) {
  while (!pieces.empty()) {
    const diff::DiffKind kind = pieces.back().kind;
    const bool by_the_cut =
        (kind == diff::DiffKind::kOnlyA && b_is_cut) || (kind == diff::DiffKind::kOnlyB && a_is_cut);
    if (!by_the_cut) return;
    pieces.pop_back();
  }
}

void append_diff(std::string& out, const PairExample& pair, const diff::FoldWord& fold_word) {
  const bool kept_is_cut = pair.kept_is_cut || pair.kept_text.size() > kMaxTextBytes;
  const bool removed_is_cut = pair.removed_is_cut || pair.removed_text.size() > kMaxTextBytes;
  std::string kept = diff::reflow(cut_at_word(pair.kept_text, kept_is_cut));
  std::string removed_side = diff::reflow(cut_at_word(pair.removed_text, removed_is_cut));
  std::vector<diff::DiffPiece> pieces =
      diff::merge_small_matches(diff::diff_words(kept, removed_side, diff::kDefaultDiffSteps, fold_word));
  drop_what_the_cut_left(pieces, kept_is_cut, removed_is_cut);
  bool is_same = std::all_of(pieces.begin(), pieces.end(),
                             [](const diff::DiffPiece& p) { return p.kind == diff::DiffKind::kEqual; });
  const size_t folded = diff::count_folded(pieces);
  if (is_same) {
    out += fmt::format("<p class=\"same\">The words shown are {} in both.</p>\n",
                       folded > 0 ? "the same to the recipe" : "the same");
  }
  size_t dropped = drop_rest(pieces);
  append_hunks(out, pieces, is_same);
  if (dropped > 0) out += fmt::format("<p class=\"fold\">{} further on</p>\n", counted(dropped, "more change"));
  if (kept_is_cut || removed_is_cut) out += "<p class=\"fold\">the texts go on; their beginnings are compared</p>\n";
}

bool is_contained(const PairExample& pair) { return pair.kind == "contained"; }

void append_pair(std::string& out, const PairExample& pair, size_t number, const diff::FoldWord& fold_word) {
  out += fmt::format("<article class=\"pair\" id=\"pair-{}\" data-kind=\"{}\">\n<h3>", number,
                     pair.kind == "exact" || is_contained(pair) ? pair.kind : "near");
  if (is_contained(pair)) {
    out += fmt::format("<b class=\"badge contained\">contained</b> <span>share <b>{}</b></span>",
                       similarity(pair.similarity));
  } else if (pair.kind == "exact") {
    out += "<b class=\"badge exact\">equal text</b>";
  } else {
    out += fmt::format("<b class=\"badge near\">near-duplicate</b> <span>similarity <b>{}</b></span>",
                       similarity(pair.similarity));
    if (pair.distance < kUnknownDistance) out += fmt::format(" <span>distance <b>{}</b></span>", pair.distance);
  }
  out += fmt::format(" <a class=\"link\" href=\"#pair-{0}\" aria-label=\"#{0}, link to this pair\">#{0}</a>", number);
  out += fmt::format("</h3>\n<div class=\"ids\"><p><span>kept</span> {}</p><p><span>removed</span> {}</p></div>\n",
                     name_html(pair.kept_id), name_html(pair.removed_id));
  append_diff(out, pair, fold_word);
  if (!pair.command.empty())
    out += fmt::format("<p class=\"why\"><span>why</span> <code>{}</code></p>\n", escape_html(pair.command));
  out += "</article>\n";
}

// Examples of one kind and tenth of similarity stand together.
int band_of(const PairExample& pair) {
  if (pair.kind == "exact" || is_contained(pair) || !std::isfinite(pair.similarity)) return kNoBand;
  return static_cast<int>(std::floor(std::clamp(pair.similarity, 0.0, 1.0) * 10 + 1e-9));
}

size_t end_of_band(const std::vector<PairExample>& examples, size_t begin) {
  size_t end = begin;
  while (end < examples.size() && band_of(examples[end]) == band_of(examples[begin]) &&
         is_contained(examples[end]) == is_contained(examples[begin]))
    ++end;
  return end;
}

std::string more_of_band(size_t count, int band) {
  const std::string more = counted(count, "more example");
  if (band == kNoBand) return more;
  if (band == 10) return more + " of similarity 1";
  return more + fmt::format(" of similarity .{0}0 to .{0}9", band);
}

// The first of each band are open, so that the page can be read from top to bottom.
void append_bands(std::string& out, const Report& report) {
  const auto& examples = report.examples;
  for (size_t begin = 0, end = 0; begin < examples.size(); begin = end) {
    end = end_of_band(examples, begin);
    const size_t open = std::min(begin + kOpenPairs, end);
    for (size_t i = begin; i < open; ++i) append_pair(out, examples[i], i + 1, report.fold_word);
    if (open == end) continue;
    out += fmt::format("<details class=\"more\"><summary>{}</summary>\n",
                       more_of_band(end - open, band_of(examples[begin])));
    for (size_t i = open; i < end; ++i) append_pair(out, examples[i], i + 1, report.fold_word);
    out += "</details>\n";
  }
}

void append_members(std::string& out, const ClusterExample& cluster) {
  out += "<p class=\"members\"><span>removed</span> ";
  for (const std::string& id : cluster.member_ids) out += name_html(id) + " ";
  uint64_t shown = cluster.member_ids.size() + 1;  // the kept one is in the size
  if (cluster.size > shown) out += fmt::format("<span>and {} more</span>", human_count(cluster.size - shown));
  out += "</p>\n";
}

void append_cluster(std::string& out, const ClusterExample& cluster, size_t number, const Report& report) {
  std::string excerpt =
      diff::one_line(cluster.kept_excerpt, kMaxExcerptBytes, cluster.kept_excerpt.size() >= kMaxExcerptBytes);
  out += fmt::format("<li id=\"cluster-{}\">", number);
  out += fmt::format("<p class=\"size\"><b>{}</b> documents <span>{} of all</span></p>\n<div>",
                     human_count(cluster.size), escape_html(percent(cluster.size, report.total.read)));
  out += fmt::format("<p class=\"kept-id\"><span>kept</span> {}</p>\n", name_html(cluster.kept_id));
  if (!excerpt.empty()) {
    out += fmt::format("<blockquote dir=\"auto\" lang=\"\">{}</blockquote>\n", escape_html(excerpt));
  }
  append_members(out, cluster);
  out += "</div></li>\n";
}

}  // namespace

void append_clusters(std::string& out, const Report& report) {
  if (report.largest_clusters.empty()) return;
  out +=
      "<p>Each shows the document that stays, how it begins, and some of those removed for it. "
      "All are in <code>";
  out += report.has_files ? "clusters.jsonl" : "result.clusters";
  out += "</code>.</p>\n<ol class=\"clusters\">\n";
  size_t open = std::min(kOpenClusters, report.largest_clusters.size());
  for (size_t i = 0; i < open; ++i) append_cluster(out, report.largest_clusters[i], i + 1, report);
  out += "</ol>\n";
  if (open == report.largest_clusters.size()) return;
  out += fmt::format("<details><summary>{}</summary>\n<ol class=\"clusters\">\n",
                     counted(report.largest_clusters.size() - open, "more cluster"));
  for (size_t i = open; i < report.largest_clusters.size(); ++i)
    append_cluster(out, report.largest_clusters[i], i + 1, report);
  out += "</ol>\n</details>\n";
}

void append_examples(std::string& out, const Report& report) {
  if (report.examples.empty()) return;
  out +=
      "<p>Drawn from each band of similarity, the lowest first, where doubt is greatest. A removed document beside the "
      "one kept for it: <ins>words that only the kept text has</ins>, "
      "<del>words that only the removed text has</del>. Long stretches without a difference are left out; "
      "paragraphs are set anew, and differences in white space, and what the recipe makes equal (such as letter case), "
      "are not marked.</p>\n<div class=\"filter\" "
      "hidden></div>\n";
  append_bands(out, report);
}

}  // namespace neardup::report
