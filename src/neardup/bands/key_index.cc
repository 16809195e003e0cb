// A state is a list of segments and of maps, of which only the last grows; it is exchanged as a whole, as that of an
// UpdatableIndex (docs/design/updates.md, "Readers never wait"). How far the last map counts for a reader is a number,
// taken with the pointer: a document's keys are added one by one, so the count that readers take is set after the last.
#include "neardup/bands/key_index.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace neardup::bands {
namespace {

constexpr uint64_t kMostNumbers = uint64_t{1} << 32;  // of a map or a segment: more do not fit an entry
constexpr size_t kKeysAtOnce = 32;                    // whose memory is asked for before any is read

// Calls `visit` with `base` + i.
void find_in_segment(const KeySegment& segment, std::span<const uint64_t> keys, size_t base,
                     const std::function<void(size_t i, uint64_t number)>& visit) {
  if (segment.table.size() == 0) return;
  std::vector<uint32_t> found;
  for (const uint64_t key : keys) segment.table.prefetch(key);
  for (const uint64_t key : keys) segment.table.prefetch_tags(key);
  for (size_t i = 0; i < keys.size(); ++i) {
    found.clear();
    segment.table.find(keys[i], found);
    for (const uint32_t number : found) visit(base + i, segment.first + number);
  }
}

}  // namespace

// A map, the number that its numbers count from, and how many of its entries are of whole documents.
struct KeyView::Map {
  Map(uint32_t capacity, uint64_t first) : keys(capacity), base(first) {}
  KeyMap keys;
  uint64_t base;
  std::atomic<uint32_t> whole{0};
};

struct KeyView::State {
  std::vector<std::shared_ptr<const KeySegment>> segments;
  std::vector<std::shared_ptr<Map>> maps;  // never empty; the last grows
  uint64_t num_sealed = 0;                 // maps that were there before those
};

std::span<const std::shared_ptr<const KeySegment>> KeyView::segments() const { return state_->segments; }

void KeyView::find(std::span<const uint64_t> keys, std::vector<uint64_t>& numbers) const {
  std::vector<uint32_t> found;
  for (const auto& segment : state_->segments) {
    found.clear();
    if (segment->table.size() == 0) continue;
    for (size_t begin = 0; begin < keys.size(); begin += kKeysAtOnce) {
      const auto some = keys.subspan(begin, std::min(kKeysAtOnce, keys.size() - begin));
      for (const uint64_t key : some) segment->table.prefetch(key);
      for (const uint64_t key : some) segment->table.prefetch_tags(key);
      for (const uint64_t key : some) segment->table.find(key, found);
    }
    for (const uint32_t number : found) numbers.push_back(segment->first + number);
  }
  find_in_maps(0, 0, keys, [&](size_t, uint64_t number) { numbers.push_back(number); });
}

// Segments and maps follow each other; those of a map come newest first.
std::vector<uint64_t> KeyView::find_from(uint64_t key, uint64_t first, size_t limit) const {
  std::vector<uint64_t> numbers;
  std::vector<uint32_t> found;
  for (const auto& segment : state_->segments) {
    if (numbers.size() == limit) return numbers;
    if (segment->first + segment->count <= first) continue;
    found.clear();
    const uint64_t skipped = first - std::min(first, segment->first);
    segment->table.find_from(key, static_cast<uint32_t>(skipped), limit - numbers.size(), found);
    for (const uint32_t number : found) numbers.push_back(segment->first + number);
  }
  for (size_t i = 0; i < state_->maps.size() && numbers.size() < limit; ++i) {
    found.clear();
    find_in_map(i, 0, key, found);
    for (auto number = found.rbegin(); number != found.rend() && numbers.size() < limit; ++number)
      if (state_->maps[i]->base + *number >= first) numbers.push_back(state_->maps[i]->base + *number);
  }
  return numbers;
}

