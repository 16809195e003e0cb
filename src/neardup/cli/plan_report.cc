#include "neardup/cli/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/families_report.h"
#include "neardup/cli/shuffle_report.h"

namespace neardup::cli {
namespace {

using planner::Cost;
using planner::Medium;
using planner::PlanOption;
using planner::PlanRequest;
using planner::PlanTable;

// Candidates of a probe as the literature gives them for 2^34 fingerprints (Manku, Jain, Das Sarma 2007, section 3.1).
constexpr uint64_t kPaperCount = uint64_t{1} << 34;

std::string_view paper_candidates(const std::string& plan) {
  if (plan == "permuted:4,1") return "2^18";
  if (plan == "permuted:5,2") return "2^8";
  return plan == "two_level:4,4" ? "2^6" : "";
}

bool is_of_the_paper(const PlanRequest& request) {
  return request.num_fingerprints == kPaperCount && request.num_bits == 64 && request.max_distance == 3;
}

std::string_view medium_name(Medium medium) {
  return medium == Medium::kRam ? "ram" : medium == Medium::kSsd ? "ssd" : "network";
}

std::string three_digits(double value) {
  const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}", value, decimals);
}

// A count that may be a fraction or beyond all sizes: "0.02", "6.1", "262,144", "1.7e+10".
std::string short_count(double value) {
  if (value >= 1e9) return fmt::format("{:.1e}", value);
  if (value >= 99.95) return human_count(static_cast<uint64_t>(std::llround(value)));
  return fmt::format("{:.{}f}", value, value >= 9.995 || value == std::floor(value) ? 0 : value >= 0.995 ? 1 : 2);
}

using Row = std::vector<std::string>;

Row heading(const PlanRequest& request) {
  Row row{"plan", "tables", "probes", "per probe"};
  if (is_of_the_paper(request)) row.emplace_back("paper");
  for (const char* name : {"bytes each", "in all", "batch", "alone", "build"}) row.emplace_back(name);
  if (request.memory_bytes != 0) row.emplace_back("machines");
  return row;
}

Row row_of(const PlanRequest& request, const PlanOption& option) {
  const Cost& cost = option.cost;
  Row row{option.plan.name, fmt::to_string(option.plan.tables.size()), short_count(cost.probes),
          short_count(cost.candidates / cost.probes)};
  if (is_of_the_paper(request)) row.emplace_back(paper_candidates(option.plan.name));
  row.push_back(fmt::format("{:.1f}", cost.bytes_per_fingerprint));
  row.push_back(human_bytes(cost.bytes));
  row.push_back(short_time(option.share.batch_ns));
  row.push_back(short_time(option.share.single_ns));
  row.push_back(human_seconds(option.share.build_seconds));
  if (request.memory_bytes != 0) row.push_back(human_count(option.machines));
  return row;
}

// Columns as wide as their widest cell, the first one left-aligned.
std::string aligned(const std::vector<Row>& rows, size_t marked) {
  std::vector<size_t> widths(rows[0].size());
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (size_t r = 0; r < rows.size(); ++r) {
    out += fmt::format("{} {:<{}}", r == marked ? '*' : ' ', rows[r][0], widths[0]);
    for (size_t i = 1; i < rows[r].size(); ++i) out += fmt::format("  {:>{}}", rows[r][i], widths[i]);
    out += '\n';
  }
  return out;
}

std::string first_line(const PlanRequest& request) {
  const char* where = request.medium == Medium::kRam   ? "in memory"
                      : request.medium == Medium::kSsd ? "in a mapped file on a solid-state disk"
                                                       : "behind a network";
  std::string line = fmt::format("{} fingerprints of {} bits, within {} bits, {}",
                                 human_count(request.num_fingerprints), request.num_bits, request.max_distance, where);
  if (request.memory_bytes != 0) {
    line += fmt::format(", {} ({}) of memory a machine", size_text(request.memory_bytes),
                        human_bytes(static_cast<double>(request.memory_bytes)));
  }
  if (!request.skew.is_even())
    line += fmt::format(", spread as a sample of {}", human_count(request.skew.sample_size()));
  return line + ".\n\n";
}

std::string sharing(const PlanRequest& request, const PlanOption& option) {
  if (option.machines <= 1) return "";
  const uint64_t each = (request.num_fingerprints + option.machines - 1) / option.machines;
  std::string out = fmt::format(
      "Shared by document: {} machines hold {} fingerprints each, in {} of memory; every query goes to all of them and "
      "takes {} on each in batches, {} alone; building them side by side takes {}.\n",
      human_count(option.machines), human_count(each), human_bytes(option.share.memory_bytes),
      short_time(option.share.batch_ns), short_time(option.share.single_ns), human_seconds(option.share.build_seconds));
  if (const auto tables = planner::share_by_table(request, option)) {
    out += fmt::format(
        "Shared by table: {} machines with up to {} of the {} tables in {} each; a query takes {} on the slowest, and "
        "what it finds a second round to the machine with the records. Adding a document changes all of them.\n",
        human_count(tables->machines), tables->tables_each, option.plan.tables.size(), human_bytes(tables->bytes),
        short_time(tables->batch_ns));
  }
  return out;
}

engine::FamilyRequest family_request(const PlanRequest& request) {
  return {.num_documents = request.num_fingerprints,
          .num_bits = request.num_bits,
          .max_distance = request.max_distance,
          .minhash = {},
          .machine = request.machine};
}

void append_field(std::string& out, std::string_view name, double value) {
  out += fmt::format("{}\"{}\":", out.back() == '{' ? "" : ",", name);
  append_json_number(out, value);
}

void append_cost(std::string& out, const Cost& cost) {
  append_field(out, "bytes_per_fingerprint", cost.bytes_per_fingerprint);
  append_field(out, "bytes", std::round(cost.bytes));
  append_field(out, "memory_bytes", std::round(cost.memory_bytes));
  append_field(out, "probes", cost.probes);
  append_field(out, "candidates", cost.candidates);
  append_field(out, "confirmations", cost.confirmations);
  append_field(out, "batch_ns", cost.batch_ns);
  append_field(out, "single_ns", cost.single_ns);
  append_field(out, "build_seconds", cost.build_seconds);
}

std::string option_json(const PlanOption& option) {
  std::string out = "{\"plan\":";
  append_json_string(out, option.plan.name);
  out += fmt::format(",\"tables\":{}", option.plan.tables.size());
  append_cost(out, option.cost);
  out += fmt::format(",\"fits\":{},\"machines\":{},\"each\":{{", option.fits, option.machines);
  append_cost(out, option.share);
  return out + "}}";
}

}  // namespace

