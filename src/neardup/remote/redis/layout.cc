#include "neardup/remote/redis/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "neardup/base/hash.h"
#include "neardup/hamming/plan.h"

namespace neardup::remote::redis {
namespace {

constexpr uint64_t kDefaultExpected = 10'000'000;
constexpr uint64_t kMostExpected = uint64_t{1} << 39;
constexpr uint32_t kMostTables = 64, kMostPlaces = 64;
constexpr uint32_t kSetsBits = 16;
constexpr uint32_t kMostKeyBits = 24, kMostBucketBits = 24;
constexpr std::string_view kOptions[] = {"layout", "tables", "expect", "allow-eviction", "timeout",
                                         "cacert", "cert",   "key",    "server-name"};  // the last four: kTlsOptions

using Bits = std::vector<uint8_t>;

uint32_t num_tables_of(int max_distance, uint32_t choose) {
  double count = 1;
  for (uint32_t i = 1; i <= choose; ++i) count = count * (max_distance + i) / i;
  return count > 1e6 ? 1'000'000 : static_cast<uint32_t>(std::lround(count));
}

// Of the prefix of the narrowest table.
uint32_t prefix_bits_of(const store::StoreSettings& settings, uint32_t choose) {
  const uint32_t blocks = static_cast<uint32_t>(settings.max_distance) + choose;
  return choose * (settings.num_bits / blocks);
}

// How much of a list of so many entries of random values of `bits` bits seems to be within reach.
double share_within(uint32_t bits, int max_distance) {
  double ways = 1, sum = 0;
  for (int i = 0; i <= max_distance && static_cast<uint32_t>(i) <= bits; ++i) {
    sum += ways;
    ways = ways * (bits - static_cast<uint32_t>(i)) / (i + 1);
  }
  return sum / std::exp2(bits);
}

uint32_t log2_of(uint64_t expected) { return static_cast<uint32_t>(std::bit_width(expected - 1)); }

// So that the lists of a table have some 128 entries, but no fewer than 65,536 lists where its prefix is not shorter.
uint32_t bucket_bits_of(const store::StoreSettings& settings, uint32_t choose, uint64_t expected) {
  const uint32_t log2_expected = log2_of(expected);
  return std::min(prefix_bits_of(settings, choose),
                  std::clamp(log2_expected - std::min(log2_expected, 7U), 16U, kMostBucketBits));
}

// What a look-up costs: a list asked for is some 300 entries compared.
double cost_of(const store::StoreSettings& settings, uint32_t choose, uint64_t expected) {
  const double entries = static_cast<double>(expected) / std::exp2(bucket_bits_of(settings, choose, expected));
  return num_tables_of(settings.max_distance, choose) * (300 + entries);
}

uint32_t cheapest_choose(const store::StoreSettings& settings, uint64_t expected) {
  uint32_t best = 1;
  for (uint32_t choose = 2;
       num_tables_of(settings.max_distance, choose) <= kMostTables && settings.max_distance > 0 && choose <= 8;
       ++choose)
    if (cost_of(settings, choose, expected) < cost_of(settings, best, expected)) best = choose;
  return best;
}

// So that fewer than one in ten documents seems to be within reach of another one by a value alone.
uint32_t extra_bits_of(const store::StoreSettings& settings, const LayoutNumbers& numbers) {
  const uint32_t most = static_cast<uint32_t>(settings.num_bits) - numbers.bucket_bits;
  const double compared = static_cast<double>(numbers.expected) / std::exp2(numbers.bucket_bits) *
                          num_tables_of(settings.max_distance, numbers.choose);
  uint32_t bits = std::max(24U, (numbers.bucket_bits + 7) / 8 * 8 + 8) - numbers.bucket_bits;
  while (bits + 8 <= most && compared * share_within(numbers.bucket_bits + bits, settings.max_distance) > 0.1)
    bits += 8;
  return std::min(bits, most);
}

Bits extra_bits(const Bits& home_value, const Bits& own_bucket, uint32_t count) {
  Bits first, then;
  for (const uint8_t bit : home_value) (std::ranges::count(own_bucket, bit) == 0 ? first : then).push_back(bit);
  Bits bits;
  if (count <= first.size()) {
    for (uint32_t i = 0; i < count; ++i) bits.push_back(first[i * first.size() / count]);
  } else {
    bits = first;
    bits.insert(bits.end(), then.begin(), then.begin() + static_cast<ptrdiff_t>(count - first.size()));
  }
  return bits;
}

Result<uint64_t> number_option(const RemoteUri& uri, std::string_view name, uint64_t otherwise, uint64_t most) {
  const auto found = uri.options.find(name);
  if (found == uri.options.end()) return otherwise;
  uint64_t value = 0;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value > 0 && value <= most) return value;
  return fail(Code::kInvalidArgument,
              fmt::format("{}: expected {}=1 to {}, found '{}'", uri.shown(), name, most, text));
}

Result<LayoutKind> kind_option(const RemoteUri& uri) {
  const auto found = uri.options.find("layout");
  if (found == uri.options.end() || found->second == "compact") return LayoutKind::kCompact;
  if (found->second == "sets") return LayoutKind::kSets;
  return fail(Code::kInvalidArgument,
              fmt::format("{}: expected layout=compact or layout=sets, found '{}'", uri.shown(), found->second));
}

tl::unexpected<Error> no_fingerprints(const RemoteUri& uri, std::string_view option) {
  return fail(Code::kInvalidArgument,
              fmt::format("{}: {} is of stores of fingerprints, and this one compares signatures of MinHash; leave it "
                          "out, or make a store of fingerprints (--recipe grams --distance 3)",
                          uri.shown(), option));
}

Result<uint32_t> choose_option(const RemoteUri& uri, const store::StoreSettings& settings, uint64_t expected) {
  NEARDUP_ASSIGN(const uint64_t tables, number_option(uri, "tables", 0, kMostTables));
  if (tables == 0) return cheapest_choose(settings, expected);
  if (settings.num_fingerprints == 0) return no_fingerprints(uri, "tables");
  std::string possible;
  for (uint32_t choose = 1; choose <= 8; ++choose) {
    const uint32_t count = num_tables_of(settings.max_distance, choose);
    if (count == tables) return choose;
    if (count <= kMostTables) possible += fmt::format("{}{}", possible.empty() ? "" : ", ", count);
    if (settings.max_distance == 0) break;
  }
  return fail(Code::kInvalidArgument,
              fmt::format("{}: there is no plan of {} tables for {} bits of distance; there are: {}", uri.shown(),
                          tables, settings.max_distance, possible));
}

// Lists of some 128 keys, and of each key so many bits that fewer than one look-up of a document's keys in twenty shows
// somebody who has none of them.
void choose_keys(const store::StoreSettings& settings, uint32_t log2_expected, LayoutNumbers& numbers) {
  const uint32_t log2_keys = settings.num_fingerprints > 0 && !settings.has_passages ? 1 : 6;  // of a document
  const uint32_t log2_entries = log2_expected + log2_keys;
  numbers.key_bits = std::clamp(log2_entries - std::min(log2_entries, 7U), 8U, kMostKeyBits);
  const uint32_t bits = log2_entries + log2_keys + 5;
  numbers.key_value_bytes = std::clamp((bits - std::min(bits, numbers.key_bits) + 7) / 8, 2U, 5U);
}

}  // namespace