void KeyView::find_each(std::span<const uint64_t> keys,
                        const std::function<void(size_t i, uint64_t number)>& visit) const {
  for (size_t begin = 0; begin < keys.size(); begin += kKeysAtOnce) {
    const auto some = keys.subspan(begin, std::min(kKeysAtOnce, keys.size() - begin));
    for (const auto& segment : state_->segments) find_in_segment(*segment, some, begin, visit);
    find_in_maps(0, 0, some, [&](size_t i, uint64_t number) { visit(begin + i, number); });
  }
}

void KeyView::find_in_maps(size_t first_map, uint32_t from, std::span<const uint64_t> keys,
                           const std::function<void(size_t i, uint64_t number)>& visit) const {
  std::vector<uint32_t> found;
  for (size_t i = first_map; i < state_->maps.size(); ++i) {
    for (const uint64_t key : keys) state_->maps[i]->keys.prefetch(key);
    for (size_t k = 0; k < keys.size(); ++k) {
      found.clear();
      find_in_map(i, i == first_map ? from : 0, keys[k], found);
      for (auto number = found.rbegin(); number != found.rend(); ++number) visit(k, state_->maps[i]->base + *number);
    }
  }
}

void KeyView::find_in_map(size_t i, uint32_t from, uint64_t key, std::vector<uint32_t>& found) const {
  const Map& map = *state_->maps[i];
  const bool is_last = i + 1 == state_->maps.size();
  const uint32_t to = is_last ? size_ : map.whole.load(std::memory_order_acquire);
  map.keys.find(key, from, to, found);
}

// Where the map that was the last one of `before` is a segment by now, a look at all tells the new ones by their
// numbers.
void KeyView::find_since(const KeyView& before, std::span<const uint64_t> keys, std::vector<uint64_t>& numbers) const {
  const uint64_t last = before.state_->num_sealed + before.state_->maps.size() - 1;  // of all maps there ever were
  if (last >= state_->num_sealed)
    return find_in_maps(last - state_->num_sealed, before.size_, keys,
                        [&](size_t, uint64_t number) { numbers.push_back(number); });
  const size_t begin = numbers.size();
  find(keys, numbers);
  const uint64_t first_new = before.end();
  numbers.erase(std::remove_if(numbers.begin() + static_cast<std::ptrdiff_t>(begin), numbers.end(),
                               [first_new](uint64_t number) { return number < first_new; }),
                numbers.end());
}

uint64_t KeyView::end() const {
  const Map& map = *state_->maps.back();
  return size_ == 0 ? map.base : map.base + map.keys.number_at(size_ - 1) + 1;
}

uint64_t KeyView::size_bytes() const {
  uint64_t bytes = 0;
  for (const auto& segment : state_->segments) bytes += segment->table.filter_bytes();
  for (const auto& map : state_->maps) bytes += map->keys.size_bytes();
  return bytes;
}

KeyIndex::KeyIndex(uint32_t map_capacity, std::vector<std::shared_ptr<const KeySegment>> segments)
    : map_capacity_(map_capacity) {
  auto state = std::make_shared<State>();
  const uint64_t end = segments.empty() ? 0 : segments.back()->first + segments.back()->count;
  state->segments = std::move(segments);
  state->maps.push_back(std::make_shared<KeyView::Map>(map_capacity, end));
  state_ = std::move(state);
}

bool KeyIndex::is_full(size_t num_keys, uint64_t number) const {
  const KeyView view = this->view();
  const KeyView::Map& map = *view.state_->maps.back();
  return map.keys.capacity() - map.keys.size() < num_keys || (number > map.base && number - map.base >= kMostNumbers);
}

void KeyIndex::add(uint64_t number, std::span<const uint64_t> keys) {
  KeyView::Map& map = *view().state_->maps.back();
  for (const uint64_t key : keys) map.keys.prefetch(key);
  for (const uint64_t key : keys) map.keys.add(key, static_cast<uint32_t>(number - map.base));
  map.whole.store(map.keys.size(), std::memory_order_release);
}

