// The data behind the threshold, for the script of web/report. What is text goes through terminal_line() into JSON;
// what is not becomes packed numbers, as a page of 100,000 documents is read in no time so.
#include <fmt/format.h>

#include <algorithm>

#include "neardup/report/escape.h"
#include "neardup/report/script_data.h"
#include "neardup/report/sections.h"

namespace neardup::report {
namespace {

constexpr size_t kMostColumns = 80;  // of an id; the middle of a longer one is left out
constexpr size_t kMostSourceColumns = 120;
constexpr uint32_t kMostDistance = 0xFFFF;

bool is_plain(std::string_view text) {
  return text.size() <= kMostColumns && std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

void append_inert(std::string& out, std::string_view text, size_t most_columns) {
  append_script_string(out, is_plain(text) ? text : terminal_line(text, most_columns));
}

void append_documents(std::string& out, const Exploration& exploration) {
  out += "\"ids\":[";
  for (size_t i = 0; i < exploration.documents.size(); ++i) {
    if (i > 0) out += ',';
    append_inert(out, exploration.documents[i].id, kMostColumns);
  }
  std::vector<uint32_t> numbers;
  for (const ExploredDocument& document : exploration.documents)
    numbers.insert(numbers.end(), {document.source, document.text_bytes, document.same_as, document.example});
  out += "],\"documents\":\"";
  append_base64(out, numbers);
}

void append_explored_pairs(std::string& out, const Exploration& exploration) {
  std::vector<uint32_t> numbers;
  for (const ExploredPair& pair : exploration.pairs)
    numbers.insert(numbers.end(), {pair.better, pair.worse,
                                   packed_share(pair.similarity) << 16 |
                                       (pair.distance < kUnknownDistance ? pair.distance : kMostDistance)});
  out += "\",\"pairs\":\"";
  append_base64(out, numbers);
  out += fmt::format("\",\"hasAllPairs\":{},\"hasTooManyPairs\":{},\"areComponents\":{}", exploration.has_all_pairs,
                     exploration.has_too_many_pairs, exploration.are_components);
}

// Contained documents are no part of this: no threshold of similarity moves them.
uint64_t read(const Tally& tally) { return tally.read - tally.contained; }

void append_explored_sources(std::string& out, const std::vector<Tally>& sources) {
  out += ",\"sources\":[";
  for (size_t i = 0; i < sources.size(); ++i) {
    out += i > 0 ? ",{\"name\":" : "{\"name\":";
    append_inert(out, sources[i].name, kMostSourceColumns);
    out += fmt::format(",\"read\":{},\"kept\":{},\"exact\":{},\"near\":{},\"rejected\":{},\"bytes\":{}}}",
                       read(sources[i]), sources[i].kept, sources[i].exact, sources[i].near, sources[i].rejected,
                       sources[i].bytes_read);
  }
  out += ']';
}

void append_left_out(std::string& out, const LeftOut& left_out) {
  out += fmt::format(
      ",\"leftOut\":{{\"clusters\":{},\"largest\":{},\"kept\":{},\"exact\":{},\"near\":{},\"nearBySimilarity\":[{}]}}",
      left_out.clusters, left_out.largest, left_out.kept, left_out.exact, left_out.near,
      fmt::join(left_out.near_by_similarity, ","));
}

void append_rule(std::string& out, const Report& report) {
  out += ",\"verify\":";
  append_inert(out, report.verify, kMostColumns);
  out += ",\"explain\":";
  append_inert(out, report.exploration.explain, std::max<size_t>(kMostColumns, report.exploration.explain.size()));
  out += fmt::format(",\"threshold\":{},\"numExamples\":{},\"hasFiles\":{}",
                     report.thresholds.empty() ? 0.0 : report.thresholds.front().similarity, report.examples.size(),
                     report.has_files);
  const Tally& total = report.total;
  out += fmt::format(
      ",\"total\":{{\"read\":{},\"kept\":{},\"exact\":{},\"near\":{},\"rejected\":{},\"bytes\":{},\"bytesRemoved\":{}}"
      "}",
      read(total), total.kept, total.exact, total.near, total.rejected, total.bytes_read, total.bytes_removed);
}

constexpr std::string_view kWithoutAssets =
    "<p class=\"nothing\">This neardup was built without this part of the page (its build had no Node.js, or "
    "NEARDUP_WEB=OFF).</p>\n";

}  // namespace

void append_exploration(std::string& out, const Report& report) {
  if (report.total.read == 0) return;
  if (exploration_assets().script.empty()) {
    out += kWithoutAssets;
    return;
  }
  if (report.exploration.documents.empty()) {
    out += "<p class=\"nothing\">No document was removed, so there is no threshold to move.</p>\n";
    return;
  }
  out +=
      "<div id=\"explore\"><p class=\"nothing\">This part of the page needs scripts, which are switched off here.</p>"
      "</div>\n<script type=\"application/json\" id=\"explore-data\">{";
  append_documents(out, report.exploration);
  append_explored_pairs(out, report.exploration);
  append_explored_sources(out, report.by_input);
  append_left_out(out, report.exploration.left_out);
  append_rule(out, report);
  out += "}</script>\n";
}

}  // namespace neardup::report
