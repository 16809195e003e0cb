#include "neardup/evaluate/label_line.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <cmath>

#include "neardup/base/per_thread.h"

namespace neardup::evaluate {
namespace {

constexpr std::string_view kExpected =
    R"(expected "17 42", "17 42 0.83" or {"a": "id1", "b": "id2", "duplicate": true} or {"a": "id1", "b": "id2", "label": 2})";

tl::unexpected<Error> refuse(const std::string& problem) {
  return fail(Code::kInvalidArgument, fmt::format("{}; {}", problem, kExpected));
}

std::string_view next_word(std::string_view& rest) {
  constexpr std::string_view kBlanks = " \t\r,";
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
  rest.remove_prefix(word.size());
  return word;
}

template <class Number>
std::optional<Number> number_of(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

Result<std::optional<LabelLine>> parse_columns(std::string_view rest) {
  LabelLine line;
  const auto a = number_of<uint64_t>(next_word(rest)), b = number_of<uint64_t>(next_word(rest));
  if (!a || !b) return refuse("the first two columns are no line numbers");
  line.a_line = *a;
  line.b_line = *b;
  if (const std::string_view word = next_word(rest); !word.empty()) {
    line.similarity = number_of<double>(word);
    if (!line.similarity || !std::isfinite(*line.similarity)) return refuse("the third column is no number");
  }
  return std::optional(line);
}

std::optional<std::string> id_of(const simdjson::dom::element& value) {
  if (std::string_view text; value.get(text) == simdjson::SUCCESS) return std::string(text);
  if (int64_t number = 0; value.get(number) == simdjson::SUCCESS) return std::to_string(number);
  if (uint64_t number = 0; value.get(number) == simdjson::SUCCESS) return std::to_string(number);
  return std::nullopt;
}

// What is said of the pair: how similar, whether duplicates.
Status read_judgement(const simdjson::dom::object& object, LabelLine& line) {
  simdjson::dom::element value;
  if (object.at_key("similarity").get(value) == simdjson::SUCCESS) {
    double similarity = 0;
    if (value.get(similarity) != simdjson::SUCCESS) return refuse("\"similarity\" is no number");
    line.similarity = similarity;
  }
  if (object.at_key("duplicate").get(value) == simdjson::SUCCESS) {
    bool duplicate = false;
    if (value.get(duplicate) != simdjson::SUCCESS) return refuse("\"duplicate\" is neither true nor false");
    line.duplicate = duplicate;
  }
  if (object.at_key("label").get(value) == simdjson::SUCCESS) {
    int64_t grade = 0;
    if (value.get(grade) != simdjson::SUCCESS || grade < 0 || grade > kHighestGrade)
      return refuse(fmt::format("\"label\" is no grade: a whole number, 0 (different) to {}", kHighestGrade));
    line.grade = static_cast<int>(grade);
  }
  if (line.duplicate && line.grade) return refuse("both \"duplicate\" and \"label\" judge the pair; leave one out");
  return {};
}

// How the pair came into the sample.
Status read_sampling(const simdjson::dom::object& object, std::string_view stratum_key, LabelLine& line) {
  simdjson::dom::element value;
  if (object.at_key("weight").get(value) == simdjson::SUCCESS) {
    double weight = 0;
    if (value.get(weight) != simdjson::SUCCESS || !(weight > 0 && weight <= kHighestWeight))
      return refuse("\"weight\" is no number above 0 and up to 1e12");
    line.weight = weight;
  }
  if (object.at_key(stratum_key).get(value) != simdjson::SUCCESS || value.is_null()) return {};
  auto stratum = id_of(value);
  if (!stratum) return refuse(fmt::format("\"{}\" is no stratum: a string or a whole number", stratum_key));
  line.stratum = std::move(*stratum);
  return {};
}

Result<std::optional<LabelLine>> read_object(const simdjson::dom::object& object, std::string_view stratum_key) {
  LabelLine line;
  line.by_id = true;
  simdjson::dom::element value;
  for (const auto& [key, id] : {std::pair("a", &line.a_id), std::pair("b", &line.b_id)}) {
    if (object.at_key(key).get(value) != simdjson::SUCCESS) return refuse(fmt::format("\"{}\" is missing", key));
    const auto text = id_of(value);
    if (!text || text->empty()) return refuse(fmt::format("\"{}\" is no id: a string or a whole number", key));
    *id = *text;
  }
  NEARDUP_TRY(read_judgement(object, line));
  NEARDUP_TRY(read_sampling(object, stratum_key, line));
  return std::optional(std::move(line));
}

Result<std::optional<LabelLine>> parse_json(std::string_view text, std::string_view stratum_key) {
  static PerThread<simdjson::dom::parser> parsers;
  simdjson::dom::parser& parser = parsers.get();
  simdjson::dom::object object;
  if (const auto error = parser.parse(text.data(), text.size()).get(object); error != simdjson::SUCCESS)
    return refuse(fmt::format("no valid JSON object: {}", simdjson::error_message(error)));
  return read_object(object, stratum_key);
}

}  // namespace

Result<std::optional<LabelLine>> parse_label_line(std::string_view line, std::string_view stratum_key) {
  const size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos || line[begin] == '#') return std::optional<LabelLine>();
  return line[begin] == '{' ? parse_json(line.substr(begin), stratum_key) : parse_columns(line);
}

}  // namespace neardup::evaluate
