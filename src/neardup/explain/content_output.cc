// What the rule content looks at, as text, JSON and HTML.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/base/utf8.h"
#include "neardup/explain/content.h"
#include "neardup/report/escape.h"
#include "neardup/report/numbers.h"

namespace neardup::explain {
namespace {

constexpr size_t kRunColumns = 90;
constexpr size_t kFewRuns = 3;     // without details
constexpr size_t kRunBytes = 400;  // of a run on a page
constexpr const char* kLetters[2] = {"A", "B"};

std::string weight_text(double weight) { return fmt::format("{:.1f} %", 100 * weight); }

std::string note_of(const ContentRun& run) {
  return run.is_frequent ? fmt::format(", mostly in {} or more other documents", kFrequentDocuments) : "";
}

/// "and 12 runs that weigh less", or nothing.
std::string rest_of(const ContentSide& side, size_t shown) {
  const uint64_t rest = side.num_runs - shown;
  return rest == 0 ? "" : fmt::format("and {} that weigh less", report::counted(rest, "run"));
}

std::string numbers_of(const ContentSide& side) {
  return fmt::format("{}{}", fmt::join(side.numbers, ", "), side.num_numbers > side.numbers.size() ? ", ..." : "");
}

std::string side_page(const ContentSide& side, const char* letter, bool details) {
  const size_t shown = details ? side.runs.size() : std::min(side.runs.size(), kFewRuns);
  std::string out;
  if (!side.runs.empty()) out += fmt::format("  only {} says (share of all weight):\n", letter);
  for (const ContentRun& run : std::span(side.runs).first(shown))
    out += fmt::format("  {:>7}  {}{}\n", weight_text(run.weight), report::terminal_line(run.text, kRunColumns),
                       note_of(run));
  if (const std::string rest = rest_of(side, shown); !rest.empty()) out += fmt::format("  {:>7}  {}\n", "", rest);
  if (side.num_numbers > 0)
    out += fmt::format("  {} only in {}: {}\n", report::counted(side.num_numbers, "number"), letter,
                       report::terminal_line(numbers_of(side), kRunColumns));
  return out;
}

// Members of an object, each after a comma but for the first.
class Members {
 public:
  explicit Members(std::string& out) : out_(out) { out_ += '{'; }
  std::string& add(std::string_view name) {
    if (out_.back() != '{') out_ += ',';
    append_json_string(out_, name);
    out_ += ':';
    return out_;
  }
  void number(std::string_view name, double value) { append_json_number(add(name), value); }
  void count(std::string_view name, uint64_t value) { add(name) += std::to_string(value); }
  void close() { out_ += '}'; }

 private:
  std::string& out_;
};

void append_strings(std::string& json, const std::vector<std::string>& strings) {
  json += '[';
  for (const std::string& string : strings) {
    if (json.back() != '[') json += ',';
    append_json_string(json, string);
  }
  json += ']';
}

void append_side(std::string& json, const ContentSide& side) {
  Members members(json);
  members.add("runs") += '[';
  for (const ContentRun& run : side.runs) {
    if (json.back() != '[') json += ',';
    Members of_run(json);
    append_json_string(of_run.add("text"), run.text);
    of_run.count("tokens", run.num_tokens);
    of_run.number("weight", run.weight);
    of_run.add("frequent") += run.is_frequent ? "true" : "false";
    of_run.close();
  }
  json += ']';
  members.count("num_runs", side.num_runs);
  append_strings(members.add("numbers"), side.numbers);
  members.count("num_numbers", side.num_numbers);
  members.close();
}

std::string side_html(const ContentSide& side, const char* letter) {
  if (side.runs.empty() && side.num_numbers == 0) return {};
  std::string out = fmt::format("<h3>Only {} says</h3>\n", letter);
  if (!side.runs.empty())
    out +=
        "<div class=\"wide-table\" tabindex=\"0\"><table>\n<thead><tr><th>of all weight</th><th>words</th></tr>"
        "</thead>\n<tbody>\n";
  for (const ContentRun& run : side.runs)
    out += fmt::format("<tr><th>{}</th><td>{}{}</td></tr>\n", weight_text(run.weight),
                       report::escape_html(cut_at_character(run.text, kRunBytes)),
                       run.is_frequent ? fmt::format(" <i>({})</i>", note_of(run).substr(2)) : "");
  if (!side.runs.empty()) out += "</tbody></table></div>\n";
  if (const std::string rest = rest_of(side, side.runs.size()); !rest.empty())
    out += fmt::format("<p class=\"axis\">{}</p>\n", rest);
  if (side.num_numbers > 0)
    out += fmt::format("<p>{} only in {}: {}</p>\n", report::counted(side.num_numbers, "number"), letter,
                       report::escape_html(numbers_of(side)));
  return out;
}

}  // namespace

std::string content_page(const ContentMatch& match, bool details) {
  std::string out;
  for (const std::string& sentence : match.why) out += "  " + sentence + "\n";
  for (size_t i = 0; i < 2; ++i) out += side_page(match.only[i], kLetters[i], details);
  return out;
}

void append_content_json(std::string& json, const ContentMatch& match) {
  json += ",\"content\":";
  Members members(json);
  members.number("similarity", match.similarity);
  members.number("share", match.share);
  members.number("jaccard3", match.jaccard3);
  if (match.bridged) members.number("bridged", *match.bridged);
  Members numbers(members.add("numbers"));
  numbers.count("fewer", match.numbers.fewer);
  numbers.count("common", match.numbers.common);
  numbers.close();
  members.add("corpus_texts") += match.has_corpus ? std::to_string(match.num_texts) : "null";
  members.count("common_ngrams", match.num_common);
  members.add("frequent_ngrams") += match.has_corpus ? std::to_string(match.num_frequent) : "null";
  append_side(members.add("only_a"), match.only[0]);
  append_side(members.add("only_b"), match.only[1]);
  append_strings(members.add("why"), match.why);
  members.close();
}

std::string content_html(const ContentMatch& match) {
  std::string out = "<section>\n<h2>What counts</h2>\n";
  for (const std::string& sentence : match.why) out += fmt::format("<p>{}</p>\n", report::escape_html(sentence));
  for (size_t i = 0; i < 2; ++i) out += side_html(match.only[i], kLetters[i]);
  return out + "</section>\n";
}

}  // namespace neardup::explain
