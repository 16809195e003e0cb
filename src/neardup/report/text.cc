#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/sizes.h"
#include "neardup/report/escape.h"
#include "neardup/report/figures.h"
#include "neardup/report/numbers.h"
#include "neardup/report/render.h"
#include "neardup/report/tally.h"
#include "neardup/report/warnings.h"

namespace neardup::report {
namespace {

constexpr size_t kMaxSources = 5;
constexpr size_t kNameColumns = 40;
constexpr size_t kWarningColumns = 10'000;  // only a monstrous name in it is cut

using Row = std::vector<std::string>;

// Pads by columns of the terminal, not by bytes. The first cell is a name: left; the others are figures: right.
void append_table(std::string& out, const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], terminal_columns(row[i]));
  }
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string padding(widths[i] - terminal_columns(row[i]), ' ');
      line += i == 0 ? "  " + row[i] + padding : "  " + padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
}

Row total_row(const std::string& name, uint64_t count, uint64_t whole, const std::string& size = "") {
  return {name, human_count(count), whole == 0 ? "" : percent(count, whole), size};
}

// A shard has only read: what becomes of its documents is known after the merge.
bool is_only_read(const Report& report) {
  return report.recipe_id.empty() && report.total.kept + removed(report.total) + report.total.rejected == 0;
}

void append_totals(std::string& out, const Report& report) {
  const Tally& total = report.total;
  auto size = [&](uint64_t value) { return total.bytes_read == 0 ? "" : bytes(value); };
  std::vector<Row> rows = {{"", "documents", "", total.bytes_read == 0 ? "" : "text"}};
  rows.push_back(total_row("read", total.read, 0, size(total.bytes_read)));
  if (!is_only_read(report)) {
    uint64_t kept_bytes = total.bytes_read - std::min(total.bytes_read, total.bytes_removed);
    rows.push_back(total_row("kept", total.kept, total.read, size(kept_bytes)));
    rows.push_back(total_row("removed", removed(total), total.read, size(total.bytes_removed)));
    rows.push_back(total_row("  equal texts", total.exact, total.read));
    rows.push_back(total_row("  near-duplicates", total.near, total.read));
    if (report.contained) rows.push_back(total_row("  contained", total.contained, total.read));
    rows.push_back(total_row("rejected", total.rejected, total.read));
  }
  append_table(out, rows);
}

void append_tallies(std::string& out, const std::string& title, const std::vector<Tally>& tallies, bool any_rejected) {
  out += "\n";
  std::vector<Row> rows = {{title, "read", "removed", ""}};
  if (any_rejected) rows[0].push_back("rejected");
  const auto push = [&](const std::string& name, const Tally& tally) {
    rows.push_back({name, human_count(tally.read), human_count(removed(tally)), percent(removed(tally), tally.read)});
    if (any_rejected) rows.back().push_back(human_count(tally.rejected));
  };
  const size_t shown = std::min(kMaxSources, tallies.size());
  for (const Tally& tally : std::span(tallies).first(shown)) push(terminal_line(tally.name, kNameColumns), tally);
  if (shown < tallies.size()) {
    push(fmt::format("and {} more", human_count(tallies.size() - shown)),
         sum_of(std::span(tallies).subspan(shown), ""));
  }
  append_table(out, rows);
}

void append_sources(std::string& out, const Report& report) {
  const bool any_rejected = report.total.rejected > 0;
  if (report.by_input.size() > 1) append_tallies(out, "source", report.by_input, any_rejected);
  if (report.by_group.empty()) return;
  append_tallies(out, terminal_line(report.group_key, kNameColumns), report.by_group, any_rejected);
}

std::string cluster_line(const Report& report) {
  std::string line = human_count(report.num_clusters);
  if (report.num_clusters == 0 || report.cluster_sizes.empty()) return line;
  line += ", the largest of " + counted(report.cluster_sizes.back().first, "document");
  if (report.largest_clusters.empty()) return line;
  return line + " (kept: " + terminal_line(report.largest_clusters[0].kept_id, kNameColumns) + ")";
}

std::string candidates_line(const Report& report) {
  if (report.num_values == 0) return fmt::format("by SimHash: at most {} of 64 bits differ", report.distance);
  return fmt::format("by MinHash: {} values, {} bands of {}", report.num_values, report.num_bands, report.band_rows);
}

std::string store_line(const StoreUse& store) {
  std::string line = counted(store.num_documents, "document") + ", " + human_count(store.num_repeated) + " repeated";
  if (!store.takes_kept) return line + "; only read";
  line += "; " + human_count(store.num_added) + " added";
  return store.num_known == 0 ? line : line + ", " + human_count(store.num_known) + " there already";
}

std::string time_line(const Report& report) {
  std::string line = duration(report.seconds);
  if (report.stages.empty()) return line;  // nothing was done
  if (report.total.read > 0) line += ", " + rate(report.total.read, report.seconds, "documents");
  return line + ", " + counted(static_cast<uint64_t>(std::max(report.num_threads, 0)), "thread");
}

void append_main_facts(std::string& out, const Report& report) {
  out += "\n";
  auto fact = [&out](std::string_view name, const std::string& value) {
    out += fmt::format("  {:<12}  {}\n", name, value);
  };
  if (!report.recipe_id.empty()) {
    fact("clusters", cluster_line(report));
    fact("candidates", candidates_line(report));
  }
  if (report.num_references > 0) fact("references", counted(report.num_references, "document") + ", only read");
  if (report.store) fact("store", store_line(*report.store));
  if (report.total.rejected > 0 && !is_only_read(report))
    fact("rejected", counted(report.total.rejected, "record") + " named in rejected.jsonl, and not among what is kept");
  if (report.num_near_copies > 0) {
    fact("copies", counted(report.num_near_copies, "near-duplicate") + " equal to another removed document");
  }
  if (report.num_too_short > 0) {
    fact("too short", counted(report.num_too_short, "document") + ", looked for equal texts only");
  }
  fact("time", time_line(report));
  fact("memory", bytes(report.peak_memory_bytes) + " at most");
}

void append_warnings(std::string& out, const Report& report) {
  for (const std::string& warning : all_warnings(report)) {
    out += "\nwarning: " + terminal_line(warning, kWarningColumns) + "\n";
  }
}

}  // namespace

std::string to_text(const Report& report) {
  std::string out;
  append_totals(out, report);
  append_sources(out, report);
  append_main_facts(out, report);
  append_warnings(out, report);
  return out;
}

}  // namespace neardup::report
