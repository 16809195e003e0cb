#include "neardup/hamming/plan_text.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace neardup::hamming {
namespace {

constexpr size_t kMaxTextTables = 64;  // as check_plan

tl::unexpected<Error> bad_plan(std::string_view text, const std::string& expected) {
  return fail(Code::kInvalidArgument, fmt::format("plan \"{}\": expected {}", text.substr(0, 200), expected));
}

std::optional<int> whole(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0 || number > 128) return std::nullopt;
  return number;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// "A,B", both at least 1.
std::optional<std::pair<int, int>> two_numbers(std::string_view text) {
  const auto parts = split(text, ',');
  if (parts.size() != 2) return std::nullopt;
  const auto first = whole(parts[0]), second = whole(parts[1]);
  if (!first || !second || *first < 1 || *second < 1) return std::nullopt;
  return std::pair(*first, *second);
}

std::optional<Block> block_of(std::string_view text) {
  const auto parts = split(text, '/');
  if (parts.size() > 2) return std::nullopt;
  const auto bits = whole(parts[0]), flips = parts.size() == 2 ? whole(parts[1]) : 0;
  if (!bits || !flips || *flips > *bits) return std::nullopt;
  return Block{*bits, *flips};
}

bool has_too_many_choices(int count, int choose) {
  double choices = 1;
  for (int i = 1; i <= choose; ++i) choices = choices * (count - choose + i) / i;
  return choices > static_cast<double>(kMaxTextTables);
}

Result<Plan> parse_permuted(std::string_view text, std::string_view numbers, int num_bits) {
  const auto pair = two_numbers(numbers);
  if (!pair || pair->second > pair->first || pair->first > num_bits ||
      has_too_many_choices(pair->first, pair->second)) {
    return bad_plan(text, fmt::format("permuted:BLOCKS,CHOOSE with CHOOSE <= BLOCKS <= {} and at most {} tables",
                                      num_bits, kMaxTextTables));
  }
  return permuted_plan(num_bits, pair->first, pair->second);
}

Result<Plan> parse_two_level(std::string_view text, std::string_view numbers, int num_bits) {
  const auto pair = two_numbers(numbers);
  const bool fits = pair && pair->first <= num_bits &&
                    static_cast<size_t>(pair->first * pair->second) <= kMaxTextTables &&
                    pair->second <= num_bits - (num_bits + pair->first - 1) / pair->first;
  if (!fits) {
    return bad_plan(
        text, fmt::format("two_level:OUTER,INNER with at most {} tables and a bit for each block", kMaxTextTables));
  }
  return two_level_plan(num_bits, pair->first, pair->second);
}

Result<Plan> parse_flips(std::string_view text, std::string_view numbers, int num_bits, int max_distance) {
  std::vector<Block> blocks;
  int sum = 0;
  for (const std::string_view part : split(numbers, ',')) {
    const auto block = block_of(part);
    if (!block || blocks.size() == kMaxTextTables || (sum += block->bits) > num_bits) {
      return bad_plan(text,
                      fmt::format("flips:BITS/FLIPS,BITS/FLIPS,... with FLIPS <= BITS, at most {} bits in all and "
                                  "at most {} tables",
                                  num_bits, kMaxTextTables));
    }
    blocks.push_back(*block);
  }
  return flip_plan(num_bits, max_distance, blocks);
}

Result<Plan> parse_form(std::string_view text, int num_bits, int max_distance) {
  const size_t colon = text.find(':');
  const std::string_view form = text.substr(0, colon);
  const std::string_view numbers = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (form == "permuted") return parse_permuted(text, numbers, num_bits);
  if (form == "two_level") return parse_two_level(text, numbers, num_bits);
  if (form == "flips") return parse_flips(text, numbers, num_bits, max_distance);
  if (text == "scan") return scan_plan(num_bits, max_distance);
  return bad_plan(text, "permuted:BLOCKS,CHOOSE, two_level:OUTER,INNER, flips:BITS/FLIPS,BITS/FLIPS,... or scan");
}

}  // namespace

Result<Plan> parse_plan(std::string_view text, int num_bits, int max_distance) {
  if (num_bits < 1 || num_bits > 128) return bad_plan(text, "a width of 1 to 128 bits");
  NEARDUP_ASSIGN(Plan plan, parse_form(text, num_bits, max_distance));
  plan.max_distance = max_distance;
  NEARDUP_TRY(check_plan(plan));
  return plan;
}

}  // namespace neardup::hamming
