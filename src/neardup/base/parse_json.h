// JSON of outside bytes as a tree: the one place where the JSON library parses, so that nothing it throws gets out.
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "neardup/base/result.h"

namespace neardup {

/// Arrays and objects within one another that parse_json() takes: the library prints trees by recursion.
inline constexpr int kMaxJsonDepth = 200;

/// Returns success where `text` has no more than kMaxJsonDepth arrays and objects within one another.
[[nodiscard]] Status check_json_depth(std::string_view text);

/// Returns what the library says, without its own name: "parse error at line 3, column 5: what is wrong".
[[nodiscard]] std::string json_problem(std::string_view message);

/// Returns the tree of `text`. Json: nlohmann::json or ordered_json. Errors: kInvalidArgument with what is wrong and
/// where, also for numbers that no double holds (1e999), bytes that are not UTF-8, and too deep trees.
template <class Json>
[[nodiscard]] Result<Json> parse_json(std::string_view text) {
  NEARDUP_TRY(check_json_depth(text));
  try {
    return Json::parse(text);
  } catch (const nlohmann::detail::exception& error) {
    return fail(Code::kInvalidArgument, json_problem(error.what()));
  }
}

/// Returns the member `key` of `json`; null where there is none or `json` is no object.
template <class Json>
[[nodiscard]] Json json_member(const Json& json, const std::string& key) {
  return json.is_object() && json.contains(key) ? json.at(key) : Json();
}

/// Returns the whole number that `json` is, if an Integer holds it; nothing for all else, such as 1.0 and 1e3. The
/// library's own get<Integer>() cuts bits off a number that is too large, and of one that is no whole number, or of
/// more than 64 bits, its result is undefined: so numbers from outside are read by this alone.
template <std::integral Integer, class Json>
[[nodiscard]] std::optional<Integer> json_integer(const Json& json) {
  const auto in_range = [](auto value) {
    return std::in_range<Integer>(value) ? std::optional<Integer>(static_cast<Integer>(value)) : std::nullopt;
  };
  if (json.is_number_unsigned()) return in_range(json.template get<uint64_t>());
  if (json.is_number_integer()) return in_range(json.template get<int64_t>());
  return std::nullopt;
}

/// Returns the string that `json` is; empty where it is none.
template <class Json>
[[nodiscard]] std::string json_string(const Json& json) {
  return json.is_string() ? json.template get<std::string>() : std::string();
}

}  // namespace neardup
