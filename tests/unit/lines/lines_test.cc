#include "neardup/lines/lines.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folders.h"
#include "neardup/base/disk/shared_file.h"
#include "neardup/base/work_place.h"
#include "neardup/corpus/output.h"
#include "neardup/lines/find_similar.h"
#include "neardup/lines/key_maker.h"
#include "neardup/lines/run_lines.h"
#include "tests/cpu_seconds.h"
#include "tests/failing_file_system.h"
#include "tests/quickest.h"

namespace neardup::lines {
namespace {

std::string key_of_line(const KeyOptions& options, std::string_view line) {
  const auto maker = KeyMaker::create(options);
  EXPECT_TRUE(maker);
  std::string made;
  const auto key = maker->key(line, made);
  return key ? std::string(*key) : "(none)";
}

TEST(KeyMaker, Fields) {
  EXPECT_EQ(key_of_line({.field = 2}, "  one \t two  three"), "two");
  EXPECT_EQ(key_of_line({.field = 3}, "one two"), "(none)");
  EXPECT_EQ(key_of_line({.field = 1}, "   "), "(none)");
  EXPECT_EQ(key_of_line({.field = 2, .delimiter = ";"}, "a;;c"), "");
  EXPECT_EQ(key_of_line({.field = 3, .delimiter = ";"}, "a;;c"), "c");
  EXPECT_EQ(key_of_line({.field = 4, .delimiter = ";"}, "a;;c"), "(none)");
  EXPECT_EQ(key_of_line({.field = 1, .delimiter = ";"}, ""), "");
  EXPECT_EQ(key_of_line({.field = 2, .delimiter = "::"}, "a:b::c"), "c");
}

TEST(KeyMaker, Patterns) {
  EXPECT_EQ(key_of_line({.pattern = "id=([0-9]+)"}, "x id=17 y"), "17");
  EXPECT_EQ(key_of_line({.pattern = "[0-9]+"}, "x id=17 y"), "17");
  EXPECT_EQ(key_of_line({.pattern = "[0-9]+"}, "none"), "(none)");
  EXPECT_EQ(key_of_line({.pattern = "a(b)?"}, "a"), "(none)");
  EXPECT_EQ(key_of_line({.pattern = "a(b?)"}, "a"), "");
  const auto bad = KeyMaker::create({.pattern = "("});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, Code::kInvalidArgument);
  EXPECT_FALSE(KeyMaker::create({.field = 1, .pattern = "a"}));
  EXPECT_FALSE(KeyMaker::create({.field = -1}));
  EXPECT_FALSE(KeyMaker::create({.delimiter = ","}));
}

TEST(KeyMaker, WhatIsIgnored) {
  EXPECT_EQ(key_of_line({.ignore_case = true}, "STRASSE \xC3\x84"), "strasse \xC3\xA4");
  EXPECT_EQ(key_of_line({.ignore_space = true},
                        "a b\t\xE3\x80\x80"
                        "c\r"),
            "abc");
  EXPECT_EQ(key_of_line({.ignore_punctuation = true}, "a.b,c\xE2\x80\xA6$"), "abc");
  EXPECT_EQ(key_of_line({.ignore_case = true, .ignore_space = true}, "\xFF A\xC3"),
            "\xFF"
            "a\xC3");
}

class LinesFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string written(const std::string& name, const std::string& bytes) const {
    EXPECT_TRUE(write_file_atomically(path(name), bytes));
    return path(name);
  }
  static std::string out_of(const LinesOptions& options) {
    std::string out;
    const auto done = unique_lines(options, [&](std::string_view bytes) -> Status {
      out += bytes;
      return {};
    });
    EXPECT_TRUE(done) << done.error().message;
    return out;
  }

 private:
  TemporaryFolder folder_ = *make_work_place();
};

TEST_F(LinesFiles, BytesDecide) {
  LinesOptions options;
  options.inputs = {written("a", std::string("a\na\r\n\n\xFF\n\0\na\n\n\xFF\n\0\nb", 18))};
  EXPECT_EQ(out_of(options), std::string("a\na\r\n\n\xFF\n\0\nb", 11));
}

TEST_F(LinesFiles, ALineMuchLongerThanABlock) {
  const std::string longest(5'000'000, 'x');
  LinesOptions options;
  options.memory_bytes = kSmallestMemory;
  options.inputs = {written("a", "a\n" + longest + "\nb\n" + longest + "\na\n" + longest + "y")};
  EXPECT_TRUE(out_of(options) == "a\n" + longest + "\nb\n" + longest + "y");
}

