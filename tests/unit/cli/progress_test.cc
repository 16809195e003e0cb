#include "neardup/cli/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/unit/cli/run.h"

namespace neardup::cli::progress_test {
namespace {

using Style = ProgressDisplay::Style;

TEST(StageMeter, ShowsTotalsRateAndTimeLeft) {
  StageMeter meter("read", "documents", 100'000'000, 0, 10);
  meter.update(0, 0, 10);
  EXPECT_EQ(meter.percent(), 0);
  EXPECT_FALSE(meter.seconds_left().has_value());
  for (int i = 1; i <= 40; ++i)
    meter.update(static_cast<uint64_t>(i) * 1'000'000, static_cast<uint64_t>(i) * 100, 10 + i * 0.1);
  EXPECT_EQ(meter.percent(), 40);
  ASSERT_TRUE(meter.seconds_left().has_value());
  EXPECT_NEAR(*meter.seconds_left(), 6, 1);
  EXPECT_EQ(meter.running_line(),
            "read        40 %  40.0 MB of 100 MB  4,000 documents  10.0 MB/s  about 6 s left of this stage");
}

TEST(StageMeter, LeavesWholeFiguresOutOfANarrowLine) {
  StageMeter meter("read", "documents", 100'000'000, 0, 10);
  for (int i = 0; i <= 40; ++i)
    meter.update(static_cast<uint64_t>(i) * 1'000'000, static_cast<uint64_t>(i) * 100, 10 + i * 0.1);
  EXPECT_EQ(meter.running_line(25, 79), "read        40 %  40.0 MB of 100 MB  4,000 documents  about 25 s left");
  EXPECT_EQ(meter.running_line(25, 50), "read        40 %  4,000 documents  about 25 s left");
  EXPECT_EQ(meter.running_line(25, 34), "read        40 %  about 25 s left");
  EXPECT_EQ(meter.running_line(25, 10), "read");
  const std::string whole = meter.running_line(25);
  for (size_t columns = 1; columns < 100; ++columns) {
    const std::string line = meter.running_line(25, columns);
    EXPECT_LE(line.size(), columns);
    EXPECT_TRUE(columns < 33 || line.ends_with("about 25 s left")) << line;
  }
}

TEST(StageMeter, LongNamesOfStagesStandApartFromFigures) {
  StageMeter meter("find similar", "lines", 0, 200, 0);
  meter.update(0, 50, 1);
  EXPECT_EQ(meter.running_line(), "find similar 25 %  50 lines  50 lines/s");
  EXPECT_EQ(meter.final_line(), "find similar 50 lines in 1.0 s (50 lines/s)");
}

TEST(StageMeter, IsNeverAtHundredPercentBeforeTheEnd) {
  StageMeter meter("read", "documents", 1000, 0, 0);
  meter.update(1000, 5, 1);
  EXPECT_EQ(meter.percent(), 99);
  meter.update(5000, 5, 2);  // the file has grown
  EXPECT_EQ(meter.percent(), 99);
}

TEST(StageMeter, MakesNoWildGuesses) {
  StageMeter meter("read", "documents", uint64_t{1} << 50, 0, 0);
  meter.update(1, 1, 0.3);
  EXPECT_FALSE(meter.seconds_left().has_value()) << "too early";
  meter.update(1000, 1, 60);
  EXPECT_FALSE(meter.seconds_left().has_value()) << "below one per cent";
  StageMeter stalled("read", "documents", 1000, 0, 0);
  stalled.update(500, 1, 1);
  for (int i = 2; i < 600; ++i) stalled.update(500, 1, i);
  EXPECT_FALSE(stalled.seconds_left().has_value()) << "nothing moves";
}

TEST(StageMeter, FollowsAChangeOfPace) {
  StageMeter meter("read", "documents", 1000, 0, 0);
  for (int i = 1; i <= 100; ++i) meter.update(static_cast<uint64_t>(i), 0, i * 0.1);                  // 10 a second
  for (int i = 1; i <= 300; ++i) meter.update(static_cast<uint64_t>(100 + i / 10), 0, 10 + i * 0.1);  // 1 a second
  EXPECT_GT(*meter.seconds_left(), 500);  // the average over all time would say 277
}

TEST(StageMeter, CountsItemsWhereBytesAreUnknown) {
  StageMeter meter("cluster", "pairs", 0, 200, 0);
  meter.update(0, 50, 1);
  EXPECT_EQ(meter.running_line(), "cluster     25 %  50 pairs  50 pairs/s");
  EXPECT_EQ(meter.final_line(), "cluster     50 pairs in 1.0 s (50 pairs/s)");
  StageMeter unknown("join", "pairs", 0, 0, 0);
  unknown.update(0, 1, 0.01);
  EXPECT_EQ(unknown.running_line(), "join        1 pair");
}

std::string shown(Style style, const std::function<void(ProgressDisplay&, double&)>& act) {
  std::FILE* file = std::tmpfile();
  double now = 100;
  {
    ProgressDisplay display(style, file, 60, [&now] { return now; });
    act(display, now);
  }
  std::string text = contents_of(file);
  std::fclose(file);
  return text;
}

void one_stage(ProgressDisplay& display, double& now) {
  display.begin_stage("read", "documents", 1000, 0);
  for (int i = 1; i <= 100; ++i) {
    now += 0.01;
    display.advance(static_cast<uint64_t>(i) * 10, static_cast<uint64_t>(i));
  }
  display.end_stage();
}

TEST(ProgressDisplay, TerminalRedrawsAtMostTenTimesASecond) {
  const std::string text = shown(Style::kTerminal, one_stage);
  const auto redraws = std::count(text.begin(), text.end(), '\r');
  EXPECT_LE(redraws, 11);
  EXPECT_GE(redraws, 8);
  EXPECT_EQ(text.substr(text.rfind("\x1b[K") + 3), "read        100 documents, 1.0 kB in 1.0 s (1.0 kB/s)\n");
}

TEST(ProgressDisplay, TerminalLineFitsAndEndsOnItsOwnLine) {
  const std::string text = shown(Style::kTerminal, [](ProgressDisplay& display, double& now) {
    display.begin_stage("a stage with a long name", "documents of a kind", uint64_t{1} << 40, 0);
    now += 5;
    display.advance(uint64_t{1} << 39, 123456789);  // and then the work fails: no end_stage()
  });
  ASSERT_TRUE(text.starts_with("\r") && text.ends_with("\x1b[K\n"));
  EXPECT_LT(text.size() - 5, 60u);
}

TEST(ProgressDisplay, PlainIsOneLinePerShortStage) {
  EXPECT_EQ(shown(Style::kPlain, one_stage), "read        100 documents, 1.0 kB in 1.0 s (1.0 kB/s)\n");
}

TEST(ProgressDisplay, PlainIsNeverSilentForLong) {
  const std::string text = shown(Style::kPlain, [](ProgressDisplay& display, double& now) {
    now += 31;
    display.beat();  // before the first stage
    display.begin_stage("join", "pairs", 0, 0);
    for (int i = 0; i < 65; ++i) now += 1, display.beat();
    display.end_stage();
    for (int i = 0; i < 35; ++i) now += 1, display.beat();
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5) << text;
  EXPECT_NE(text.find("join  after 30 s"), std::string::npos) << text;
  EXPECT_NE(text.find("working     30 s since join ended"), std::string::npos) << text;
  EXPECT_EQ(shown(Style::kOff, [](ProgressDisplay& display, double& now) { now += 99, display.beat(); }), "");
}

TEST(ProgressDisplay, JsonIsOneObjectALine) {
  const std::string text = shown(Style::kJson, one_stage);
  EXPECT_TRUE(text.starts_with(
      R"({"event":"begin","stage":"read","item":"documents","bytes":0,"total_bytes":1000,"items":0,"total_items":0,)"));
  EXPECT_NE(text.find(R"({"event":"progress",)"), std::string::npos);
  EXPECT_NE(text.find(R"({"event":"end","stage":"read","item":"documents","bytes":1000,)"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\"percent\":100}\n")) << text;
}

TEST(ProgressDisplay, JsonSaysHowMemoryIsDivided) {
  const auto plan = [](ProgressDisplay& display, double&) {
    display.plan_memory(100, std::vector<MemoryShares>{{"read", {{"batches", 40}, {"program", 60}}}, {"write", {}}});
  };
  EXPECT_EQ(
      shown(Style::kJson, plan),
      "{\"event\":\"memory\",\"bytes\":100,\"phases\":[{\"phase\":\"read\",\"shares\":{\"batches\":40,\"program\":60}},"
      "{\"phase\":\"write\",\"shares\":{}}]}\n");
  EXPECT_EQ(shown(Style::kPlain, plan), "");
  EXPECT_EQ(shown(Style::kOff, plan), "");
}

TEST(StageMeter, WhatIsOverIsAtHundredPercent) {
  for (const uint64_t total : {0, 1000}) {
    StageMeter meter("join", "pairs", 0, total, 0);
    meter.update(0, 500, 3);
    EXPECT_NE(meter.percent(), 100);
    meter.finish(3);
    EXPECT_EQ(meter.percent(), 100);
    EXPECT_FALSE(meter.seconds_left().has_value());
  }
}

TEST(ProgressDisplay, WarningsAreAlwaysShown) {
  const auto warn = [](ProgressDisplay& display, double&) { display.warn("a \"thing\""); };
  EXPECT_EQ(shown(Style::kOff, warn), "neardup: warning: a \"thing\"\n");
  EXPECT_EQ(shown(Style::kPlain, warn), "neardup: warning: a \"thing\"\n");
  EXPECT_EQ(shown(Style::kJson, warn), "{\"event\":\"warning\",\"message\":\"a \\\"thing\\\"\"}\n");
  EXPECT_EQ(shown(Style::kOff, one_stage), "");
}

TEST(ProgressDisplay, StyleFollowsTheTerminal) {
  Io io;
  EXPECT_EQ(ProgressDisplay::style_for(ProgressKind::kAuto, io), Style::kPlain);
  io.err_is_terminal = true;
  EXPECT_EQ(ProgressDisplay::style_for(ProgressKind::kAuto, io), Style::kTerminal);
  EXPECT_EQ(ProgressDisplay::style_for(ProgressKind::kPlain, io), Style::kPlain);
  EXPECT_EQ(ProgressDisplay::style_for(ProgressKind::kOff, io), Style::kOff);
}

// A run of three stages: reading takes 20 s, matching 60 s though it was thought to take 10, writing 5 s.
void three_stages(ProgressDisplay& display, double& now) {
  const auto work = [&](const char* name, int seconds) {
    display.begin_stage(name, "documents", 0, 1000);
    for (int i = 1; i <= seconds * 10; ++i) {
      now += 0.1;
      display.advance(0, static_cast<uint64_t>(i) * 100 / static_cast<uint64_t>(seconds));
    }
    display.end_stage();
  };
  display.plan_stages(std::vector<StageShare>{{"read", 1}, {"cluster", 0.5}, {"never", 0}, {"write", 0.25}});
  work("read", 20);
  work("cluster", 60);
  work("write", 5);
}

std::vector<double> numbers_behind(const std::string& text, const std::string& name) {
  std::vector<double> numbers;
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    numbers.push_back(std::stod(text.substr(at + name.size())));
  return numbers;
}

TEST(ProgressDisplay, TimeLeftIsThatOfTheWholeRun) {
  const std::string plain = shown(Style::kPlain, three_stages);
  EXPECT_EQ(plain.find("of this stage"), std::string::npos) << plain;
  EXPECT_NE(plain.find("s left\n"), std::string::npos) << plain;
  const std::string json = shown(Style::kJson, three_stages);
  const std::vector<double> of_run = numbers_behind(json, "\"run_seconds_left\":");
  const std::vector<double> of_stage = numbers_behind(json, "\"seconds_left\":");
  ASSERT_GT(of_run.size(), 100U);
  EXPECT_NEAR(of_run[5], 30, 6) << "of reading 15 s, and 15 of the rest";
  // Near the end of reading little is left of the stage, but not of the run.
  const auto end_of_reading =
      static_cast<size_t>(std::min_element(of_stage.begin(), of_stage.begin() + 36) - of_stage.begin());
  EXPECT_LE(of_stage[end_of_reading], 2);
  EXPECT_GE(of_run[end_of_reading], 10);
  // Matching takes longer than was thought: it says so after some seconds, and not at its end.
  const double in_matching = *std::max_element(of_run.begin() + 40, of_run.end());
  EXPECT_GE(in_matching, 55);
  EXPECT_LE(of_run[of_run.size() - 2], 2);
}

TEST(RunMeter, SaysNothingOfWhatIsNotPlanned) {
  RunMeter run;
  StageMeter meter("skip", "batches", 0, 100, 0);
  for (int i = 1; i <= 50; ++i) meter.update(0, static_cast<uint64_t>(i), i * 0.1);
  run.begin("skip");
  EXPECT_FALSE(run.seconds_left(meter).has_value());
  run.plan(std::vector<StageShare>{{"read", 1}, {"write", 1}});
  run.begin("skip");
  EXPECT_FALSE(run.seconds_left(meter).has_value()) << "not of the plan";
  run.begin("read");
  StageMeter reading("read", "documents", 0, 100, 10);
  EXPECT_FALSE(run.seconds_left(reading).has_value()) << "nothing is known yet";
  for (int i = 1; i <= 50; ++i) reading.update(0, static_cast<uint64_t>(i), 10 + i * 0.1);
  ASSERT_TRUE(run.seconds_left(reading).has_value());
  EXPECT_NEAR(*run.seconds_left(reading), 15, 0.5);
}

TEST(RunMeter, AStageInPartsIsOneStage) {
  RunMeter run;
  run.plan(std::vector<StageShare>{{"read", 1}, {"join", 1}, {"write", 1}});
  for (const auto& [stage, begin, end] : {std::tuple("read", 0.0, 10.0), {"join", 10.0, 14.0}, {"join", 14.0, 20.0}}) {
    run.begin(stage);
    StageMeter meter(stage, "documents", 0, 100, begin);
    meter.update(0, 100, end);
    meter.finish(end);
    run.end(meter.seconds());
  }
  run.begin("write");
  StageMeter writing("write", "documents", 0, 100, 20);
  EXPECT_FALSE(run.seconds_left(writing).has_value()) << "too little is known";
  for (int i = 1; i <= 50; ++i) writing.update(0, static_cast<uint64_t>(i), 20 + i * 0.1);
  EXPECT_NEAR(*run.seconds_left(writing), 5, 0.2);
}

}  // namespace
}  // namespace neardup::cli::progress_test
