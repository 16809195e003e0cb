#include <gtest/gtest.h>

#include <random>

#include "neardup/base/disk/shared_file.h"
#include "neardup/corpus/output.h"
#include "tests/agree/lines/reference.h"

namespace neardup::lines {
namespace {

/// Calls use(text) for all texts of up to `size` letters of `alphabet`.
template <class Use>
void each_text(const std::string& alphabet, size_t size, const Use& use) {
  std::vector<std::string> texts = {""};
  for (size_t length = 0; length <= size; ++length) {
    std::vector<std::string> longer;
    for (const std::string& text : texts) {
      use(text);
      for (const char letter : alphabet) longer.push_back(text + letter);
    }
    texts = std::move(longer);
  }
}

constexpr LinesMemory kTiny = {.block_bytes = 3, .set_bytes = 0, .part_buffer_bytes = 2, .sort_bytes = 1};

void expect_agreement(LinesOptions options, const std::vector<std::string>& inputs,
                      const std::vector<std::string>& minus, const std::optional<LinesMemory>& memory) {
  WrittenFiles files;
  options.inputs = files.write(inputs);
  options.minus = files.write(minus);
  EXPECT_TRUE(run_lines(options, memory) == reference(options, inputs, minus))
      << testing::PrintToString(inputs).substr(0, 300);
}

TEST(UniqueLines, AllSmallFilesInBlocksOfThreeBytes) {
  const LinesMemory memory = {.block_bytes = 3, .set_bytes = 1 << 20, .part_buffer_bytes = 2, .sort_bytes = 1 << 20};
  each_text("a\n\r", 4, [&](const std::string& text) { expect_agreement({.num_threads = 2}, {text}, {}, memory); });
}

/// Files that are mapped among such that are too small for it.
TEST(UniqueLines, AllSmallPairsOfMappedFiles) {
  survive_cut_files();
  const LinesMemory memory = {
      .block_bytes = 2, .set_bytes = 1 << 20, .part_buffer_bytes = 2, .sort_bytes = 1 << 20, .mapped_bytes = 100};
  each_text("a\n", 4, [&](const std::string& left) {
    each_text("a\n", 3, [&](const std::string& right) {
      expect_agreement({.num_threads = 1}, {left, right}, {}, memory);
      expect_agreement({.num_threads = 1}, {right, "b", left}, {}, memory);
      expect_agreement({.num_threads = 1}, {left}, {right}, memory);
    });
  });
}

/// Sizes around the largest that is held as a place, and the rest of memory from nothing on.
TEST(UniqueLines, LongLinesOfMappedFiles) {
  survive_cut_files();
  std::string text;
  for (const size_t size : {254, 255, 256, 32766, 32767, 32768, 70000}) {
    for (const char letter : {'a', 'b', 'a'})
      text += std::string(size, letter) + "\n" + std::string(size, letter) + "c\n";
  }
  for (const uint64_t left : {0, 1 << 12, 1 << 20}) {
    expect_agreement({.num_threads = 2}, {text, text}, {},
                     LinesMemory{.block_bytes = 1000,
                                 .set_bytes = 2 * text.size() + left,
                                 .part_buffer_bytes = 100,
                                 .sort_bytes = 0,
                                 .mapped_bytes = 2 * text.size()});
  }
}

TEST(UniqueLines, AllSmallFilesOnDisk) {
  each_text("ab\n", 4, [&](const std::string& text) { expect_agreement({.num_threads = 2}, {text}, {}, kTiny); });
}

TEST(UniqueLines, AllSmallFilesCountedAndSorted) {
  each_text("ab\n", 3, [&](const std::string& text) {
    for (const Show show : {Show::kAll, Show::kRepeated, Show::kSingle}) {
      LinesOptions options{.show = show, .count = true, .num_threads = 1};
      expect_agreement(options, {text}, {}, {});
      options.order = Order::kSorted;
      expect_agreement(options, {text}, {}, kTiny);
    }
  });
}

TEST(UniqueLines, AllSmallPairsOfFilesAndWhatIsSubtracted) {
  each_text("a\n", 3, [&](const std::string& left) {
    each_text("a\n", 2, [&](const std::string& right) {
      expect_agreement({.num_threads = 1}, {left, right}, {}, {});
      expect_agreement({.num_threads = 1}, {left}, {right}, kTiny);
      expect_agreement({.count = true, .num_threads = 1}, {left}, {right}, {});
    });
  });
}

/// Lines from few to many, short and long, with a long one here and there.
std::string random_text(std::mt19937_64& random, char line_end) {
  std::string text;
  const uint64_t lines = random() % 400, kinds = 1 + random() % 500;
  for (uint64_t i = 0; i < lines; ++i) {
    std::mt19937_64 line(random() % kinds);
    const uint64_t size = line() % 50 == 0 ? line() % 5000 : line() % 12;
    for (uint64_t k = 0; k < size; ++k) text += "aA b\t,.\r\xC3\xA4\xFF"[line() % 12];
    text += line_end;
  }
  if (random() % 3 == 0 && !text.empty()) text.pop_back();
  if (random() % 4 == 0) text.insert(0, kByteOrderMark);
  return text;
}

LinesOptions random_options(std::mt19937_64& random) {
  LinesOptions options;
  options.show = static_cast<Show>(random() % 3);
  if (random() % 2 == 0) options.show = Show::kAll;
  options.order = random() % 3 == 0 ? Order::kSorted : Order::kFirst;
  options.count = random() % 3 == 0;
  options.fast = random() % 3 == 0;
  options.line_end = random() % 4 == 0 ? '\0' : '\n';
  options.num_threads = 1 + static_cast<int>(random() % 3);
  options.key.ignore_case = random() % 3 == 0;
  options.key.ignore_space = random() % 4 == 0;
  options.key.ignore_punctuation = random() % 4 == 0;
  if (random() % 3 == 0) options.key.field = 1 + static_cast<int>(random() % 3);
  if (options.key.field != 0 && random() % 2 == 0) options.key.delimiter = ",";
  if (options.key.field == 0 && random() % 3 == 0) options.key.pattern = random() % 2 == 0 ? "a(b*)" : "[A-Z]+";
  return options;
}

std::optional<LinesMemory> random_memory(std::mt19937_64& random) {
  if (random() % 4 == 0) return {};
  return LinesMemory{.block_bytes = 1 + random() % 3000,
                     .set_bytes = random() % 2 == 0 ? random() % 700'000 : 0,
                     .part_buffer_bytes = 1 + random() % 300,
                     .sort_bytes = random() % 10'000,
                     .mapped_bytes = random() % 2 == 0 ? uint64_t{1} << 20 : 0,
                     .long_line_bytes = random() % 2 == 0 ? LongLines::kStandInBytes + random() % 2000 : ~uint64_t{0}};
}

TEST(UniqueLines, RandomFilesWithRandomOptions) {
  survive_cut_files();
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const LinesOptions options = random_options(random);
    std::vector<std::string> inputs, minus;
    for (uint64_t i = random() % 3; i < 3; ++i) inputs.push_back(random_text(random, options.line_end));
    if (random() % 3 == 0) minus.push_back(random_text(random, options.line_end));
    expect_agreement(options, inputs, minus, random_memory(random));
  }
}

/// Lines of up to some pieces of those that are read at once, that differ little, under each kind of key.
TEST(UniqueLines, LinesTooLongForMemoryWithEachKey) {
  const std::vector<KeyOptions> kinds = {{},
                                         {.ignore_case = true},
                                         {.ignore_space = true, .ignore_punctuation = true},
                                         {.field = 1},
                                         {.field = 2},
                                         {.field = 3, .ignore_case = true},
                                         {.field = 2, .delimiter = ", "},
                                         {.field = 3, .delimiter = ", "},
                                         {.pattern = "B+(a*)"},
                                         {.pattern = "[,A]+", .ignore_case = true}};
  std::mt19937_64 random(3);
  const size_t piece = LongLines::kPieceBytes;
  std::string text;
  for (int i = 0; i < 10; ++i) {
    const std::string begin = random() % 2 == 0 ? "aaa " : "aaa\t ";
    const size_t size = std::vector<size_t>{300, piece - 6, piece - 4, piece, 2 * piece + 1}[random() % 5];
    std::string line = begin;
    while (line.size() < size) line += random() % 2000 == 0 ? " , " : "\xC3\xA4";
    for (const char* const end : {"B", "Baa", ", x", "\xE4\xB8", " b, B"})
      if (random() % 2 == 0) line += end;
    text += line + "\n" + (random() % 3 == 0 ? line : "aaa") + "\n";
  }
  text.pop_back();
  for (const KeyOptions& key : kinds) {
    for (const bool sorted : {false, true}) {
      LinesOptions options{.order = sorted ? Order::kSorted : Order::kFirst, .num_threads = 2};
      options.key = key;
      options.count = sorted;
      const LinesMemory memory{.block_bytes = 1 << 16,
                               .set_bytes = sorted ? uint64_t{1} << 20 : 0,
                               .part_buffer_bytes = 4096,
                               .sort_bytes = 2000,
                               .mapped_bytes = uint64_t{1} << 24,
                               .long_line_bytes = 200};
      expect_agreement(options, {text, "aaa\n" + text}, {text.substr(0, piece)}, memory);
    }
  }
}

TEST(UniqueLines, CompressedInputsAndOutputs) {
  for (const auto compression : {corpus::Compression::kGzip, corpus::Compression::kZstd}) {
    std::mt19937_64 random(7);
    const std::string text = random_text(random, '\n') + random_text(random, '\n');
    WrittenFiles files;
    LinesOptions options{.num_threads = 2};
    options.inputs = files.write({*corpus::compress(compression, text)});
    EXPECT_EQ(run_lines(options), reference(options, {text}, {}));
    EXPECT_EQ(run_lines(options, kTiny), reference(options, {text}, {}));
    options.compression = compression;
    const std::string packed = run_lines(options, kTiny);
    LinesOptions plain{.num_threads = 1};
    plain.inputs = files.write({packed});
    EXPECT_EQ(run_lines(plain), reference(options, {text}, {}));
  }
}

}  // namespace
}  // namespace neardup::lines
