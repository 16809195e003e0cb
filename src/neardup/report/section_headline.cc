#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/sizes.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"
#include "neardup/report/sections.h"
#include "neardup/report/tally.h"
#include "neardup/report/warnings.h"

namespace neardup::report {
namespace {

std::string removed_sentence(const Tally& total) {
  if (total.rejected > 0 && total.rejected == total.read) return "Nothing was compared: every record was rejected. ";
  if (removed(total) == 0) return "No document had a duplicate. ";
  const std::string equal = total.exact == 1 ? "1 equal text" : human_count(total.exact) + " equal texts";
  const std::string near = counted(total.near, "near-duplicate");
  return fmt::format("Removed {} ({}): {} of a document that is kept. ", human_count(removed(total)),
                     percent(removed(total), total.read),
                     total.contained == 0
                         ? equal + " and " + near
                         : fmt::format("{}, {} and {}", equal, near, counted(total.contained, "excerpt")));
}

std::string mode_sentence(const Report& report) {
  if (report.mode == "annotate") return "Every document is written; the removed ones are marked, not left out. ";
  if (report.mode == "ids") return "Only the ids of the kept documents are written. ";
  return "";
}

std::string store_sentence(const StoreUse& store) {
  const std::string text = fmt::format("Compared with the store {}, of whose {} {} repeated. ", escape_html(store.name),
                                       counted(store.num_documents, "document"), human_count(store.num_repeated));
  if (!store.takes_kept) return text;
  return text + fmt::format("{} became part of it. ", counted(store.num_added, "document"));
}

std::string lead(const Report& report) {
  const Tally& total = report.total;
  std::string text = removed_sentence(total);
  if (total.rejected > 0) text += fmt::format("{} could not be read. ", counted(total.rejected, "document"));
  if (total.bytes_removed > 0) {
    text += fmt::format("The text shrank from {} to {}. ", bytes(total.bytes_read),
                        bytes(total.bytes_read - std::min(total.bytes_read, total.bytes_removed)));
  }
  if (report.num_references > 0) {
    text +=
        fmt::format("Compared with {}, which were only read. ", counted(report.num_references, "reference document"));
  }
  if (report.store) text += store_sentence(*report.store);
  return text + mode_sentence(report);
}

void append_tiles(std::string& out, const Report& report) {
  const Tally& total = report.total;
  out += "<dl class=\"tiles\">\n";
  append_tile(out, "read", human_count(total.read), "Read", bytes(total.bytes_read));
  append_tile(out, "kept", human_count(total.kept), "Kept", percent(total.kept, total.read));
  append_tile(out, "near", human_count(total.near), "Near-duplicates", percent(total.near, total.read) + ", removed");
  if (report.contained)
    append_tile(out, "contained", human_count(total.contained), "Contained",
                percent(total.contained, total.read) + ", removed");
  append_tile(out, "exact", human_count(total.exact), "Equal texts", percent(total.exact, total.read) + ", removed");
  append_tile(out, "rejected", human_count(total.rejected), "Rejected",
              percent(total.rejected, total.read) + (total.rejected == 0 ? ""
                                                     : report.has_files  ? ", see rejected.jsonl; not kept"
                                                                         : ", not kept"));
  append_tile(out, "saved", bytes(total.bytes_removed), "Text saved", percent(total.bytes_removed, total.bytes_read));
  out += "</dl>\n";
}

void append_facts(std::string& out, const Report& report) {
  out += "<ul class=\"facts\">";
  auto fact = [&out](const std::string& number, const std::string& words) {
    out += fmt::format("<li><b>{}</b> {}</li>", number, words);
  };
  fact(human_count(report.num_clusters), report.num_clusters == 1 ? "cluster" : "clusters");
  if (!report.cluster_sizes.empty()) {
    fact(human_count(report.cluster_sizes.back().first), "documents in the largest cluster");
  }
  fact(human_count(report.num_candidates), "candidate pairs");
  fact(human_count(report.num_verified), "pairs of different texts compared");
  fact(human_count(report.num_similar), "of them similar (equal texts share their pair)");
  if (report.contained) fact(human_count(report.contained_verified), "pairs compared for one to contain the other");
  if (report.num_filtered > 0) fact(human_count(report.num_filtered), "candidates left out by field or size");
  if (report.num_short > 0) fact(human_count(report.num_short), "short texts, compared by characters");
  if (report.num_too_short > 0) fact(human_count(report.num_too_short), "too short for a fingerprint");
  if (report.num_duplicate_ids > 0) fact(human_count(report.num_duplicate_ids), "documents with the id of another");
  fact(duration(report.seconds), "in all");
  fact(byte_rate(report.total.bytes_read, report.seconds), "of text");
  fact(bytes(report.peak_memory_bytes), "memory at most");
  out += "</ul>\n";
}

}  // namespace

void append_tile(std::string& out, const char* kind, const std::string& value, const char* label,
                 const std::string& detail) {
  out += fmt::format("<div class=\"tile {}\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", kind, label,
                     escape_html(value), escape_html(detail));
}

void append_headline(std::string& out, const Report& report) {
  const Tally& total = report.total;
  out += "<header>\n<p class=\"brand\"><b>neardup</b> deduplication report";
  if (!report.started.empty()) out += fmt::format(" <time>{}</time>", escape_html(report.started));
  out += fmt::format("</p>\n<h1>Read {}, kept {}.</h1>\n<p class=\"lead\">{}</p>\n", counted(total.read, "document"),
                     human_count(total.kept), escape_html(lead(report)));
  out += split_bar(total) + "\n";
  append_tiles(out, report);
  append_facts(out, report);
  out += "</header>\n";
}

void append_warning_list(std::string& out, const Report& report) {
  std::vector<std::string> warnings = all_warnings(report);
  if (warnings.empty()) return;
  out += fmt::format("<aside class=\"warnings\" aria-label=\"Warnings\">\n<h2>{} to look at</h2>\n<ul>\n",
                     counted(warnings.size(), "thing"));
  for (const std::string& warning : warnings) out += "<li dir=\"auto\">" + escape_html(warning) + "</li>\n";
  out += "</ul>\n</aside>\n";
}

}  // namespace neardup::report