TEST_F(LinesFiles, AByteOrderMarkIsNoPartOfTheFirstLine) {
  const std::string mark = "\xEF\xBB\xBF";
  LinesOptions options;
  options.inputs = {written("a", mark + "a\nb\na\n"), written("b", mark + "b\nc"), written("c", mark)};
  EXPECT_EQ(out_of(options), mark + "a\nb\nc");
  options.minus = {written("d", mark + "a\n")};
  EXPECT_EQ(out_of(options), mark + "b\nc");
  options.show = Show::kRepeated;
  options.count = true;
  EXPECT_EQ(out_of(options), mark + "2\tb\n");
  options.inputs = {written("e", "a\n" + mark + "b\n"), written("f", mark + "x\n")};
  options.show = Show::kAll;
  options.count = false;
  options.minus.clear();
  EXPECT_EQ(out_of(options), "a\n" + mark + "b\nx\n");  // inside of a file it is like other bytes
  options.inputs = {written("g", *corpus::compress(corpus::Compression::kGzip, mark + "a\na\n"))};
  EXPECT_EQ(out_of(options), mark + "a\n");
}

TEST_F(LinesFiles, TextWithWideLineEndsIsRefusedByName) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {std::string("\xFF\xFE"
                   "a\0\n\0",
                   6),
       "UTF-16"},
      {std::string("\xFE\xFF\0a\0\n", 6), "UTF-16"},
      {std::string("\xFF\xFE\0\0a\0\0\0", 8), "UTF-32"},
      {*corpus::compress(corpus::Compression::kZstd, std::string("\xFF\xFE"
                                                                 "a\0\n\0",
                                                                 6)),
       "UTF-16"}};
  for (const auto& [text, name] : texts) {
    LinesOptions options;
    options.inputs = {written("wide", text)};
    const auto done = unique_lines(options, [](std::string_view) { return Status(); });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, Code::kUnsupported);
    EXPECT_NE(done.error().message.find("wide' is " + name), std::string::npos) << done.error().message;
    EXPECT_NE(done.error().message.find("iconv -f " + name + " -t UTF-8"), std::string::npos);
  }
}

/// What decompressing holds is memory, too.
TEST_F(LinesFiles, AWindowLargerThanMemoryIsRefusedByName) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 27);
  std::string packed(1000, '\0');
  ZSTD_inBuffer in = {"a\na\n", 4, 0};
  ZSTD_outBuffer out = {packed.data(), packed.size(), 0};
  ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
  ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
  ZSTD_freeCCtx(context);
  LinesOptions options;
  options.inputs = {written("a", packed.substr(0, out.pos))};
  EXPECT_EQ(out_of(options), "a\n");
  options.memory_bytes = uint64_t{64} << 20;
  const auto done = unique_lines(options, [](std::string_view) { return Status(); });
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("needs a window of more than 16 MiB; raise --memory"), std::string::npos)
      << done.error().message;
}

