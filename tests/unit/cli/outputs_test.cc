// What is refused leaves nothing behind, and no result is called "-": over all commands and flags that there are.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "neardup/base/code_table.h"
#include "neardup/cli/command_doc.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli::outputs_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A run of each command that does what it is for, on the files of Place. A new command gets its own here.
const std::multimap<std::string, Words> kRuns = {
    {"dedup", {"in.jsonl", "--output", "out"}},
    {"fingerprint", {"in.jsonl", "--output", "out"}},
    {"explain", {"a.txt", "b.txt"}},
    {"evaluate", {"in.jsonl", "--cluster-key", "cluster"}},
    {"pairs", {"prints.tsv", "--output", "out"}},
    {"lines", {"a.txt", "b.txt", "--output", "out"}},
    {"similar", {"a.txt", "b.txt", "--output", "out"}},
    {"index", {"create", "out", "in.jsonl"}},
    {"index", {"query", "store", "in.jsonl", "--output", "out"}},
    {"crawl-filter", {"store", "crawl.warc", "--output", "out.warc"}},
    {"serve", {"store", "--listen", "127.0.0.1:0"}},
    {"text", {"a.txt"}},
    {"tokens", {"in.jsonl"}},
    {"plan", {"--documents", "1000"}},
    {"idf", {"in.jsonl", "--output", "out"}},
    {"phrases", {"in.jsonl", "--output", "out"}},
    {"bench", {"join", "--count", "100", "--threads", "1"}},
    {"bench", {"query", "--count", "100", "--queries", "1", "--threads", "1"}},
    {"recipes", {}},
    {"completion", {"bash"}},
    {"help", {"dedup"}},
};

/// What is no name of a file, folder or place, of all that flags take.
const std::set<std::string> kNoPlaces = {"N",  "GLOB", "SIZE", "FIELD", "COMMAND",      "SHARE",   "K",       "S",
                                         "P%", "P",    "NAME", "PLAN",  "TEXT",         "T",       "PATTERN", "I/N",
                                         "RE", "R",    "G",    "BYTES", "ADDRESS:PORT", "KIND,..."};

std::string four_records(const std::string& command) {
  std::string text;
  for (int i = 0; i < 4; ++i)
    text += fmt::format(R"({{"id":"{0}","cluster":"{1}","text":"the ferry of {2} number {0} leaves at noon"}})", i,
                        i / 2, command) +
            "\n";
  return text;
}

