// Lines of any bytes, with any options: what unique_lines() gives in blocks of any size, in memory and by parts on
// disk, is what maps of whole lines give.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/lines/unique_lines.h"
#include "tests/agree/lines/reference.h"

/// What unique_lines_of() leaves of the same lines, as a file has it.
inline std::string similar_in_memory(const neardup::lines::LinesOptions& options, const std::vector<std::string>& texts,
                                     const std::vector<std::string>& minus) {
  using namespace neardup::lines;
  SplitLines all, removed;
  for (const std::string& text : texts) split(text, options.line_end, all);
  for (const std::string& text : minus) split(text, options.line_end, removed);
  const std::vector<std::string_view> lines(all.lines.begin(), all.lines.end());
  const std::vector<std::string_view> others(removed.lines.begin(), removed.lines.end());
  const auto unique = unique_lines_of(lines, others, options);
  if (!unique) std::abort();
  std::string out;
  for (const KeptLine& line : unique->lines) {
    if (options.count) out += std::to_string(line.count) + "\t";
    out += all.lines[line.index] + options.line_end;
  }
  return with_mark_of(texts, out);
}

/// The first bytes choose the options, the rest are two files and what is subtracted, between bytes 0x1F.
inline int fuzz_lines(const uint8_t* data, size_t size) {
  using namespace neardup::lines;
  constexpr size_t kHead = 6;
  constexpr std::string_view kBigMark("\0\0\xFE\xFF", 4);  // with one of these a text is refused
  if (size < kHead || size > 2000) return 0;
  const auto bit = [data](size_t i) { return (data[i / 8] >> i % 8 & 1) != 0; };
  LinesOptions options;
  options.show = static_cast<Show>(data[2] % 3);
  options.order = bit(0) ? Order::kSorted : Order::kFirst;
  options.count = bit(1);
  options.fast = bit(2);
  options.line_end = bit(3) ? '\0' : '\n';
  options.num_threads = bit(4) ? 2 : 1;
  options.key.ignore_case = bit(5);
  options.key.ignore_space = bit(6);
  options.key.ignore_punctuation = bit(7);
  if (bit(8)) options.key.field = 1 + data[3] % 4;
  if (bit(8) && bit(9)) options.key.delimiter = bit(10) ? "," : "ab";
  if (!bit(8) && bit(9)) options.key.pattern = bit(10) ? "a(b*)" : "[^a]+";
  const LinesMemory memory{.block_bytes = 1u + data[4] % 64,
                           .set_bytes = bit(11) ? 0 : uint64_t{1} << 20,
                           .part_buffer_bytes = 1u + data[5] % 32,
                           .sort_bytes = 1u + data[5],
                           .similar_bytes = uint64_t{1} << 26,
                           .long_line_bytes = bit(15) ? LongLines::kStandInBytes + data[5] : ~uint64_t{0}};
  std::vector<std::string> texts(1);
  for (size_t i = kHead; i < size; ++i) {
    if (data[i] == 0x1F && texts.size() < 3) {
      texts.emplace_back();
    } else {
      texts.back() += static_cast<char>(data[i]);
    }
  }
  std::vector<std::string> minus;
  if (texts.size() == 3) minus.push_back(std::move(texts.back())), texts.pop_back();
  for (const std::vector<std::string>* some : {&texts, &minus}) {
    for (const std::string& text : *some) {
      if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") || text.starts_with(kBigMark)) return 0;
    }
  }
  WrittenFiles files;
  options.inputs = files.write(texts);
  options.minus = files.write(minus);
  if (bit(12)) options.similar = {.share = bit(13) ? 0.5 : 0.7, .origin = bit(14)};
  const std::string expected = bit(12) ? similar_in_memory(options, texts, minus) : reference(options, texts, minus);
  if (run_lines(options, memory) != expected) std::abort();
  // What the parts of a key are, without a file.
  const KeyMaker maker = *KeyMaker::create(options.key);
  std::string made;
  const std::string line(reinterpret_cast<const char*>(data), size);
  const auto key = maker.key(line, made);
  if (key && maker.is_piece() && (key->data() < line.data() || key->data() + key->size() > line.data() + line.size()))
    std::abort();
  return 0;
}
