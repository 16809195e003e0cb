#include "neardup/corpus/formats/json_problem.h"

#include <algorithm>

namespace neardup::corpus {
namespace {

using namespace json_problem;

constexpr size_t kMostWordBytes = 20;

/// What stands somewhere, and what it is a sign of.
struct Sign {
  std::string_view begins;
  std::string_view cure;
};

constexpr std::string_view kByPython = "that is how Python prints it: json.dumps writes JSON";

constexpr Sign kOfValues[] = {
    {"None", kByPython},
    {"True", kByPython},
    {"False", kByPython},
    {"'", "strings stand in double quotes (json.dumps writes them)"},
    {"undefined", "JSON has null"},
    {"nan", "such numbers are read as NaN, Infinity and -Infinity (json.dumps writes them)"},
    {"inf", "such numbers are read as NaN, Infinity and -Infinity (json.dumps writes them)"},
    {"-nan", "such numbers are read as NaN, Infinity and -Infinity (json.dumps writes them)"},
    {"-inf", "such numbers are read as NaN, Infinity and -Infinity (json.dumps writes them)"},
    {"//", "JSON has no comments: take them out"},
    {"/*", "JSON has no comments: take them out"},
    {"#", "JSON has no comments: take them out"},
    {"]",
     "there is a comma too many before it, or no value; of a list that goes over lines jq -c '.[]' FILE makes lines"},
    {"}", "there is a comma too many before it, or no value"},
    {",", "there is a comma too many, or no value before it"},
};
constexpr Sign kOfNames[] = {
    {"}", "there is a comma too many before it"},
    {"'", "names stand in double quotes (json.dumps writes them)"},
    {"//", "JSON has no comments: take them out"},
    {"/*", "JSON has no comments: take them out"},
};
constexpr Sign kOfRests[] = {
    {"{", "two objects stand on one line; make lines of them: jq -c . FILE > FILE.jsonl"},
    {"[", "two values stand on one line; make lines of them: jq -c . FILE > FILE.jsonl"},
    {",",
     "items of a list are parted by commas, lines are not; make lines of them: sed 's/,$//', or of the whole list "
     "jq -c '.[]' FILE > FILE.jsonl"},
    {"//", "JSON has no comments: take them out"},
    {"#", "JSON has no comments: take them out"},
};

template <size_t kCount>
std::string_view cure_of_sign(const Sign (&signs)[kCount], std::string_view found, std::string_view other) {
  const auto* sign = std::ranges::find_if(signs, [&](const Sign& one) { return found.starts_with(one.begins); });
  return sign == std::end(signs) ? other : sign->cure;
}

std::string_view cure_of_value(std::string_view found) {
  const char first = found.empty() ? '\0' : found[0];
  const bool is_number = (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
  const std::string_view other = is_number ? "numbers are written as 7, -0.5 or 1e9, without zeros or a plus in front"
                                           : "strings stand in double quotes";
  return cure_of_sign(kOfValues, found, other);
}

std::string_view cure_of(std::string_view problem, std::string_view found) {
  if (problem == kUnclosed)
    return "each object stands on one line, and a line feed in a string is written \\n (jq -c . FILE writes such "
           "lines)";
  if (problem == kControl) return "write it as \\n, \\t or \\u00XX";
  if (problem == kTooEarly) return "each object stands on one line (jq -c . FILE writes such lines)";
  if (problem == kBadEscape) return "a backslash in a string is written \\\\ (json.dumps does so)";
  if (problem == kName) return cure_of_sign(kOfNames, found, "names stand in double quotes (json.dumps writes them)");
  if (problem == kColon) return "a quote in a string is written \\\" (json.dumps does so)";
  if (problem == kObjectEnd || problem == kListEnd)
    return "a comma is missing, or a quote in the string before it is not written \\\" (json.dumps does so)";
  if (problem == kValue) return cure_of_value(found);
  if (problem == kFollows)
    return cure_of_sign(kOfRests, found, "each object stands on one line (jq -c . FILE writes such lines)");
  if (problem == kTooDeep) return "no reader of JSON takes it; leave that field out with jq";
  return {};
}

/// What is shown of what stands at a problem: a word, a sign.
std::string_view word_at(std::string_view line, size_t offset) {
  const std::string_view rest = line.substr(offset, kMostWordBytes);
  return rest.substr(0, std::max<size_t>(std::min(rest.find_first_of(" \t\r\n,:]}{[\""), rest.size()), 1));
}

bool shows_what_it_found(std::string_view problem, std::string_view word) {
  const bool tells = problem == kName || problem == kValue || problem == kFollows || problem == kObjectEnd ||
                     problem == kListEnd || problem == kColon;
  return tells && !word.empty() && std::ranges::all_of(word, [](char c) { return c > ' ' && c < 127; });
}

bool follows_return(std::string_view line, size_t offset) {
  const std::string_view before = line.substr(0, offset);
  const size_t end = before.find_last_not_of(" \t\r");
  return before.substr(end == std::string_view::npos ? 0 : end + 1).find('\r') != std::string_view::npos;
}

}  // namespace

std::string describe_json_problem(std::string_view problem, std::string_view line, size_t offset) {
  std::string message = std::string(problem) + " at byte " + std::to_string(offset + 1);
  const std::string_view word = word_at(line, offset);
  if (problem == kFollows && follows_return(line, offset)) return message + ": " + std::string(kLoneReturnsCure);
  if (shows_what_it_found(problem, word)) message += ", found " + std::string(word);
  const std::string_view cure = cure_of(problem, line.substr(offset));
  if (!cure.empty()) message.append(": ").append(cure);
  return message;
}

bool has_lone_returns(std::string_view bytes) {
  const size_t at = bytes.find("}\r");
  return at != std::string_view::npos && at + 2 < bytes.size() && bytes[at + 2] != '\n';
}

}  // namespace neardup::corpus
