#include "neardup/engine/run/unread_inputs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "neardup/base/parse_json.h"

namespace neardup::engine {
namespace {

constexpr size_t kMostNamed = 5;

uint64_t number_in(const nlohmann::json& json, const char* name) {
  return json_integer<uint64_t>(json_member(json, name)).value_or(0);
}

// "1,234 bytes", "17 bytes, and 1,234 of the compressed file behind them". Where an input was cut, nobody knows.
std::string what_is_lost(uint64_t text_bytes, uint64_t packed_bytes, bool is_cut) {
  if (is_cut && packed_bytes == 0)
    return fmt::format("{} bytes of it are there; nobody knows how much followed", text_bytes);
  std::string lost = fmt::format("{} bytes", text_bytes);
  if (packed_bytes > 0) lost += fmt::format(", and {} of the compressed file behind them", packed_bytes);
  return lost;
}

std::string describe(const Documents::Rejected& rejected, const std::string& name) {
  const auto json = parse_json<nlohmann::json>("{" + std::string(rejected.json) + "}").value_or(nlohmann::json());
  const nlohmann::json said = json_member(json, "message");
  const uint64_t num_lines = number_in(json, "unread_lines");
  const bool is_cut = json_member(json, "reason") == "truncated" && num_lines == 0;
  const std::string lost =
      what_is_lost(number_in(json, "unread_bytes"), number_in(json, "unread_packed_bytes"), is_cut);
  const std::string where = num_lines > 0 ? fmt::format("{} lines from line {} on were", num_lines, rejected.line)
                                          : fmt::format("all from line {} on was", rejected.line);
  return fmt::format("'{}': {} not read ({}; one rejected record stands for it): {}", name, where, lost,
                     said.is_string() ? said.get<std::string>() : std::string(rejected.reason));
}

}  // namespace

Result<std::vector<std::string>> unread_inputs(const Documents& documents) {
  std::vector<std::string> warnings;
  uint64_t num_others = 0;
  NEARDUP_TRY(documents.for_each_rejected([&](const Documents::Rejected& rejected) -> Status {
    if (!rejected.has_unread) return {};
    if (warnings.size() == kMostNamed) {
      ++num_others;
    } else {
      warnings.push_back(describe(rejected, documents.input(rejected.input).name));
    }
    return {};
  }));
  if (num_others > 0)
    warnings.push_back(fmt::format(
        "{} more rejected records stand for many that were not read; in rejected.jsonl they have unread_bytes",
        num_others));
  return warnings;
}

}  // namespace neardup::engine