std::string short_time(double ns) {
  if (ns < 999.5) return fmt::format("{:.0f} ns", ns);
  if (ns < 999'500) return three_digits(ns / 1e3) + " us";
  if (ns < 999.5e6) return three_digits(ns / 1e6) + " ms";
  return human_seconds(ns / 1e9);
}

std::string plan_text(const PlanRequest& request, const PlanTable& table, const Shuffle& shuffle) {
  std::vector<Row> rows{heading(request)};
  for (const PlanOption& option : table.options) rows.push_back(row_of(request, option));
  std::string out = first_line(request) + aligned(rows, table.chosen + 1) + "\n* " + table.reason + "\n";
  out += sharing(request, table.options[table.chosen]) + families_text(family_request(request));
  return shuffle ? out + shuffle_text(*shuffle) : out;
}

std::string plan_json(const PlanRequest& request, const PlanTable& table, const Shuffle& shuffle) {
  std::string out = fmt::format("{{\"documents\":{},\"bits\":{},\"distance\":{},\"memory_bytes\":{},\"medium\":\"{}\"",
                                request.num_fingerprints, request.num_bits, request.max_distance, request.memory_bytes,
                                medium_name(request.medium));
  out += fmt::format(",\"sample\":{},\"plans\":[", request.skew.sample_size());
  for (size_t i = 0; i < table.options.size(); ++i) out += (i == 0 ? "" : ",") + option_json(table.options[i]);
  out += "],\"chosen\":";
  append_json_string(out, table.options[table.chosen].plan.name);
  out += ",\"reason\":";
  append_json_string(out, table.reason);
  out += ",\"families\":" + families_json(family_request(request));
  if (shuffle) out += ",\"spark\":" + shuffle_json(*shuffle);
  return out + "}\n";
}

}  // namespace neardup::cli
