#include "neardup/report/passage_texts.h"

#include <algorithm>

#include "neardup/base/utf8.h"
#include "neardup/diff/characters.h"

namespace neardup::report {
namespace {

constexpr int kContextLines = 3;

// What a character is shown as.
std::string_view shown_character(const diff::DecodedCharacter& character, std::string_view bytes, std::string& place) {
  place.clear();
  const char32_t code_point = character.code_point;
  if (code_point == '\n' || code_point == '\t' || (character.valid && !diff::is_hidden(code_point))) return bytes;
  if (diff::is_hidden(code_point))
    place = "[" + diff::code_point_name(code_point) + "]";
  else
    diff::append_utf8(place, code_point);
  return place;
}

size_t utf16_units(std::string_view text) {
  size_t units = 0;
  for (const char byte : text)
    units += (continues_character(byte) ? 0U : 1U) + (static_cast<uint8_t>(byte) >= 0xF0 ? 1U : 0U);
  return units;
}

// Where the lines above `at` begin that are shown with it, in no more than `most` bytes.
uint64_t context_begin(std::string_view bytes, uint64_t at, uint64_t most) {
  const uint64_t least = at - std::min(at, most);
  uint64_t begin = character_begin(bytes, least);  // in a line that is longer than that
  int lines = 0;
  for (uint64_t i = at; i > least; --i) {
    if (bytes[i - 1] != '\n') continue;
    begin = i;
    if (++lines > kContextLines) return begin;
  }
  return least == 0 ? 0 : begin;
}

uint64_t context_end(std::string_view bytes, uint64_t at, uint64_t most) {
  const uint64_t greatest = std::min<uint64_t>(bytes.size(), at + most);
  uint64_t end = character_begin(bytes, greatest);
  int lines = 0;
  for (uint64_t i = at; i < greatest; ++i) {
    if (bytes[i] != '\n') continue;
    end = i + 1;
    if (++lines > kContextLines) return end;
  }
  return greatest == bytes.size() ? greatest : end;
}

void merge_ranges(std::vector<ByteRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const ByteRange& x, const ByteRange& y) { return x.begin < y.begin; });
  size_t last = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].begin <= ranges[last].end)
      ranges[last].end = std::max(ranges[last].end, ranges[i].end);
    else
      ranges[++last] = ranges[i];
  }
  if (!ranges.empty()) ranges.resize(last + 1);
}

uint64_t size_of(const std::vector<ByteRange>& ranges) {
  uint64_t size = 0;
  for (const ByteRange& range : ranges) size += range.end - range.begin;
  return size;
}

uint64_t count_lines(std::string_view bytes) {
  const auto feeds = static_cast<uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  return feeds + (bytes.empty() || bytes.back() == '\n' ? 0 : 1);
}

}  // namespace

// One file of a pair: which of its bytes are shown, and where each of them is then.
struct PassageTexts::Side {
  std::string_view bytes;
  std::vector<ByteRange> ranges;
  bool is_whole = false;
  bool is_kept = false;  // the texts have it already

  // Where each of `wanted` is shown.
  [[nodiscard]] std::vector<std::vector<PartRange>> places_of(const std::vector<ByteRange>& wanted) const {
    std::vector<std::vector<PartRange>> placed(wanted.size());
    for (size_t part = 0; part < ranges.size(); ++part) place_in(part, wanted, placed);
    return placed;
  }

  void place_in(size_t part, const std::vector<ByteRange>& wanted, std::vector<std::vector<PartRange>>& placed) const {
    const ByteRange& range = ranges[part];
    std::vector<uint64_t> offsets;
    for (const ByteRange& each : wanted) {
      if (each.begin >= range.end || each.end <= range.begin) continue;
      offsets.push_back(std::max(each.begin, range.begin) - range.begin);
      offsets.push_back(std::min(each.end, range.end) - range.begin);
    }
    if (offsets.empty()) return;
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    std::vector<uint64_t> shown = offsets;
    static_cast<void>(shown_text(bytes.substr(range.begin, range.end - range.begin), shown));
    const auto at = [&](uint64_t byte) {
      return static_cast<size_t>(
          shown[static_cast<size_t>(std::lower_bound(offsets.begin(), offsets.end(), byte) - offsets.begin())]);
    };
    for (size_t i = 0; i < wanted.size(); ++i) {
      const uint64_t begin = std::max(wanted[i].begin, range.begin), end = std::min(wanted[i].end, range.end);
      if (begin < end) placed[i].push_back({part, at(begin - range.begin), at(end - range.begin)});
    }
  }