Status Layout::check_options(const RemoteUri& uri) {
  for (const auto& [name, value] : uri.options)
    if (std::ranges::find(kOptions, name) == std::end(kOptions))
      return fail(Code::kInvalidArgument, fmt::format("{}: there is no option '{}'; there are: {}", uri.shown(), name,
                                                      fmt::join(kOptions, ", ")));
  const auto eviction = uri.options.find("allow-eviction");
  if (eviction == uri.options.end() || eviction->second == "yes" || eviction->second == "no") return {};
  return fail(Code::kInvalidArgument,
              fmt::format("{}: expected allow-eviction=yes or no, found '{}'", uri.shown(), eviction->second));
}

Result<LayoutNumbers> Layout::choose(const store::StoreSettings& settings, const RemoteUri& uri) {
  NEARDUP_TRY(check_options(uri));
  LayoutNumbers numbers;
  NEARDUP_ASSIGN(numbers.kind, kind_option(uri));
  NEARDUP_ASSIGN(numbers.expected, number_option(uri, "expect", kDefaultExpected, kMostExpected));
  NEARDUP_ASSIGN(numbers.choose, choose_option(uri, settings, numbers.expected));
  if (numbers.kind == LayoutKind::kSets) {
    if (settings.num_fingerprints == 0) return no_fingerprints(uri, "layout=sets");
    if (settings.num_bits != 64 || settings.max_distance != 3 || numbers.choose != 1)
      return fail(Code::kInvalidArgument,
                  fmt::format("{}: layout=sets is for fingerprints of 64 bits and a distance of 3 "
                              "in 4 tables; found {} bits, a distance of {}; use layout=compact",
                              uri.shown(), settings.num_bits, settings.max_distance));
  }
  numbers.bucket_bits = bucket_bits_of(settings, numbers.choose, numbers.expected);
  numbers.extra_bits = extra_bits_of(settings, numbers);
  choose_keys(settings, log2_of(numbers.expected), numbers);
  return numbers;
}

