// What the fuzz bodies of the table codecs share: sections from bytes of outside, in two ways.
//
// First as the bytes say: their lengths, then what they hold. Most inputs end there for their lengths are not those of
// a table. So a table of keys from the input is built too, a few bytes of its sections are changed, and it is opened.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/hamming/table.h"
#include "neardup/hamming/table_search.h"

namespace table_sections {

using neardup::hamming::TableCandidate;
using neardup::hamming::TableLayout;
using neardup::hamming::TableSection;

/// Reads numbers from the front of an input; zeros behind its end.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : bytes_(data, size) {}
  template <class T>
  T take() {
    T value = 0;
    const std::span<const uint8_t> taken = take_bytes(sizeof(T));
    if (!taken.empty()) std::memcpy(&value, taken.data(), taken.size());
    return value;
  }
  std::span<const uint8_t> take_bytes(size_t count) {
    const auto taken = bytes_.first(std::min(count, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }
  [[nodiscard]] size_t left() const { return bytes_.size(); }

 private:
  std::span<const uint8_t> bytes_;
};

/// Sections in blocks of their size and as many bytes as may be read behind it, so that the sanitizers see each read
/// beyond the end.
class Copies {
 public:
  explicit Copies(size_t readable_behind) : readable_behind_(readable_behind) {}
  void add(std::string_view name, std::span<const std::byte> bytes) {
    blocks_.push_back(std::make_unique<std::byte[]>(bytes.size() + readable_behind_));
    std::copy(bytes.begin(), bytes.end(), blocks_.back().get());
    sections_.push_back({name, {blocks_.back().get(), bytes.size()}});
  }
  void change(size_t section, size_t at, uint8_t mask) {
    if (section < blocks_.size() && at < sections_[section].bytes.size()) blocks_[section][at] ^= std::byte{mask};
  }
  [[nodiscard]] std::span<const TableSection> sections() const { return sections_; }

 private:
  size_t readable_behind_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::vector<TableSection> sections_;
};

template <class F>
TableLayout layout_of(int prefix_bits, int flips) {
  TableLayout layout;
  constexpr int kBits = neardup::fingerprint::kBitsOf<F>;
  for (int bit = kBits; bit-- > 0;) layout.order.push_back(static_cast<uint8_t>(bit));
  layout.prefix_bits = prefix_bits % (kBits + 1);
  layout.flips = std::min(flips % 3, layout.prefix_bits);
  return layout;
}

/// All buckets of a query, as an index walks through them.
template <class F, class Table>
void walk(const Table& table, const TableLayout& layout, F key, std::vector<TableCandidate<F>>& found) {
  using neardup::hamming::kStepWindows;
  using Search = neardup::hamming::TableSearch<F, Table>;
  const Search search(table, layout);
  typename Search::Step step;
  typename Search::Scratch scratch;
  for (uint64_t first = 0; first < std::min<uint64_t>(search.num_windows(), 4 * kStepWindows); first += kStepWindows) {
    search.prefetch(key, first);
    search.locate(key, first, 3, step);
    search.scan(key, step, scratch, found);
  }
}

/// Asks everything of a table that was opened; whatever it holds, ranks are those of a table of its size.
template <class F, class Table>
void probe(const Table& table, const TableLayout& layout, F key) {
  std::vector<TableCandidate<F>> found;
  walk(table, layout, key, found);
  for (const TableCandidate<F>& candidate : found) {
    if (candidate.rank >= table.size()) std::abort();
  }
  const int prefix_bits = layout.prefix_bits;
  for (const int places : {0, prefix_bits, table.known_bits()}) {
    const auto [first, last] = table.equal_range(key, std::min(places, table.known_bits()));
    if (first > last || last > table.size()) std::abort();
  }
}

template <class F, class Table>
void open_and_probe(std::span<const TableSection> sections, const TableLayout& layout, uint64_t num_keys, F key) {
  const auto table = Table::open(sections, layout, num_keys);
  if (!table) {
    if (table.error().message.empty()) std::abort();
    return;
  }
  if (table->size() != num_keys) std::abort();
  std::vector<F> keys(std::min<uint64_t>(num_keys, 1000));
  table->read_keys(0, keys);
  for (size_t i = 0; i < keys.size(); i += 1 + i / 8) {
    if (table->key_at(i) != keys[i]) std::abort();
    probe(*table, layout, keys[i]);
    probe(*table, layout, static_cast<F>(keys[i] ^ key));
  }
  probe(*table, layout, key);
  probe(*table, layout, static_cast<F>(~F{0}));
}

template <class F, class Table>
void fuzz_bytes(Input input, std::span<const std::string_view> names, size_t readable_behind) {
  const TableLayout layout = layout_of<F>(input.take<uint8_t>(), input.take<uint8_t>());
  const uint64_t num_keys = input.take<uint8_t>() < 250 ? input.take<uint16_t>() : input.take<uint64_t>();
  Copies copies(readable_behind);
  for (const std::string_view name : names) {
    copies.add(name, std::as_bytes(input.take_bytes(input.take<uint16_t>())));
  }
  open_and_probe<F, Table>(copies.sections(), layout, num_keys, input.take<F>());
}

template <class F, class Table>
void fuzz_changed(Input input, size_t readable_behind) {
  const TableLayout layout = layout_of<F>(input.take<uint8_t>(), input.take<uint8_t>());
  std::vector<std::pair<uint8_t, uint32_t>> changes(input.take<uint8_t>() % 8);
  for (auto& [section, change] : changes) {
    section = input.take<uint8_t>() % 8;
    change = input.take<uint32_t>();
  }
  const int width = 1 + input.take<uint8_t>() % static_cast<int>(sizeof(F));  // bytes of a key that are given
  std::vector<F> keys;
  for (F sum = 0; input.left() > 0; keys.push_back(sum)) {
    F gap = 0;
    const auto bytes = input.take_bytes(static_cast<size_t>(width));
    std::memcpy(&gap, bytes.data(), bytes.size());
    sum += gap;
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const Table built = Table::build(keys, layout);
  Copies copies(readable_behind);
  for (const TableSection& section : built.sections()) copies.add(section.name, section.bytes);
  for (const auto& [section, change] : changes) copies.change(section, change >> 8, static_cast<uint8_t>(change));
  open_and_probe<F, Table>(copies.sections(), layout, keys.size(), keys.empty() ? F{1} : keys[keys.size() / 2] + 1);
}

/// `readable_behind`: how many bytes behind each section the codec may read (an index file has 64 of them).
template <template <class> class Table>
int fuzz(const uint8_t* data, size_t size, std::span<const std::string_view> names, size_t readable_behind) {
  using neardup::fingerprint::Fingerprint;
  using neardup::fingerprint::Fingerprint128;
  const Input input(data, size);
  fuzz_bytes<Fingerprint, Table<Fingerprint>>(input, names, readable_behind);
  fuzz_bytes<Fingerprint128, Table<Fingerprint128>>(input, names, readable_behind);
  fuzz_changed<Fingerprint, Table<Fingerprint>>(input, readable_behind);
  fuzz_changed<Fingerprint128, Table<Fingerprint128>>(input, readable_behind);
  return 0;
}

}  // namespace table_sections