/// An empty folder in which the process stands while this lives, standard input empty.
class Place {
 public:
  Place() : before_(fs::current_path()), stdin_(dup(STDIN_FILENO)) {
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
    fs::current_path(folder_ / "");
  }
  ~Place() {
    fs::current_path(before_);
    dup2(stdin_, STDIN_FILENO);
    close(stdin_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void fill() const {
    (void)folder_.write("in.jsonl", four_records("Ulm"));
    (void)folder_.write("a.txt", "one two three\n");
    (void)folder_.write("b.txt", "one two four\n");
    (void)folder_.write("prints.tsv", "a\t00000000000000ff\nb\t00000000000000fe\n");
    (void)folder_.write("crawl.warc", "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
    ASSERT_EQ(run({"index", "create", "store", "in.jsonl"}).exit, 0);
  }
  /// The names of all that is here, and of what is no folder the size.
  [[nodiscard]] static std::map<std::string, uint64_t> all() {
    std::map<std::string, uint64_t> found;
    for (const auto& entry : fs::recursive_directory_iterator("."))
      found[entry.path()] = entry.is_regular_file() ? entry.file_size() : 0;
    return found;
  }

 private:
  Folder folder_;
  fs::path before_;
  int stdin_;
};

Ran run_here(const std::string& command, const Words& words) {
  Words all = {command};
  all.insert(all.end(), words.begin(), words.end());
  const std::atomic<bool> stops = true;  // a service would go on
  return run(all, command == "serve" ? &stops : nullptr);
}

/// `words` with `flag VALUE` in the place of what it was given.
Words with(Words words, const std::string& flag, const std::string& value) {
  if (const auto at = std::ranges::find(words, flag); at != words.end()) words.erase(at, at + 2);
  words.insert(words.end(), {flag, value});
  return words;
}

bool may_be_place(const FlagDoc& flag) {
  if (flag.value.empty() || flag.is_argument || kNoPlaces.contains(flag.value)) return false;
  return flag.choices.empty() || flag.value.find("FILE") != std::string::npos;
}

std::vector<FlagDoc> all_flags(const Command& command) {
  const CommandDoc doc = describe(command);
  std::vector<FlagDoc> flags = doc.hidden;
  for (const FlagGroupDoc& group : doc.groups) flags.insert(flags.end(), group.flags.begin(), group.flags.end());
  std::erase_if(flags, [](const FlagDoc& flag) { return flag.long_name.empty(); });
  return flags;
}

class Outputs : public ::testing::Test {
 protected:
  Outputs() { add_commands(line_); }
  CommandLine line_;
};

TEST_F(Outputs, EveryCommandHasARun) {
  for (const std::string& name : line_.names()) EXPECT_TRUE(kRuns.contains(name)) << name;
  for (const auto& [name, words] : kRuns) {
    if (name == "serve" || name == "crawl-filter") continue;
    const Place place;
    place.fill();
    const Ran ran = run_here(name, words);
    EXPECT_EQ(ran.exit, 0) << name << ran.err;
  }
}

// Whatever flag it is, of the program's own list: a result is never called "-".
TEST_F(Outputs, NoResultIsCalledDash) {
  std::set<std::string> refused;
  const Place place;
  place.fill();
  for (const auto& [name, words] : kRuns)
    for (const FlagDoc& flag : all_flags(*line_.find(name))) {
      if (!may_be_place(flag)) continue;
      fs::remove_all("out");
      const Ran ran = run_here(name, with(words, flag.long_name, "-"));
      EXPECT_FALSE(fs::exists("-")) << name << " " << flag.long_name;
      if (ran.err.find("of that name is ./-") == std::string::npos) continue;
      EXPECT_EQ(ran.exit, kExitUsage) << ran.err;
      refused.insert(name + " " + flag.long_name);
    }
  const std::set<std::string> expected = {
      "bench --file",   "bench --uri",     "bench --write-data", "crawl-filter --output", "dedup --into",
      "dedup --output", "dedup --temp",    "evaluate --html",    "explain --html",        "fingerprint --output",
      "help --write",   "idf --output",    "index --output",     "lines --duplicates",    "lines --output",
      "pairs --output", "pairs --work",    "phrases --output",   "plan --calibration",    "serve --snapshots",
      "similar --html", "similar --index", "similar --output"};
  EXPECT_EQ(refused, expected);
}

TEST_F(Outputs, NoStoreIsCalledDash) {
  const Place place;
  place.fill();
  const auto before = Place::all();
  for (const Words& words : {Words{"index", "create", "-", "in.jsonl"}, Words{"index", "copy", "store", "-"},
                             Words{"serve", "-"}, Words{"crawl-filter", "-", "crawl.warc"}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.exit, kExitUsage) << words[0];
    EXPECT_NE(ran.err.find("a folder of that name is ./-"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(Place::all(), before);
}

// The input that is named is not there.
TEST_F(Outputs, WhatIsMissingLeavesNothing) {
  const Place place;
  std::set<std::string> work_without_inputs;
  for (const auto& [name, words] : kRuns) {
    const Ran ran = run_here(name, words);
    if (ran.exit == 0) work_without_inputs.insert(name);
    EXPECT_EQ(Place::all().size(), 0u) << name << ": " << Place::all().begin()->first << "\n" << ran.err;
    for (const auto& entry : fs::directory_iterator(".")) fs::remove_all(entry.path());
  }
  EXPECT_EQ(work_without_inputs, (std::set<std::string>{"bench", "completion", "help", "plan", "recipes"}));
}

// A flag that there is not, or one with a value that it does not take.
TEST_F(Outputs, WhatIsRefusedLeavesNothing) {
  const Place place;
  place.fill();
  const auto before = Place::all();
  std::set<std::string> seen;  // flags that commands share are defined in one place
  for (const auto& [name, words] : kRuns) {
    std::vector<Words> tries = {with(words, "--no-such-flag", "1")};
    for (const FlagDoc& flag : all_flags(*line_.find(name))) {
      const bool has_capitals = std::ranges::any_of(flag.value, [](char c) { return c >= 'A' && c <= 'Z'; });
      const bool is_word = !flag.choices.empty() && !has_capitals;
      const bool is_number = std::ranges::count(std::array{"N", "SIZE", "K", "SHARE", "I/N"}, flag.value) > 0;
      if (flag.is_argument || !(is_word || is_number) || !seen.insert(flag.long_name + flag.help).second) continue;
      tries.push_back(with(words, flag.long_name, "no-such-value"));
    }
    for (const Words& typed : tries) {
      const Ran ran = run_here(name, typed);
      EXPECT_EQ(ran.exit, kExitUsage) << name << " " << typed[typed.size() - 2] << ran.err;
    }
    ASSERT_EQ(Place::all(), before) << name;
  }
}

// --progress json: standard error is for a program, whatever becomes of the run.
TEST_F(Outputs, ProgressJsonIsAnObjectALine) {
  const auto check = [](const std::string& name, const Words& words) {
    const Ran ran = run_here(name, words);
    size_t errors = 0;
    for (size_t at = 0; at < ran.err.size();) {
      const size_t end = ran.err.find('\n', at);
      ASSERT_NE(end, std::string::npos) << name << ran.err;
      const auto object = nlohmann::json::parse(ran.err.substr(at, end - at), nullptr, false);
      ASSERT_TRUE(object.is_object() && object.contains("event")) << name << ": " << ran.err.substr(at, end - at);
      errors += object["event"] == "error" ? 1 : 0;
      at = end + 1;
    }
    EXPECT_EQ(errors, ran.exit == 0 ? 0u : 1u) << name << ran.err;
  };
  for (const auto& [name, words] : kRuns) {
    if (line_.find(name)->app->get_option_no_throw("--progress") == nullptr) continue;
    const Words json = with(words, "--progress", "json");
    {
      const Place place;
      check(name, json);  // its input is not there
      check(name, with(json, "--no-such-flag", "1"));
    }
    const Place place;
    place.fill();
    std::ofstream("in.jsonl", std::ios::app) << "no object\n"
                                             << R"({"id":"x"})"
                                             << "\n";
    check(name, json);
  }
}

}  // namespace
}  // namespace neardup::cli::outputs_test
