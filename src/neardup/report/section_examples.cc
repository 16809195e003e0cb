#include <fmt/format.h>

#include <algorithm>

#include "neardup/report/characters.h"
#include "neardup/report/diff.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"
#include "neardup/report/sections.h"

namespace neardup::report {
namespace {

constexpr size_t kContext = 90;             // characters of equal text beside a change
constexpr size_t kMaxTextBytes = 32 << 10;  // of one side of an example
constexpr size_t kMaxChangeBytes = 900;     // of one change; a longer one loses its middle
constexpr int kBits = 64;                   // a larger distance is not known
constexpr size_t kMaxExcerptBytes = 700;

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

// The words of one change, without the white space after them, so that no mark hangs over a gap.
void append_marked(std::string& out, std::string_view text, const char* tag) {
  std::string_view words = trim_space(text);
  std::string_view space = text.substr(words.size());
  out += fmt::format("<{}>", tag);
  if (words.size() <= kMaxChangeBytes) {
    out += escape_html(words);
  } else {
    std::string_view head = cut_at_character(words, kMaxChangeBytes * 2 / 3);
    std::string_view before_tail = cut_at_character(words, words.size() - kMaxChangeBytes / 3);
    out += fmt::format("{}<i class=\"cut\">\u2026 {} more bytes \u2026</i>{}", escape_html(head),
                       thousands(before_tail.size() - head.size()), escape_html(words.substr(before_tail.size())));
  }
  out += fmt::format("</{}>{}", tag, escape_html(space));
}

// One side of a hunk. White space at both ends is dropped: the hunk is a piece of a text anyway.
void append_side(std::string& out, const DiffHunk& hunk, DiffKind side, const char* label) {
  const char* tag = side == DiffKind::kOnlyA ? "ins" : "del";
  out += fmt::format("<div class=\"side\" dir=\"auto\" lang=\"\" data-label=\"{}\">", label);
  for (size_t i = 0; i < hunk.pieces.size(); ++i) {
    const DiffPiece& piece = hunk.pieces[i];
    std::string_view text = side == DiffKind::kOnlyA ? piece.a : piece.b;
    if (i == 0) text = skip_blank_lines(text);
    if (i + 1 == hunk.pieces.size()) text = trim_space(text);
    if (piece.kind == DiffKind::kEqual) {
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

void append_diff(std::string& out, const PairExample& pair) {
  std::string_view kept = cut_at_character(pair.kept_text, kMaxTextBytes);
  std::string_view removed_side = cut_at_character(pair.removed_text, kMaxTextBytes);
  std::vector<DiffPiece> pieces = merge_small_matches(diff_words(kept, removed_side));
  bool is_same =
      std::all_of(pieces.begin(), pieces.end(), [](const DiffPiece& p) { return p.kind == DiffKind::kEqual; });
  if (is_same) out += "<p class=\"same\">The words shown are the same in both.</p>\n";
  for (const DiffHunk& hunk : fold_equal(pieces, is_same ? 4 * kContext : kContext)) {
    append_fold(out, hunk.skipped_characters);
    if (hunk.pieces.empty()) continue;
    out += is_same ? "<div class=\"hunk one\">" : "<div class=\"hunk\">";
    append_side(out, hunk, DiffKind::kOnlyA, "kept");
    if (!is_same) append_side(out, hunk, DiffKind::kOnlyB, "removed");
    out += "</div>\n";
  }
}

void append_pair(std::string& out, const PairExample& pair) {
  bool is_exact = pair.kind == "exact";
  out += fmt::format("<article class=\"pair\" data-kind=\"{}\">\n<h3>", is_exact ? "exact" : "near");
  if (is_exact) {
    out += "<b class=\"badge exact\">exact copy</b>";
  } else {
    out += fmt::format("<b class=\"badge near\">near-duplicate</b> <span>similarity <b>{}</b></span>",
                       similarity(pair.similarity));
    if (pair.distance <= kBits) out += fmt::format(" <span>distance <b>{}</b></span>", pair.distance);
  }
  out += fmt::format("</h3>\n<div class=\"ids\"><p><span>kept</span> {}</p><p><span>removed</span> {}</p></div>\n",
                     name_html(pair.kept_id), name_html(pair.removed_id));
  append_diff(out, pair);
  out += "</article>\n";
}

void append_members(std::string& out, const ClusterExample& cluster) {
  out += "<p class=\"members\"><span>removed</span> ";
  for (const std::string& id : cluster.member_ids) out += name_html(id) + " ";
  uint64_t shown = cluster.member_ids.size() + 1;  // the kept one is in the size
  if (cluster.size > shown) out += fmt::format("<span>and {} more</span>", thousands(cluster.size - shown));
  out += "</p>\n";
}

void append_cluster(std::string& out, const ClusterExample& cluster, const Report& report) {
  std::string_view excerpt = cut_at_character(cluster.kept_excerpt, kMaxExcerptBytes);
  out += fmt::format("<li><p class=\"size\"><b>{}</b> documents <span>{} of all</span></p>\n<div>",
                     thousands(cluster.size), percent(cluster.size, report.total.read));
  out += fmt::format("<p class=\"kept-id\"><span>kept</span> {}</p>\n", name_html(cluster.kept_id));
  if (!excerpt.empty()) {
    out += fmt::format("<blockquote dir=\"auto\" lang=\"\">{}{}</blockquote>\n", escape_html(trim_space(excerpt)),
                       excerpt.size() < cluster.kept_excerpt.size() ? "\u2026" : "");
  }
  append_members(out, cluster);
  out += "</div></li>\n";
}

}  // namespace

void append_clusters(std::string& out, const Report& report) {
  if (report.largest_clusters.empty()) return;
  out +=
      "<p>Each shows the document that stays, how it begins, and some of those removed for it. "
      "All are in <code>clusters.jsonl</code>.</p>\n<ol class=\"clusters\">\n";
  for (const ClusterExample& cluster : report.largest_clusters) append_cluster(out, cluster, report);
  out += "</ol>\n";
}

void append_examples(std::string& out, const Report& report) {
  if (report.examples.empty()) return;
  out +=
      "<p>A removed document beside the one kept for it: <ins>words that only the kept text has</ins>, "
      "<del>words that only the removed text has</del>. Long stretches without a difference are left out; "
      "differences in white space are not marked.</p>\n<div class=\"filter\" hidden></div>\n";
  for (const PairExample& pair : report.examples) append_pair(out, pair);
}

}  // namespace neardup::report
