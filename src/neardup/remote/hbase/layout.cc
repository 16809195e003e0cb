#include "neardup/remote/hbase/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "neardup/hamming/plan.h"

namespace neardup::remote::hbase {
namespace {

constexpr int kSegmentBits = 32;
constexpr size_t kSegmentBytes = 4;

template <class T>
void append_big(std::string& out, T value) {
  for (size_t i = sizeof(T); i-- > 0;) out += static_cast<char>(value >> (8 * i) & 0xff);
}
uint64_t big(std::string_view bytes) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

std::string row(uint32_t segment, uint8_t flag, uint64_t rest) {
  std::string bytes;
  bytes.reserve(kPrefixBytes + sizeof rest);
  append_big(bytes, segment);
  bytes += static_cast<char>(flag);
  append_big(bytes, rest);
  return bytes;
}

uint32_t reversed(uint32_t value) {
  uint32_t out = 0;
  for (int i = 0; i < kSegmentBits; ++i) out = out << 1 | (value >> i & 1);
  return out;
}

uint64_t choose(uint64_t of, uint64_t some) {
  uint64_t ways = 1;
  for (uint64_t i = 1; i <= some; ++i) ways = ways * (of - some + i) / i;
  return ways;
}

// Bits [low, low + bits) of a fingerprint of one or two words. Requires: 0 < bits <= 32.
uint64_t bits_of(std::span<const uint64_t> words, int low, int bits) {
  const auto word = static_cast<size_t>(low) / 64;
  const int shift = low % 64;
  uint64_t value = words[word] >> shift;
  if (shift + bits > 64) value |= words[word + 1] << (64 - shift);
  return value & ((uint64_t{1} << bits) - 1);
}

}  // namespace

std::string prefix_bytes(Prefix prefix) {
  std::string bytes;
  for (size_t i = kPrefixBytes; i-- > 0;) bytes += static_cast<char>(prefix >> (8 * i) & 0xff);
  return bytes;
}

std::vector<uint64_t> Layout::tables_to_choose(int max_distance) {
  std::vector<uint64_t> numbers;
  for (const uint64_t some : {1, 2, 3}) {
    const uint64_t tables = choose(static_cast<uint64_t>(max_distance) + some, some);
    if (tables <= kMostFlags && (numbers.empty() || numbers.back() != tables)) numbers.push_back(tables);
  }
  return numbers;
}

Result<Layout> Layout::make(const store::StoreSettings& settings, uint64_t num_tables) {
  if (settings.num_fingerprints == 0) return Layout();
  const std::vector<uint64_t> offered = tables_to_choose(settings.max_distance);
  const auto found = std::ranges::find(offered, num_tables);
  if (found == offered.end())
    return fail(Code::kInvalidArgument,
                fmt::format("there is no plan of {} tables for {} bits of distance; there are {}", num_tables,
                            settings.max_distance, fmt::join(offered, ", ")));
  if (settings.num_fingerprints * num_tables > kMostFlags)
    return fail(Code::kUnsupported,
                fmt::format("{} fingerprints of each document in {} tables are {} rows: on HBase there may be {}; give "
                            "fewer tables (?tables={})",
                            settings.num_fingerprints, num_tables, settings.num_fingerprints * num_tables, kMostFlags,
                            offered.front()));
  Layout layout;
  layout.num_places_ = settings.num_fingerprints;
  layout.words_each_ = settings.num_bits / 64;
  layout.max_distance_ = settings.max_distance;
  const int some = static_cast<int>(found - offered.begin()) + 1;
  const auto plan = hamming::permuted_plan(static_cast<int>(settings.num_bits), settings.max_distance + some, some);
  for (const hamming::TableLayout& of : plan.tables) {
    Table& table = layout.tables_.emplace_back();
    table.bits = std::min(of.prefix_bits, kSegmentBits);
    for (int i = 0; i < table.bits; ++i) {
      const int bit = of.order[static_cast<size_t>(i)];
      if (!table.pieces.empty() && table.pieces.back().low == bit + 1) {
        --table.pieces.back().low;
        ++table.pieces.back().bits;
      } else {
        table.pieces.push_back({bit, 1});
      }
    }
  }
  return layout;
}

Prefix Layout::prefix_of(std::span<const uint64_t> fingerprint, size_t place, size_t table) const {
  uint64_t segment = 0;
  for (const Piece& piece : tables_[table].pieces)
    segment = segment << piece.bits | bits_of(fingerprint, piece.low, piece.bits);
  segment <<= kSegmentBits - tables_[table].bits;  // so that the first byte tells evenly spread ones apart
  return segment << 8 | (place * tables_.size() + table);
}

std::string Layout::row_of(std::span<const uint64_t> fingerprint, size_t place, size_t table) const {
  std::string bytes;
  bytes.reserve(kPrefixBytes + 8 * words_each_);
  bytes += prefix_bytes(prefix_of(fingerprint, place, table));
  for (size_t i = words_each_; i-- > 0;) append_big(bytes, fingerprint[i]);
  return bytes;
}

bool Layout::parse_row(std::string_view row, Prefix& prefix, std::span<uint64_t> words) const {
  if (row.size() != kPrefixBytes + 8 * words_each_ || static_cast<uint8_t>(row[4]) >= num_places_ * tables_.size())
    return false;
  prefix = big(row.substr(0, kPrefixBytes));
  for (size_t i = 0; i < words_each_; ++i) words[words_each_ - 1 - i] = big(row.substr(kPrefixBytes + 8 * i, 8));
  return true;
}

bool Layout::within(std::span<const uint64_t> a, std::span<const uint64_t> b) const {
  int distance = 0;
  for (size_t i = 0; i < words_each_; ++i) distance += std::popcount(a[i] ^ b[i]);
  return distance <= max_distance_;
}

bool Layout::meet(std::span<const uint64_t> a, std::span<const uint64_t> b) const {
  for (size_t begin = 0; begin < std::min(a.size(), b.size()); begin += words_each_)
    if (within(a.subspan(begin, words_each_), b.subspan(begin, words_each_))) return true;
  return false;
}

std::string key_row(uint64_t key) { return row(static_cast<uint32_t>(key >> 32), kKeyRow, key); }

std::string record_row(uint64_t number) {
  const uint64_t chunk = number / kRecordsEach;
  return row(reversed(static_cast<uint32_t>(chunk)), kRecordRow, chunk);
}
std::string record_column(uint64_t number) { return std::string(1, static_cast<char>(number % kRecordsEach)); }
uint64_t record_number(uint64_t of_same_row, std::string_view column) {
  return of_same_row / kRecordsEach * kRecordsEach + static_cast<uint8_t>(column[0]);
}

std::string log_row(uint64_t position) { return row(0, kLogRow, position); }
std::string end_of_log() { return prefix_bytes(Prefix{kLogRow} + 1); }
Result<uint64_t> log_position(std::string_view row) {
  if (row.size() != kPrefixBytes + 8 || static_cast<uint8_t>(row[kSegmentBytes]) != kLogRow)
    return fail(Code::kCorruption, "a row of the log has another form than a store gives it");
  return big(row.substr(kPrefixBytes));
}
std::string meta_row() { return row(0, kMetaRow, 0); }
std::string file_row(uint64_t maker, uint32_t file, uint32_t part) {
  std::string bytes = row(0, kMetaRow, maker);
  append_big(bytes, file);
  append_big(bytes, part);
  return bytes;
}

std::string number_column(uint64_t number) {
  std::string bytes;
  append_big(bytes, number);
  return bytes;
}
Result<uint64_t> parse_number_column(std::string_view column) {
  if (column.size() != 8)
    return fail(Code::kCorruption,
                fmt::format("a column is named by {} bytes; a store names it by the 8 bytes of a document's number",
                            column.size()));
  return big(column);
}

}  // namespace neardup::remote::hbase
