#include "neardup/report/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "neardup/base/sizes.h"
#include "neardup/report/numbers.h"
#include "neardup/report/tally.h"

namespace neardup::report {
namespace {

// A large share of a handful of documents is no news.
constexpr uint64_t kFewDocuments = 20;
constexpr uint64_t kSmallCluster = 50;
constexpr size_t kMaxNamed = 3;

bool more_than(uint64_t part, uint64_t whole, double limit) { return share(part, whole) > limit; }

bool adds_up(const Tally& tally) { return tally.read == tally.kept + removed(tally) + tally.rejected; }

void check_sum(const Report& report, std::vector<std::string>& out) {
  const Tally& total = report.total;
  if (total.read == 0) out.push_back("No documents were read. Check the inputs and the text key.");
  if (report.recipe_id.empty() || adds_up(total)) return;
  out.push_back(
      fmt::format("The figures do not add up: read {}, but kept + removed + rejected is {}. "
                  "Do not use this result, and please report it as a bug.",
                  human_count(total.read), human_count(total.kept + removed(total) + total.rejected)));
}

void check_largest_cluster(const Report& report, std::vector<std::string>& out) {
  if (report.cluster_sizes.empty()) return;
  const uint64_t size = report.cluster_sizes.back().first;  // with documents of --reference, which were not read
  if (size < kSmallCluster || !more_than(size, report.total.read, 0.01)) return;
  std::string kept;
  if (!report.largest_clusters.empty())
    kept = fmt::format(" Its kept document is {}.", report.largest_clusters[0].kept_id);
  out.push_back(
      fmt::format("One cluster holds {} documents, {} of all.{} Read some of its members: boilerplate that many "
                  "documents share can bring unrelated ones together.",
                  human_count(size), percent(std::min(size, report.total.read), report.total.read), kept));
}

/// "3 missing_text, 1 invalid_json", the most frequent first; "" where the reasons are not known.
std::string main_reasons(const Report& report) {
  auto reasons = report.rejections;
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string named;
  for (size_t i = 0; i < std::min(kMaxNamed, reasons.size()); ++i) {
    named += fmt::format("{}{} {}", i == 0 ? "" : ", ", human_count(reasons[i].second), reasons[i].first);
  }
  return reasons.size() > kMaxNamed ? fmt::format("{}, and {} more reasons", named, reasons.size() - kMaxNamed) : named;
}

bool lacks_text(const Report& report) {
  return std::any_of(report.rejections.begin(), report.rejections.end(),
                     [](const auto& row) { return row.first == "missing_text" && row.second > 0; });
}

void check_rejected(const Report& report, std::vector<std::string>& out) {
  const Tally& total = report.total;
  const bool many = more_than(total.rejected, total.read, 0.1);
  if (!many && (total.read < kFewDocuments || !more_than(total.rejected, total.read, 0.01))) return;
  const std::string reasons = main_reasons(report), &example = report.rejected_example;
  out.push_back(fmt::format("{} of all documents ({}) were rejected{}; rejected.jsonl names each.{}{}",
                            percent(total.rejected, total.read), human_count(total.rejected),
                            reasons.empty() ? "" : ": " + reasons,
                            many && lacks_text(report) ? " Name the field that holds the text with --text-key." : "",
                            example.empty() ? "" : fmt::format(" For example {}.", example)));
}

void check_store(const Report& report, std::vector<std::string>& out) {
  if (!report.store) return;
  const StoreUse& store = *report.store;
  if (store.num_replaced > 0)
    out.push_back(
        fmt::format("{} of the documents added took the place of another text with the same id in {}. Where "
                    "these are other documents, give each an id of its own (--id-key).",
                    human_count(store.num_replaced), store.name));
  if (store.lacks_texts && store.num_added > 0)
    out.push_back(
        fmt::format("{} keeps texts, and has none of the documents added: they are compared, and cannot be "
                    "shown.",
                    store.name));
}

void check_total(const Report& report, std::vector<std::string>& out) {
  const Tally& total = report.total;
  if (total.read >= kFewDocuments && more_than(removed(total), total.read, 0.9)) {
    out.push_back(fmt::format("{} of all documents were removed.", percent(removed(total), total.read)));
  }
}

// One sentence for all names of a table that lost more than 90 %.
void check_names(const std::vector<Tally>& tallies, const std::string& what, std::vector<std::string>& out) {
  if (tallies.size() < 2) return;  // one source is the total
  std::string named;
  size_t found = 0;
  for (const Tally& tally : tallies) {
    if (tally.read < kFewDocuments || !more_than(removed(tally), tally.read, 0.9)) continue;
    if (++found > kMaxNamed) continue;
    named += fmt::format("{}{} ({} of {})", named.empty() ? "" : ", ", tally.name, human_count(removed(tally)),
                         human_count(tally.read));
  }
  if (found == 0) return;
  std::string more = found > kMaxNamed ? fmt::format(", and {} more", human_count(found - kMaxNamed)) : "";
  out.push_back(fmt::format("More than 90 % was removed of {} {}: {}{}.", human_count(found),
                            found == 1 ? what : what + "s", named, more));
}

void check_settings(const Report& report, std::vector<std::string>& out) {
  const Tally& total = report.total;
  if (report.verify == "none" && total.near > 0) {
    out.push_back(fmt::format("Verification is off: {} near-duplicates were removed by their fingerprints alone.",
                              human_count(total.near)));
  }
  if (total.read >= kFewDocuments && more_than(report.num_too_short, total.read, 0.2)) {
    out.push_back(fmt::format("{} documents ({}) are too short for a fingerprint; of them only equal texts were found.",
                              human_count(report.num_too_short), percent(report.num_too_short, total.read)));
  }
}

void check_ids(const Report& report, std::vector<std::string>& out) {
  if (report.num_duplicate_ids == 0) return;
  std::string examples;
  for (size_t i = 0; i < std::min(kMaxNamed, report.duplicate_id_examples.size()); ++i) {
    examples += (i == 0 ? ", such as " : ", ") + report.duplicate_id_examples[i];
  }
  out.push_back(fmt::format(
      "{} the id of an earlier document{}: duplicate_of does not tell these apart.",
      counted(report.num_duplicate_ids, "document") + (report.num_duplicate_ids == 1 ? " has" : " have"), examples));
}

}  // namespace

std::vector<std::string> all_warnings(const Report& report) {
  std::vector<std::string> all = report.warnings;
  check_sum(report, all);
  check_largest_cluster(report, all);
  check_total(report, all);
  check_rejected(report, all);
  check_names(report.by_input, "source", all);
  check_names(report.by_group, "value", all);
  check_settings(report, all);
  check_ids(report, all);
  check_store(report, all);
  std::vector<std::string> unique;
  for (std::string& warning : all) {
    if (std::find(unique.begin(), unique.end(), warning) == unique.end()) unique.push_back(std::move(warning));
  }
  return unique;
}

}  // namespace neardup::report