  [[nodiscard]] FileText text() const {
    FileText text{count_lines(bytes), {}};
    uint64_t line = 1, counted = 0;
    for (const ByteRange& range : ranges) {
      const auto before = bytes.substr(counted, range.begin - counted);
      line += static_cast<uint64_t>(std::count(before.begin(), before.end(), '\n'));
      counted = range.begin;
      std::vector<uint64_t> none;
      text.parts.push_back({line, shown_text(bytes.substr(range.begin, range.end - range.begin), none)});
    }
    return text;
  }
};

bool PassageTexts::has_room() const {
  return num_seen_ < limits_.pairs && size_bytes_ < limits_.total_bytes && read_bytes_ < limits_.read_bytes;
}

PassageTexts::Side PassageTexts::side_of(uint32_t file, std::string_view bytes,
                                         const std::vector<ByteRange>& wanted) const {
  Side side{bytes, {}, bytes.size() <= limits_.whole_file_bytes, whole_.contains(file)};
  if (side.is_whole) {
    side.ranges = {{0, bytes.size()}};
    return side;
  }
  for (const ByteRange& passage : wanted) {
    std::vector<ByteRange> more = side.ranges;
    const uint64_t begin = context_begin(bytes, passage.begin, limits_.context_bytes);
    const uint64_t end = context_end(bytes, passage.end, limits_.context_bytes);
    if (end - begin <= limits_.passage_bytes) {
      more.push_back({begin, end});
    } else {
      more.push_back({begin, character_begin(bytes, begin + limits_.passage_bytes / 2)});
      more.push_back({character_begin(bytes, end - limits_.passage_bytes / 2), end});
    }
    merge_ranges(more);
    if (size_of(more) > limits_.side_bytes) break;  // the rest is shorter, and has no room either
    side.ranges = std::move(more);
  }
  return side;
}

size_t PassageTexts::keep(uint32_t file, Side& side) {
  if (side.is_kept) return whole_.at(file);
  texts_.push_back(side.text());
  for (const TextPart& part : texts_.back().parts) size_bytes_ += part.text.size();
  if (side.is_whole) whole_.emplace(file, texts_.size() - 1);
  return texts_.size() - 1;
}

void PassageTexts::add(size_t pair, uint32_t a, std::string_view bytes_a, uint32_t b, std::string_view bytes_b,
                       std::vector<PassagePlace> passages, bool are_equal) {
  if (!has_room()) return;
  ++num_seen_;
  read_bytes_ += bytes_a.size() + bytes_b.size();
  std::erase_if(passages, [&](const PassagePlace& passage) {
    return passage.a.begin >= passage.a.end || passage.a.end > bytes_a.size() || passage.b.begin >= passage.b.end ||
           passage.b.end > bytes_b.size();
  });
  const size_t num_passages = passages.size();
  passages.resize(std::min(num_passages, limits_.passages));
  std::vector<ByteRange> in_a, in_b;
  for (const PassagePlace& passage : passages) {
    in_a.push_back(passage.a);
    in_b.push_back(passage.b);
  }
  Side side_a = side_of(a, bytes_a, in_a), side_b = side_of(b, bytes_b, in_b);
  const uint64_t need =
      (side_a.is_kept ? 0 : size_of(side_a.ranges)) + (side_b.is_kept || are_equal ? 0 : size_of(side_b.ranges));
  if (need > limits_.total_bytes - size_bytes_) return;
  PairText text{pair, 0, 0, {}, 0};
  const auto placed_a = side_a.places_of(in_a), placed_b = side_b.places_of(in_b);
  for (size_t i = 0; i < passages.size(); ++i)
    if (!placed_a[i].empty() && !placed_b[i].empty())
      text.passages.push_back({placed_a[i], placed_b[i], in_a[i].end - in_a[i].begin});
  text.num_left_out = num_passages - text.passages.size();
  text.a = keep(a, side_a);
  text.b = are_equal ? text.a : keep(b, side_b);
  pairs_.push_back(std::move(text));
}

std::string shown_text(std::string_view bytes, std::vector<uint64_t>& offsets) {
  std::string out, place;
  out.reserve(bytes.size());
  size_t units = 0, next = 0;
  for (size_t i = 0; i < bytes.size();) {
    const diff::DecodedCharacter character = diff::character_at(bytes, i);
    for (; next < offsets.size() && offsets[next] < i + character.length; ++next) offsets[next] = units;
    const bool is_return = bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n';
    if (!is_return) {
      const std::string_view shown = shown_character(character, bytes.substr(i, character.length), place);
      out += shown;
      units += utf16_units(shown);
    }
    i += character.length;
  }
  for (; next < offsets.size(); ++next) offsets[next] = units;
  return out;
}

}  // namespace neardup::report
