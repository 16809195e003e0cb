#include "neardup/lines/line_chunk.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "neardup/base/hash.h"

namespace neardup::lines {
namespace {

constexpr size_t kMostChunkBytes = size_t{1} << 20;
static_assert(kMostChunkBytes < LineKey::kMostLines);

/// Calls use(begin, end) for each line, `end` behind its end. Of a file that others write to the last end may be gone
/// by now.
template <class Use>
void each_line(std::string_view bytes, char line_end, const Use& use) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end) {
    const auto* const found = static_cast<const char*>(std::memchr(at, line_end, static_cast<size_t>(end - at)));
    const char* const next = found == nullptr ? end : found + 1;
    use(at, next);
    at = next;
  }
}

LineKey key_of(std::string_view bytes, size_t index, uint64_t seed) { return {hash64(bytes, seed), bytes, index}; }

/// The digest instead of the bytes: its second half where the address stands, or both in memory of the chunk.
LineKey fast_key_of(const Keying& keying, std::string_view bytes, size_t index, corpus::Arena& made) {
  const Hash128 hash = hash128(bytes, keying.seed);
  LineKey key{hash.high, {}, index};
  if (keying.hold == Hold::kHashes) {
    key.data = reinterpret_cast<const char*>(hash.low);
  } else {
    char* const kept = made.reserve(sizeof hash);
    std::memcpy(kept, &hash, sizeof hash);
    made.use(sizeof hash);
    key = {hash.high, {kept, sizeof hash}, index};
  }
  return key;
}

std::string_view keep_key(std::string_view key, corpus::Arena& made) {
  char* const kept = made.reserve(key.size());
  std::memcpy(kept, key.data(), key.size());
  made.use(key.size());
  return {kept, key.size()};
}

/// Keys of whole lines by their bytes: what most runs do, with nothing in the way.
void find_whole_lines(const Keying& keying, LineChunk& chunk) {
  const char* const begin = chunk.bytes.data();
  const uint64_t seed = keying.seed;
  each_line(chunk.bytes, keying.line_end, [&](const char* line, const char* end) {
    const LineKey key = key_of({line, static_cast<size_t>(end - 1 - line)}, chunk.ends.size(), seed);
    chunk.keys[part_of_hash(key.hash)].push_back(key);
    chunk.ends.push_back(static_cast<uint64_t>(end - begin));
  });
}

void find_made_keys(const Keying& keying, LineChunk& chunk) {
  std::string made;
  each_line(chunk.bytes, keying.line_end, [&](const char* line, const char* end) {
    const size_t index = chunk.ends.size();
    chunk.ends.push_back(static_cast<uint64_t>(end - chunk.bytes.data()));
    const auto key = key_of_line(keying, {line, static_cast<size_t>(end - 1 - line)}, index, made, chunk.made);
    if (!key) return chunk.without_key.push_back(index);
    chunk.keys[part_of_hash(key->hash)].push_back(*key);
  });
}

void append_count(uint64_t count, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, count).ptr);
  out += '\t';
}

}  // namespace

void reset(LineChunk& chunk) {
  chunk.ends.clear();
  chunk.without_key.clear();
  chunk.counts.clear();
  chunk.made.clear();
  for (std::vector<LineKey>& keys : chunk.keys) keys.clear();
}

void cut_into_chunks(std::string_view bytes, char line_end, size_t count, std::vector<LineChunk>& chunks) {
  count = std::max(count, (bytes.size() + kMostChunkBytes - 1) / kMostChunkBytes);
  const size_t step = bytes.size() / count + 1;
  size_t used = 0;
  while (!bytes.empty()) {
    const size_t found = std::min(bytes.size() <= step ? bytes.size() : bytes.find(line_end, step), bytes.size() - 1);
    if (used == chunks.size()) chunks.emplace_back();
    chunks[used++].bytes = bytes.substr(0, found + 1);
    bytes.remove_prefix(found + 1);
  }
  for (size_t i = used; i < chunks.size(); ++i) chunks[i].bytes = {};
}

std::optional<LineKey> key_of_line(const Keying& keying, std::string_view line, size_t index, std::string& made,
                                   corpus::Arena& room) {
  const bool is_long = keying.long_lines != nullptr && keying.long_lines->number_of(line);
  const std::optional<std::string_view> key =
      is_long ? std::optional<std::string_view>(*keying.long_key) : keying.maker->key(line, made);
  if (!key) return std::nullopt;
  if (keying.fast) return fast_key_of(keying, *key, index, room);
  return key_of(keying.maker->is_piece() && !is_long ? *key : keep_key(*key, room), index, keying.seed);
}

void find_line_ends(char line_end, LineChunk& chunk) {
  reset(chunk);
  each_line(chunk.bytes, line_end, [&](const char*, const char* end) {
    chunk.ends.push_back(static_cast<uint64_t>(end - chunk.bytes.data()));
  });
  chunk.writes.assign(chunk.num_lines(), 1);
}

void find_keys(const Keying& keying, LineChunk& chunk) {
  reset(chunk);
  if (keying.maker->is_whole_line() && !keying.fast) {
    find_whole_lines(keying, chunk);
  } else {
    find_made_keys(keying, chunk);
  }
  chunk.writes.assign(chunk.num_lines(), 1);
}

void gather_lines(LineChunk& chunk) {
  std::string& out = chunk.out;
  out.clear();
  if (chunk.counts.empty()) out.reserve(chunk.bytes.size());
  for (size_t i = 0; i < chunk.num_lines();) {
    if (chunk.writes[i] == 0) {
      ++i;
      continue;
    }
    if (!chunk.counts.empty()) {
      append_count(chunk.counts[i], out);
      out += chunk.line(i++);
      continue;
    }
    const uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
    while (i < chunk.num_lines() && chunk.writes[i] != 0) ++i;
    out.append(chunk.bytes.substr(begin, chunk.ends[i - 1] - begin));
  }
}

}  // namespace neardup::lines
