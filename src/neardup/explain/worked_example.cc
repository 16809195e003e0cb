#include "neardup/explain/worked_example.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "neardup/base/json.h"
#include "neardup/base/parse_json.h"
#include "neardup/report/escape.h"
#include "neardup/simhash/counters.h"

namespace neardup::explain {
namespace {

using nlohmann::json;

constexpr size_t kMaxBits = 1024;

Result<std::string> bits_of(const json& feature, size_t num_bits) {
  std::string bits = json_string(json_member(feature, "hash"));
  if (feature.contains("signs") && feature["signs"].is_array()) {
    for (const json& sign : feature["signs"]) {
      const auto value = json_integer<int>(sign);
      bits += value == 1 ? '1' : value == -1 ? '0' : '?';
    }
  }
  if (bits.size() == num_bits && bits.find_first_not_of("01") == std::string::npos) return bits;
  return fail(Code::kInvalidArgument,
              fmt::format("expected \"hash\" of {0} digits 0 and 1, or \"signs\" of {0} numbers 1 and -1", num_bits));
}

Result<WorkedFeature> parse_feature(const json& feature, size_t num_bits, size_t number) {
  if (!feature.is_object()) return fail(Code::kInvalidArgument, fmt::format("feature {}: expected an object", number));
  WorkedFeature parsed;
  parsed.name = feature.contains("name") && feature["name"].is_string() ? feature["name"].get<std::string>()
                                                                        : fmt::format("w{}", number);
  auto bits = bits_of(feature, num_bits);
  if (!bits) return fail(Code::kInvalidArgument, fmt::format("feature {}: {}", parsed.name, bits.error().message));
  parsed.bits = std::move(*bits);
  if (feature.contains("weight")) {
    if (!feature["weight"].is_number()) {
      return fail(Code::kInvalidArgument, fmt::format("feature {}: expected a number as weight", parsed.name));
    }
    parsed.weight = feature["weight"].get<double>();
  }
  return parsed;
}

/// Calls visit(feature, counters so far) after each feature; returns the last counters.
template <class Visit>
std::vector<double> run_counters(const WorkedExample& example, Visit&& visit) {
  std::vector<simhash::SpeltFeature> so_far;
  std::vector<double> counters(example.num_bits, 0);
  for (const WorkedFeature& feature : example.features) {
    so_far.push_back({feature.bits, feature.weight});
    counters = simhash::simhash_counters(so_far, example.num_bits);
    visit(feature, counters);
  }
  return counters;
}

std::string numbers_text(std::span<const double> numbers) {
  std::string out;
  for (const double number : numbers) out += fmt::format(" {:>6}", fmt::format("{:g}", number));
  return out;
}

std::string numbers_json(std::span<const double> numbers) {
  std::string out;
  for (const double number : numbers) {
    out += out.empty() ? '[' : ',';
    append_json_number(out, number);
  }
  return out.empty() ? "[]" : out + "]";
}

}  // namespace

Result<WorkedExample> parse_worked_example(std::string_view text) {
  const json root = parse_json<json>(text).value_or(json());
  if (!root.is_object() || !root.contains("features") || !root["features"].is_array()) {
    return fail(Code::kInvalidArgument, "expected a JSON object with \"bits\" and an array \"features\"");
  }
  WorkedExample example;
  example.num_bits = json_integer<size_t>(json_member(root, "bits")).value_or(0);
  if (example.num_bits < 1 || example.num_bits > kMaxBits) {
    return fail(Code::kInvalidArgument, fmt::format("expected \"bits\", 1 to {}", kMaxBits));
  }
  for (const json& feature : root["features"]) {
    NEARDUP_ASSIGN(WorkedFeature parsed, parse_feature(feature, example.num_bits, example.features.size() + 1));
    example.features.push_back(std::move(parsed));
  }
  return example;
}

std::string worked_text(const WorkedExample& example) {
  const size_t hash_width = std::max<size_t>(example.num_bits, 4);
  std::string out = fmt::format("{:<12} {:>8}  {:<{}} counters so far\n", "feature", "weight", "hash", hash_width);
  const auto counters = run_counters(example, [&](const WorkedFeature& feature, std::span<const double> so_far) {
    out += fmt::format("{:<12} {:>8g}  {:<{}}{}\n", report::terminal_line(feature.name, 100), feature.weight,
                       feature.bits, hash_width, numbers_text(so_far));
  });
  return out + fmt::format("\nfingerprint {}\n", simhash::simhash_bits(counters));
}

std::string worked_json(const WorkedExample& example) {
  std::string out = "{\"features\":[";
  const auto counters = run_counters(example, [&](const WorkedFeature& feature, std::span<const double> so_far) {
    out += out.back() == '[' ? "{\"name\":" : ",{\"name\":";
    append_json_string(out, feature.name);
    out += ",\"weight\":";
    append_json_number(out, feature.weight);
    out += fmt::format(",\"hash\":\"{}\",\"counters\":{}}}", feature.bits, numbers_json(so_far));
  });
  return out + fmt::format("],\"counters\":{},\"fingerprint\":\"{}\"}}\n", numbers_json(counters),
                           simhash::simhash_bits(counters));
}

}  // namespace neardup::explain