bool Layout::check(const store::StoreSettings& settings, const LayoutNumbers& numbers) {
  if (settings.num_bits != 64 && settings.num_bits != 128) return false;
  if (settings.max_distance < 0 || settings.max_distance > static_cast<int>(settings.num_bits / 4)) return false;
  if (settings.num_fingerprints > kMostPlaces || numbers.kind > LayoutKind::kSets) return false;
  if (numbers.kind == LayoutKind::kSets && (settings.num_bits != 64 || numbers.bucket_bits != kSetsBits)) return false;
  if (numbers.choose < 1 || numbers.choose > 8 || num_tables_of(settings.max_distance, numbers.choose) > kMostTables)
    return false;
  return numbers.bucket_bits >= 1 && numbers.bucket_bits <= kMostBucketBits &&
         numbers.bucket_bits <= prefix_bits_of(settings, numbers.choose) &&
         numbers.extra_bits <= settings.num_bits - numbers.bucket_bits && numbers.key_bits >= 1 &&
         numbers.key_bits <= kMostKeyBits && numbers.key_value_bytes >= 2 && numbers.key_value_bytes <= 5;
}

Layout::Layout(const store::StoreSettings& settings, const LayoutNumbers& numbers)
    : numbers_(numbers),
      num_places_(settings.num_fingerprints),
      words_each_(settings.num_bits / 64),
      max_distance_(settings.max_distance) {
  const hamming::Plan plan = hamming::permuted_plan(static_cast<int>(settings.num_bits),
                                                    settings.max_distance + static_cast<int>(numbers.choose),
                                                    static_cast<int>(numbers.choose));
  const auto width = static_cast<ptrdiff_t>(numbers.bucket_bits);
  const Bits& first = plan.tables[0].order;
  const Bits home(first.begin(), first.begin() + width), home_value(first.begin() + width, first.end());
  for (size_t i = 0; i < plan.tables.size(); ++i) {
    const Bits bucket(plan.tables[i].order.begin(), plan.tables[i].order.begin() + width);
    Bits value = home_value;
    if (i > 0) {
      value = home;
      const Bits extra = extra_bits(home_value, bucket, numbers.extra_bits);
      value.insert(value.end(), extra.begin(), extra.end());
    }
    tables_.push_back({BitRuns(bucket), BitRuns(value), (value.size() + 7) / 8});
  }
}

uint64_t Layout::fingerprint_key(Wide fingerprint, size_t place) {
  constexpr uint64_t kSalt = 0x6e64'7270'7365'7473;
  return mix64(mix64(static_cast<uint64_t>(fingerprint) ^ kSalt) + place + static_cast<uint64_t>(fingerprint >> 64));
}

}  // namespace neardup::remote::redis