void KeyIndex::freeze(size_t num_keys, uint64_t number) {
  const uint64_t end = std::max(view().end(), number);
  const auto capacity = static_cast<uint32_t>(std::max<size_t>(map_capacity_, num_keys));
  exchange([&](State& state) {
    const KeyMap& last = state.maps.back()->keys;
    const bool reaches = end - state.maps.back()->base < kMostNumbers;
    if (last.size() == 0 && last.capacity() >= num_keys && reaches) return;
    if (last.size() == 0) state.maps.pop_back();
    state.maps.push_back(std::make_shared<KeyView::Map>(capacity, end));
  });
}

KeyView KeyIndex::view() const {
  const std::lock_guard lock(mutex_);
  KeyView view;
  view.state_ = state_;
  view.size_ = state_->maps.back()->whole.load(std::memory_order_acquire);
  return view;
}

void KeyIndex::exchange(const std::function<void(State&)>& change) {
  const std::lock_guard lock(mutex_);
  auto state = std::make_shared<State>(*state_);
  change(*state);
  state_ = std::move(state);
}

size_t KeyIndex::num_frozen() const { return view().state_->maps.size() - 1; }

uint64_t KeyIndex::frozen_end() const {
  const KeyView view = this->view();
  const KeyView::Map& map = *view.state_->maps[0];
  const uint64_t next = view.state_->maps[1]->base;
  return next - map.base < kMostNumbers ? next : map.base + map.keys.number_at(map.keys.size() - 1) + 1;
}

KeySegment KeyIndex::seal(const IsLive& is_live) const {
  const KeyView view = this->view();
  const KeyView::Map& map = *view.state_->maps[0];
  KeySegment segment;
  segment.first = map.base;
  segment.count = frozen_end() - map.base;
  std::vector<KeyEntry> entries = map.keys.sorted();
  std::erase_if(entries, [&](KeyEntry entry) { return !is_live(map.base + entry.number); });
  segment.table = KeyTable(entries);
  return segment;
}

void KeyIndex::publish_sealed(std::shared_ptr<const KeySegment> segment) {
  exchange([&](State& state) {
    state.segments.push_back(std::move(segment));
    state.maps.erase(state.maps.begin());
    ++state.num_sealed;
  });
}

bool KeyIndex::fit(std::span<const std::shared_ptr<const KeySegment>> segments) {
  return segments.back()->first + segments.back()->count - segments.front()->first < kMostNumbers;
}

KeySegment KeyIndex::join(std::span<const std::shared_ptr<const KeySegment>> segments, const IsLive& is_live) {
  KeySegment joined;
  joined.first = segments.front()->first;
  joined.count = segments.back()->first + segments.back()->count - joined.first;
  std::vector<KeyEntry> entries;
  std::vector<size_t> ends;
  uint64_t most = 0;
  for (const auto& segment : segments) most += segment->table.size();
  entries.reserve(most);
  for (const auto& segment : segments) {
    segment->table.for_each([&](KeyEntry entry) {
      const uint64_t number = segment->first + entry.number;
      if (is_live(number)) entries.push_back({entry.known, static_cast<uint32_t>(number - joined.first)});
    });
    ends.push_back(entries.size());
  }
  const auto place = [&](size_t i) { return entries.begin() + static_cast<std::ptrdiff_t>(ends[i]); };
  for (size_t i = 1; i < ends.size(); ++i) std::inplace_merge(entries.begin(), place(i - 1), place(i));
  joined.table = KeyTable(entries);
  return joined;
}

void KeyIndex::publish_joined(size_t begin, size_t count, std::shared_ptr<const KeySegment> segment) {
  exchange([&](State& state) {
    const auto first = state.segments.begin() + static_cast<std::ptrdiff_t>(begin);
    *first = std::move(segment);
    state.segments.erase(first + 1, first + static_cast<std::ptrdiff_t>(count));
  });
}

}  // namespace neardup::bands
