// What is wrong with a line of JSON, in words: what was found, and what to do about it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::corpus {

/// The problems of JsonLine whose words are looked up here; others stand for themselves.
namespace json_problem {
inline constexpr std::string_view kUnclosed = "a string is not closed that begins";
inline constexpr std::string_view kControl = "a control character stands in a string without an escape";
inline constexpr std::string_view kTooEarly = "the line ends too early";
inline constexpr std::string_view kFollows = "something follows the end of the value";
inline constexpr std::string_view kBadEscape = "an escape in a string is not valid";
inline constexpr std::string_view kName = "expected a field name in quotes";
inline constexpr std::string_view kColon = "expected : after a field name";
inline constexpr std::string_view kValue = "expected a value";
inline constexpr std::string_view kObjectEnd = "expected , or }";
inline constexpr std::string_view kListEnd = "expected , or ]";
inline constexpr std::string_view kTooDeep = "values are nested more than 1,024 deep";
}  // namespace json_problem

/// Returns `problem` with its place, from 1, what stands there, and the cure. `offset`: at most line.size().
[[nodiscard]] std::string describe_json_problem(std::string_view problem, std::string_view line, size_t offset);

/// Returns whether the lines of what begins with `bytes` seem to end with \r alone, as those of Macs of old.
[[nodiscard]] bool has_lone_returns(std::string_view bytes);

/// What to do about such lines of JSON.
inline constexpr std::string_view kLoneReturnsCure =
    "the lines end with \\r alone; convert them first: tr '\\r' '\\n' < FILE > FILE.jsonl";

}  // namespace neardup::corpus
