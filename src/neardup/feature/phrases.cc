// A phrase is a hash of two hashes: texts are asked token by token, so a look-up must be a multiplication and mostly
// one line of memory, and no strings are kept. The table is open addressing by the uppermost bits, half empty, which
// sorted hashes fill in order. Files come from outside: what save() would not write is refused, and hashes that crowd
// as well, so no file makes a look-up slow. docs/formats/phrases.md; what phrases bring: bench/DEAD_ENDS.md.
#include "neardup/feature/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "neardup/base/disk/file.h"
#include "neardup/base/hasher.h"
#include "neardup/feature/dictionary_file.h"
#include "neardup/feature/dictionary_memory.h"

namespace neardup::feature {
namespace {

constexpr uint64_t kMaxPhraseFileBytes = uint64_t{1} << 32;
constexpr uint64_t kMemoryPerPhraseByte = 6;  // the file, its hashes, and up to four slots' worth for each
constexpr uint32_t kMaxScore = 1000;
constexpr DictionaryKind kPhraseKind{
    {'N', 'D', 'U', 'P', 'P', 'H', 'R', '\n'}, 1, 8, "file of phrases", "learn it again with 'neardup phrases'"};

struct PhraseHeader {
  std::array<char, 8> magic = kPhraseKind.magic;
  uint32_t version = kPhraseKind.version;
  uint32_t min_count = 0;
  uint64_t num_counted = 0;
  uint64_t num_phrases = 0;
  uint32_t least_score = 0;
  uint32_t tokens_bytes = 0;
};
static_assert(sizeof(PhraseHeader) == 40);

/// Everything but the checksum.
std::string body_of(const PhraseHead& head, const std::vector<uint64_t>& sorted) {
  const PhraseHeader header{.min_count = head.min_count,
                            .num_counted = head.num_counted,
                            .num_phrases = sorted.size(),
                            .least_score = head.least_score,
                            .tokens_bytes = static_cast<uint32_t>(head.tokens.size())};
  return dictionary_head(kPhraseKind, header, head.tokens).append(bytes_of(sorted));
}

size_t slots_for(size_t num_hashes) { return std::bit_ceil(num_hashes * 2 + 2); }

/// Returns how far from its own slot the table would put a hash at most, without making the table.
size_t longest_probe(const std::vector<uint64_t>& sorted) {
  const int shift = 64 - std::countr_zero(slots_for(sorted.size()));
  uint64_t next = 0, longest = 0;
  for (const uint64_t hash : sorted) {
    const uint64_t slot = hash >> shift;
    next = std::max(next, slot) + 1;
    longest = std::max(longest, next - slot);
  }
  return longest;
}

Result<std::shared_ptr<const Phrases>> parse_phrases(std::string_view bytes, const std::string& where) {
  std::string_view entries;
  NEARDUP_ASSIGN(const auto header, parse_dictionary<PhraseHeader>(kPhraseKind, bytes, where, entries));
  if (entries.size() % sizeof(uint64_t) != 0 || header.num_phrases != entries.size() / sizeof(uint64_t))
    return not_whole(kPhraseKind, where,
                     fmt::format("{} bytes for {} phrases of 8", entries.size(), header.num_phrases));
  NEARDUP_TRY(check_checksum(kPhraseKind, bytes, where));
  const std::string_view body = bytes.substr(0, bytes.size() - kDictionaryChecksumBytes);
  std::vector<uint64_t> hashes(header.num_phrases);
  if (!hashes.empty()) std::memcpy(hashes.data(), entries.data(), entries.size());
  PhraseHead head{header.num_counted, header.min_count, header.least_score,
                  std::string(body.substr(sizeof(PhraseHeader), header.tokens_bytes))};
  // What save() would not write is refused: padding, order, a score out of range.
  if (header.least_score > kMaxScore || body != body_of(head, hashes) ||
      std::adjacent_find(hashes.begin(), hashes.end(), std::greater_equal<>()) != hashes.end())
    return not_whole(kPhraseKind, where, "its contents are not in order");
  // The checksum is no secret: whoever makes a file can make it slow, unless its hashes are spread as hashes are.
  constexpr size_t kMaxProbe = 512;
  if (const size_t probe = longest_probe(hashes); probe > kMaxProbe)
    return not_whole(kPhraseKind, where, fmt::format("its hashes crowd, {} slots full in a row", probe));
  return std::make_shared<const Phrases>(std::move(head), std::move(hashes));
}

}  // namespace

uint64_t phrase_hash(uint64_t first, uint64_t second) {
  // Odd multipliers keep each token's bits; order matters.
  const uint64_t hash = mix64(first * 0x9fb21c651e98df27ULL + second + 0x70687261736573ULL);
  return hash != 0 ? hash : 1;
}

Phrases::Phrases(PhraseHead head, std::vector<uint64_t> hashes) : head_(std::move(head)), sorted_(std::move(hashes)) {
  std::sort(sorted_.begin(), sorted_.end());
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  const size_t num_slots = slots_for(sorted_.size());
  slots_.assign(num_slots, 0);
  shift_ = 64 - std::countr_zero(num_slots);
  for (const uint64_t hash : sorted_) {
    size_t slot = hash >> shift_;
    while (slots_[slot] != 0) slot = (slot + 1) & (num_slots - 1);
    slots_[slot] = hash;
  }
}

void Phrases::join(std::vector<uint64_t>& tokens) const {
  size_t end = 0;
  // Never writes what is still to be read: end <= i.
  visit_joined(tokens, [&](size_t i, size_t length) {
    tokens[end++] = length == 1 ? tokens[i] : phrase_hash(tokens[i], tokens[i + 1]);
  });
  tokens.resize(end);
}

std::string Phrases::id() const { return to_hex(hash128(body_of(head_, sorted_)).high); }

std::string Phrases::to_bytes() const {
  const std::string bytes = body_of(head_, sorted_);
  return bytes + dictionary_checksum(hash128(bytes));
}

Status Phrases::save(const std::string& path) const { return write_file_atomically(path, to_bytes()); }

Result<std::shared_ptr<const Phrases>> Phrases::load(const std::string& path, uint64_t memory_bytes) {
  NEARDUP_TRY(check_dictionary_memory(path, kMemoryPerPhraseByte, memory_bytes,
                                      "learn fewer phrases: a larger --min-count of 'neardup phrases'"));
  NEARDUP_ASSIGN(const std::string bytes, read_file(path, kMaxPhraseFileBytes));
  return parse_phrases(bytes, path);
}

Result<std::shared_ptr<const Phrases>> Phrases::from_bytes(std::string_view bytes) {
  return parse_phrases(bytes, "memory");
}

}  // namespace neardup::feature
