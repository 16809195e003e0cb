#include "neardup/lines/seen_lines.h"

#include <cstring>
#include <utility>

#include "neardup/base/threads.h"

namespace neardup::lines {

std::string_view part_key(const LineKey& key, Hold hold, std::array<char, 16>& digest) {
  if (hold != Hold::kHashes) return key.bytes();
  std::memcpy(digest.data(), &key.hash, sizeof key.hash);
  std::memcpy(digest.data() + sizeof key.hash, &key.data, sizeof key.data);
  return {digest.data(), digest.size()};
}

SeenLines::SeenLines(Hold hold, const LinesMemory& memory, const std::string& prefix, int num_threads)
    : hold_(hold),
      set_bytes_(memory.set_bytes),
      num_threads_(num_threads),
      parts_(prefix, static_cast<size_t>(memory.part_buffer_bytes)) {
  sets_.reserve(kNumParts);
  for (size_t part = 0; part < kNumParts; ++part) sets_.emplace_back(hold);
}

/// First a rough look, which is nearly always enough.
bool SeenLines::fits(std::span<const LineChunk> chunks) const {
  uint64_t held = 0, text = 0, lines = 0;
  for (const LineSet& set : sets_) held += set.memory_bytes();
  for (const LineChunk& chunk : chunks) {
    text += chunk.bytes.size();
    lines += chunk.num_lines();
  }
  constexpr uint64_t kMostPerLine = 128;  // slots that are half empty, and the heads of keys
  if (2 * held + 2 * text + kMostPerLine * lines + kNumParts * 4096 <= set_bytes_) return true;
  uint64_t most = 0;
  for (size_t part = 0; part < kNumParts; ++part) {
    uint64_t count = 0, bytes = 0;
    for (const LineChunk& chunk : chunks) {
      count += chunk.keys[part].size();
      if (chunk.keys_stay) continue;
      for (const LineKey& key : chunk.keys[part]) bytes += key.size;
    }
    most += sets_[part].most_bytes(count, bytes);
  }
  return most <= set_bytes_;
}

void SeenLines::add_part(size_t part, std::span<LineChunk> chunks) {
  for (LineChunk& chunk : chunks) {
    sets_[part].add(
        chunk.keys[part], chunk.keys_stay, [&](const LineKey& key) { return chunk.first + key.index; },
        [&](const LineKey& key) { chunk.writes[key.index] = 0; }, [](const LineKey&) {});
  }
}

Status SeenLines::look_up_part(size_t part, std::span<LineChunk> chunks) {
  Status added;
  std::array<char, 16> digest;
  for (LineChunk& chunk : chunks) {
    sets_[part].look_up(chunk.keys[part], [&](const LineKey& key) {
      if (added) added = parts_[part].add(chunk.first + key.index, part_key(key, hold_, digest));
    });
  }
  return added;
}

Status SeenLines::add(std::span<LineChunk> chunks) {
  is_full_ = is_full_ || !fits(chunks);
  return parallel_for(num_threads_, kNumParts, [&](size_t part, int) -> Status {
    if (is_full_) return look_up_part(part, chunks);
    add_part(part, chunks);
    return {};
  });
}

void SeenLines::expect_rest(double share) {
  uint64_t held = 0;
  for (const LineSet& set : sets_) held += set.memory_bytes();
  const bool is_known = share > 0.01 && static_cast<double>(held) / share < static_cast<double>(set_bytes_);
  for (LineSet& set : sets_) set.expect(is_known ? static_cast<uint64_t>(static_cast<double>(set.size()) / share) : 0);
}

uint64_t SeenLines::num_parted() const {
  uint64_t count = 0;
  for (size_t part = 0; part < kNumParts; ++part) count += parts_[part].num_keys();
  return count;
}

Status SeenLines::release(PartFiles& parts) {
  sets_.clear();
  for (size_t part = 0; part < kNumParts; ++part) NEARDUP_TRY(parts_[part].finish());
  parts = std::move(parts_);
  return {};
}

}  // namespace neardup::lines
