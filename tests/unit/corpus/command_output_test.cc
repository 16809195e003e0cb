// --pre: what a program makes of a file, and what it must not pass for.
#include "neardup/corpus/command_output.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/comes_true.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

constexpr std::chrono::seconds kMostSeconds(30);  // of programs that sleep for a minute

class Pre : public ::testing::Test {
 protected:
  std::string program(const std::string& script) const {
    const std::string path = folder_.write("program", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  std::vector<Item> read(const std::string& script, DiscoverOptions options = {}) const {
    options.pre = program(script);
    options.pre_globs = {"*.x"};
    return read_inputs(discover_all({folder_.write("a.x", "the file\n")}, options));
  }
  const TempFolder folder_;
};

TEST_F(Pre, TheOutputIsTheText) {
  const auto items = read("echo \"made of $(basename \"$1\"):\"; cat");
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].text, "made of a.x:\nthe file\n");
  EXPECT_EQ(items[0].id, "a.x");
}

TEST_F(Pre, TheOutputMayBeRecords) {
  const auto items = read("echo '{\"text\":\"one\"}'; echo '{\"text\":\"two\"}'", {.format = Format::kJsonl});
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1].text, "two");
  EXPECT_EQ(items[1].input, "a.x.jsonl");
}

TEST_F(Pre, AProgramThatFailsOrIsMuteGivesNoEmptyText) {
  for (const char* script : {"echo half; echo why not >&2; exit 3", "exit 0", "kill -9 $$"}) {
    const auto items = read(script);
    ASSERT_EQ(items.size(), 1U) << script;
    EXPECT_EQ(items[0].reason, "pre_failed") << script;
    for (const Format format : {Format::kJsonl, Format::kLines, Format::kCsv}) {
      const auto records = read(script, {.format = format});
      ASSERT_FALSE(records.empty()) << script;
      EXPECT_EQ(records.back().reason, "pre_failed") << script;
    }
  }
}

TEST_F(Pre, WhatIsWrongWithTheOutputIsSaidOfTheProgram) {
  for (const auto& [script, format] : {std::pair{"echo '{bad'", Format::kJsonl},
                                       {"echo '\"text'; echo a", Format::kCsv},
                                       {"printf PAR1xx", Format::kText}}) {
    DiscoverOptions options{.format = format, .pre = program(script)};
    options.pre_globs = {"*.x"};
    auto reader = *Reader::open(discover_all({folder_.write("a.x", "the file\n")}, options), {});
    Batch batch;
    ASSERT_TRUE(*reader.next(batch));
    ASSERT_TRUE(reader.load(batch));
    ASSERT_EQ(batch.rejections.size(), 1U) << script;
    EXPECT_TRUE(batch.rejections[0].message.starts_with("in what " + options.pre)) << batch.rejections[0].message;
  }
}

TEST_F(Pre, MuchOnStandardErrorIsHeardAndCut) {
  auto output = CommandOutput::start(program("i=0; while [ $i -lt 3000 ]; do echo a long line of complaints about the "
                                             "file $i >&2; i=$((i+1)); done; echo text"),
                                     folder_.write("a.x", ""));
  ASSERT_TRUE(output);
  std::string out(100, '\0');
  EXPECT_EQ(*(*output)->read(out.data(), out.size()), 5U);
  EXPECT_FALSE((*output)->damage());
}

TEST_F(Pre, AProgramThatIsNotReadToItsEndIsEnded) {
  auto output = CommandOutput::start(program("yes"), folder_.write("a.x", ""));
  std::string out(100, '\0');
  EXPECT_EQ(*(*output)->read(out.data(), out.size()), out.size());
  output->reset();  // returns
}

/// Whether the process that wrote its number to `path` still does something: who is not reaped does nothing.
bool is_alive(const std::string& path) {
  std::ifstream file(path);
  std::string number;
  file >> number;
  std::ifstream stat("/proc/" + number + "/stat");
  std::string line;
  if (number.empty() || !std::getline(stat, line)) return false;
  return line[line.rfind(')') + 2] != 'Z';
}

TEST_F(Pre, TheWishToStopIsHeardWhileAProgramIsMute) {
  for (const char* ending : {"", "exec >&-; "}) {  // or has nothing more to say
    const std::string number = folder_.path("number");
    std::atomic<bool> cancel = false;
    auto output = CommandOutput::start(program(std::string(ending) + "sleep 60 & echo $! > " + number + ".new; mv " +
                                               number + ".new " + number + "; wait"),
                                       folder_.write("a.x", ""), {.cancel = &cancel});
    ASSERT_TRUE(output);
    std::chrono::steady_clock::time_point asked;
    std::thread user([&] {
      while (!std::filesystem::exists(number)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      asked = std::chrono::steady_clock::now();
      cancel = true;
    });
    std::string out(100, '\0');
    const auto got = (*output)->read(out.data(), out.size());
    user.join();
    // A tenth of one, on a free machine; whoever does not hear it waits for the program, a minute.
    EXPECT_LT(std::chrono::steady_clock::now() - asked, kMostSeconds);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, Code::kCancelled);
    EXPECT_TRUE(is_alive(number));
    output->reset();
    comes_true([&] { return !is_alive(number); }, kMostSeconds);
    EXPECT_FALSE(is_alive(number));
    std::filesystem::remove(number);
    EXPECT_FALSE(CommandOutput::start(program("cat"), folder_.write("a.x", ""), {.cancel = &cancel}));
  }
}

TEST_F(Pre, WhoEndsWithoutDestructorsCanKillThePrograms) {
  const std::string number = folder_.path("number");
  auto output =
      CommandOutput::start(program("sleep 60 & echo $! > " + number + "; echo ready; wait"), folder_.write("a.x", ""));
  std::string out(6, '\0');
  ASSERT_EQ(*(*output)->read(out.data(), out.size()), 6U);
  EXPECT_TRUE(is_alive(number));
  kill_commands();
  EXPECT_EQ(*(*output)->read(out.data(), out.size()), 0U);
  EXPECT_EQ((*output)->damage()->reason, "pre_failed");
  comes_true([&] { return !is_alive(number); }, kMostSeconds);
  EXPECT_FALSE(is_alive(number));
  kill_commands();  // there is none
}

TEST_F(Pre, NoSuchProgramIsAnError) {
  const auto output = CommandOutput::start(folder_.path("none"), folder_.write("a.x", ""));
  ASSERT_FALSE(output);
  EXPECT_NE(output.error().message.find("none"), std::string::npos);
}

TEST_F(Pre, WithoutPatternsItTakesWhatIsNotRead) {
  const DiscoverOptions options{.pre = program("echo made")};
  const auto inputs = discover_all({folder_.write("a.pdf", "%PDF-1.4"), folder_.write("b.txt", "text")}, options);
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_FALSE(inputs[0].pre.empty());
  EXPECT_TRUE(inputs[1].pre.empty());
}

}  // namespace
}  // namespace neardup::corpus