TEST_F(LinesFiles, AnExpressionRefusesLinesThatAreTooLong) {
  LinesOptions options;
  options.memory_bytes = kSmallestMemory;
  options.key.pattern = "x+y";
  options.inputs = {written("a", "a\n" + std::string(3'000'000, 'x') + "\nb\n")};
  const auto done = unique_lines(options, [](std::string_view) { return Status(); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kMemory);
  EXPECT_NE(done.error().message.find("a line has 3000000 bytes"), std::string::npos) << done.error().message;
}

TEST_F(LinesFiles, MoreThanMemoryHoldsIsTheSame) {
  std::string text, expected;
  std::set<std::string> seen;
  for (uint64_t i = 0; i < 1'200'000; ++i) {
    const std::string line = std::to_string(i * 7919 % 800'000) + " and what follows, so that it takes room\n";
    text += line;
    if (seen.insert(line).second) expected += line;
  }
  LinesOptions options;
  options.memory_bytes = kSmallestMemory;
  options.inputs = {written("a", text)};
  std::string out;
  const auto done = unique_lines(options, [&](std::string_view bytes) -> Status {
    out += bytes;
    return {};
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GT(done->parted, 0U);
  EXPECT_TRUE(out == expected);
  options.order = Order::kSorted;
  std::string sorted;
  for (const std::string& line : seen) sorted += line;
  EXPECT_TRUE(out_of(options) == sorted);
}

TEST_F(LinesFiles, EachCompressedStreamHasItsOwnCopy) {
  LinesOptions options;
  std::vector<int> readers;
  for (const std::string text : {"a\nb\n", "b\nc\n", "c\na\nd\n"}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const std::string packed = *corpus::compress(corpus::Compression::kGzip, text);
    EXPECT_EQ(write(ends[1], packed.data(), packed.size()), static_cast<ssize_t>(packed.size()));
    close(ends[1]);
    readers.push_back(ends[0]);
    options.inputs.push_back("/dev/fd/" + std::to_string(ends[0]));
  }
  EXPECT_EQ(out_of(options), "a\nb\nc\nd\n");
  for (const int reader : readers) close(reader);
}

TEST_F(LinesFiles, AFileThatDoesNotTellItsSize) {
  LinesOptions options;
  options.inputs = {written("empty", ""), "/proc/version"};
  std::string expected;
  std::ifstream in("/proc/version");
  ASSERT_TRUE(std::getline(in, expected));
  EXPECT_EQ(out_of(options), expected + "\n");
}

/// Packed output is the same for any number of threads and any size of blocks.
TEST_F(LinesFiles, PackedOutputDoesNotDependOnThreads) {
  std::string text;
  for (uint64_t i = 0; i < 120'000; ++i) text += std::to_string(i * 2654435761) + " a line of some length\n";
  LinesOptions options;
  options.inputs = {written("a", text)};
  options.compression = corpus::Compression::kZstd;
  options.num_threads = 1;
  const std::string packed = out_of(options);
  EXPECT_GT(packed.size(), 100'000U);
  options.num_threads = 7;
  EXPECT_TRUE(out_of(options) == packed);
  options.memory_bytes = kSmallestMemory;
  EXPECT_TRUE(out_of(options) == packed);
}

/// An error ends the run although a stream says nothing more and has not ended.
TEST_F(LinesFiles, AnErrorDoesNotWaitForAStream) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::string text;
  for (int i = 0; i < 400; ++i) text += std::to_string(i) + "\n";
  ASSERT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  LinesOptions options;
  options.inputs = {"/dev/fd/" + std::to_string(ends[0])};
  const LinesMemory small = {.block_bytes = 16, .set_bytes = 1 << 20, .part_buffer_bytes = 1, .sort_bytes = 1};
  const auto done =
      LinesRun(options, small, [](std::string_view) -> Status { return fail(Code::kDiskFull, "no room"); }).run();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kDiskFull);
  close(ends[0]);
  close(ends[1]);
}

/// Inputs that are streams, with counts: what they had is read again from a copy.
TEST_F(LinesFiles, CountsOfAStreamAndAFile) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "a\nb\na", 5), 5);
  close(ends[1]);
  LinesOptions options;
  options.count = true;
  options.inputs = {written("f", "b\nc"), "/dev/fd/" + std::to_string(ends[0]), path("f")};
  EXPECT_EQ(out_of(options), "3\tb\n2\tc\n2\ta\n");
  close(ends[0]);
}

TEST_F(LinesFiles, OnePipeTwice) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  LinesOptions options;
  options.inputs = {"/dev/fd/" + std::to_string(ends[0]), "/proc/self/fd/" + std::to_string(ends[0])};
  const auto done = unique_lines(options, [](std::string_view) { return Status(); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kInvalidArgument);
  close(ends[0]);
  close(ends[1]);
  options.inputs = {"/dev/null", "/dev/null"};
  EXPECT_EQ(out_of(options), "");
}

TEST_F(LinesFiles, SimilarLinesNeedMemory) {
  std::string text;
  for (uint64_t i = 0; i < 400'000; ++i) text += "line of many different ones " + std::to_string(i) + "\n";
  LinesOptions options;
  options.inputs = {written("a", text)};
  options.similar = {.share = 0.7};
  options.memory_bytes = kSmallestMemory;
  const auto done = unique_lines(options, [](std::string_view) { return Status(); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kMemory);
  options.similar->share = 0.4;
  EXPECT_EQ(unique_lines(options, [](std::string_view) { return Status(); }).error().code, Code::kInvalidArgument);
}

std::string repeated(const std::string& piece, size_t size_bytes) {
  std::string text;
  while (text.size() < size_bytes) text += piece;
  return text;
}

std::vector<std::string> random_lines(size_t count, size_t size_bytes) {
  std::mt19937 random(1);
  std::vector<std::string> lines(count);
  for (std::string& line : lines)
    while (line.size() < size_bytes) line += static_cast<char>('a' + random() % 26);
  return lines;
}

/// What a block of long lines is compared by counts, too.
TEST(SimilarLines, LongOnesCount) {
  const std::vector<std::string> lines = random_lines(24, size_t{1} << 17);
  const std::vector<std::string_view> views(lines.begin(), lines.end());
  const KeyMaker maker = *KeyMaker::create({});
  SimilarWork work{.maker = &maker, .memory_bytes = uint64_t{4} << 20, .num_threads = 2};
  const auto small = find_similar(views, work);
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, Code::kMemory);
  // The first blocks are refused, not the last.
  EXPECT_EQ(small.error().message.find("after 24 of"), std::string::npos) << small.error().message;
  work.memory_bytes = uint64_t{1} << 30;
  const auto large = find_similar(views, work);
  ASSERT_TRUE(large) << large.error().message;
  for (size_t i = 0; i < views.size(); ++i) EXPECT_EQ((*large)[i].kept, i);
}

double cpu_seconds_of(std::span<const std::string_view> lines, const SimilarWork& work) {
  const double start = cpu_seconds();
  EXPECT_TRUE(find_similar(lines, work));
  return cpu_seconds() - start;
}

/// Returns what is used after the wish to stop, which comes after so much; nothing where the work was done before.
std::optional<double> cpu_seconds_after_cancel(std::span<const std::string_view> lines, SimilarWork work,
                                               double after) {
  std::atomic<bool> cancel = false, is_done = false;
  work.context.cancel = &cancel;
  double asked = 0;
  std::thread stopper([&, start = cpu_seconds()] {
    while (!is_done && cpu_seconds() - start < after) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    asked = cpu_seconds();
    cancel = true;
  });
  const auto done = find_similar(lines, work);
  const double end = cpu_seconds();
  is_done = true;
  stopper.join();
  if (done) return std::nullopt;
  EXPECT_EQ(done.error().code, Code::kCancelled) << done.error().message;
  return end - asked;
}

/// Wherever it is, no more than a few long lines are still looked at.
TEST(SimilarLines, LongOnesAreCancelled) {
  const std::vector<std::string> lines = random_lines(48, size_t{1} << 16);
  const std::vector<std::string_view> views(lines.begin(), lines.end());
  const KeyMaker maker = *KeyMaker::create({});
  const SimilarWork work{.maker = &maker, .memory_bytes = uint64_t{1} << 30, .context = {}};
  const double whole = cpu_seconds_of(views, work);
  for (const double share : {0.02, 0.5}) {
    // Of so many, as on a busy machine the wish may come when all is done.
    const auto after = [&] { return cpu_seconds_after_cancel(views, work, whole * share).value_or(whole); };
    EXPECT_LT(quickest(whole * 0.15, after, 20), whole * 0.15);
  }
}

/// A line that is often among those to subtract is compared with once.
TEST(UniqueLinesOf, RepeatedLinesToSubtractAreOne) {
  std::vector<std::string_view> minus(2'000'000, "How to install Python on Windows");
  minus.front() = "news";
  const std::vector<std::string_view> lines = {"How to instal Python on Windows!", "other"};
  LinesOptions options{.memory_bytes = uint64_t{8} << 20, .num_threads = 2};
  options.similar = {.share = 0.7};
  const auto unique = unique_lines_of(lines, minus, options);
  ASSERT_TRUE(unique) << unique.error().message;
  ASSERT_EQ(unique->similar.size(), 1U);
  EXPECT_TRUE(unique->similar[0].of_minus);
  EXPECT_EQ(unique->similar[0].duplicate_of, 1U);
}

/// Keys that are made of long lines are not held by the thousand.
TEST(UniqueLinesOf, ManyLongLines) {
  const std::string line = repeated("HARBOUR of Saint ", size_t{1} << 20);
  const std::vector<std::string_view> lines(450, line);
  LinesOptions options{.key = {.ignore_case = true}, .memory_bytes = kSmallestMemory, .num_threads = 2};
  const auto peak = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
  };
  const long before = peak();
  const auto unique = unique_lines_of(lines, {}, options);
  ASSERT_TRUE(unique) << unique.error().message;
  ASSERT_EQ(unique->lines.size(), 1U);
  EXPECT_EQ(unique->lines[0].count, 450U);
  EXPECT_LT(peak() - before, 300'000);  // of KB; the keys are 450 MB
}

TEST_F(LinesFiles, AnInputThatChangesMeanwhile) {
  LinesOptions options;
  options.inputs = {written("a", "a\nb\nc\nd\ne\nf\n")};
  const LinesMemory small = {.block_bytes = 4, .set_bytes = 1 << 20, .part_buffer_bytes = 1, .sort_bytes = 1};
  bool changed = false;
  const auto done = LinesRun(options, small, [&](std::string_view) -> Status {
                      if (!changed) std::ofstream(path("a"), std::ios::app) << "g\n";
                      changed = true;
                      return {};
                    }).run();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kMismatch);
}

constexpr LinesMemory kMapped = {
    .block_bytes = 1 << 12, .set_bytes = 1 << 24, .part_buffer_bytes = 1, .sort_bytes = 1, .mapped_bytes = 1 << 20};

/// Calls disturb() on an input that is mapped, when its first lines are written, and returns what comes of it.
template <class Disturb>
Code code_of_disturbed(const LinesOptions& options, const Disturb& disturb) {
  survive_cut_files();
  bool disturbed = false;
  const auto done = LinesRun(options, kMapped, [&](std::string_view) -> Status {
                      if (!std::exchange(disturbed, true)) disturb();
                      return {};
                    }).run();
  EXPECT_TRUE(disturbed);
  EXPECT_FALSE(done);
  return done ? Code::kCancelled : done.error().code;
}

TEST_F(LinesFiles, AMappedInputThatIsCutMeanwhile) {
  std::string lines;
  for (int i = 0; i < 100'000; ++i) lines += std::to_string(i) + "\n";
  for (const uintmax_t left : {0, 1, 5000, 300'000}) {
    LinesOptions options{.num_threads = 2};
    options.inputs = {written("a", lines)};
    const Code code = code_of_disturbed(options, [&] { std::filesystem::resize_file(path("a"), left); });
    EXPECT_TRUE(code == Code::kCorruption || code == Code::kMismatch) << left << ' ' << code_name(code);
  }
}

TEST_F(LinesFiles, AMappedInputThatLosesItsLineEndsMeanwhile) {
  LinesOptions options{.num_threads = 2};
  options.inputs = {written("a", repeated("ab\n", 300'000))};
  std::filesystem::last_write_time(path("a"), std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  const Code code = code_of_disturbed(options, [&] {
    std::fstream file(path("a"), std::ios::in | std::ios::out);
    file << std::string(300'000, 'x');
  });
  EXPECT_EQ(code, Code::kMismatch);
}

TEST_F(LinesFiles, Refusals) {
  const auto nothing = [](std::string_view) { return Status(); };
  const auto code_of = [&](const LinesOptions& options) {
    const auto done = unique_lines(options, nothing);
    return done ? "none" : std::string(code_name(done.error().code));
  };
  LinesOptions options;
  EXPECT_EQ(code_of(options), code_name(Code::kInvalidArgument));
  options.inputs = {path("gone")};
  EXPECT_EQ(code_of(options), code_name(Code::kNotFound));
  options.inputs = {path("")};
  EXPECT_EQ(code_of(options), code_name(Code::kUnsupported));
  options.inputs = {written("a", "a\n")};
  options.memory_bytes = 1;
  EXPECT_EQ(code_of(options), code_name(Code::kInvalidArgument));
  options.memory_bytes = kSmallestMemory;
  options.inputs = {written("cut.gz", "\x1F\x8B\x08\x00 no more")};
  EXPECT_EQ(code_of(options), code_name(Code::kCorruption));
  const std::atomic<bool> stop = true;
  options.inputs = {path("a")};
  options.context.cancel = &stop;
  EXPECT_EQ(code_of(options), code_name(Code::kCancelled));
}

/// Each call that changes the disk fails in turn: the run ends with the error, and its work folder is gone.
TEST_F(LinesFiles, FullDiskWhileKeysAreOnDisk) {
  LinesOptions options;
  options.num_threads = 1;
  options.inputs = {written("a", "a\nb\nc\na\nd\ne\nb\n")};
  const LinesMemory tiny = {.block_bytes = 4, .set_bytes = 0, .part_buffer_bytes = 1, .sort_bytes = 1};
  const WriteBytes nowhere = [](std::string_view) { return Status(); };
  for (options.order = Order::kFirst;; options.order = Order::kSorted) {
    uint64_t n = 1;
    for (; n < 3000; n += n < 40 ? 1 : 37) {
      FailingFileSystem full({.n = n, .error = ENOSPC, .lasts = false});
      const ReplacedFileSystem replaced(full);
      const auto done = LinesRun(options, tiny, nowhere).run();
      if (!full.failed()) break;
      if (!done) {
        EXPECT_EQ(done.error().code, Code::kDiskFull) << done.error().message;
      }
    }
    EXPECT_GT(n, 20U);
    if (options.order == Order::kSorted) break;
  }
}

}  // namespace
}  // namespace neardup::lines
