// A chain of commands of the program, run in this process on a disk that fails or loses its power.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/failing_file_system.h"
#include "tests/forgetful_file_system.h"
#include "tests/unit/cli/run.h"

namespace neardup::faults {

using cli::Folder;
using cli::Ran;
using Files = std::map<std::string, std::string>;  // by path in the folder
using Arguments = std::vector<std::string>;

/// What a chain does, and what it promises. "DISK" and "INPUT" in arguments and results stand for two folders: the
/// first is the one that fails.
struct Scenario {
  std::vector<Arguments> before;     // on a sound disk, before each trial
  std::vector<Arguments> chain;      // each after the one before it succeeded
  std::vector<Arguments> go_on;      // what makes good a chain that was cut, on a sound disk; empty = the chain again
  std::vector<Arguments> look;       // whose output tells the state, where the files do not
  std::vector<std::string> results;  // files or folders; a result is whole, absent or that of before
  uint64_t num_chances = 1;          // how often chance says what the disk had written when the power was lost
};

/// Random texts, a third of them near-duplicates of others, as JSONL.
inline std::string some_texts(int count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::string>> texts;
  std::string jsonl;
  for (int i = 0; i < count; ++i) {
    std::vector<std::string> words(40);
    for (std::string& word : words) word = "w" + std::to_string(random() % 500);
    if (i % 3 == 2) words = texts[random() % texts.size()], words[random() % 40] = "other";
    texts.push_back(words);
    jsonl += "{\"id\":\"d" + std::to_string(i) + "\",\"text\":\"";
    for (const std::string& word : words) jsonl += word + " ";
    jsonl += "\"}\n";
  }
  return jsonl;
}

/// Fingerprints of 64 bits as a table, some near others.
inline std::string some_prints(int count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string lines;
  uint64_t value = 0;
  for (int i = 0; i < count; ++i) {
    value = i % 3 == 2 ? value ^ (uint64_t{1} << random() % 64) : random();
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    lines += "d" + std::to_string(seed * 1000 + i) + "\t" + text + "\n";
  }
  return lines;
}

inline std::string bytes_at(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Every call where nothing else is looked for; some under sanitizers, which take ten times as long and are here for
// what such a run does with its memory.
#ifdef __SANITIZE_ADDRESS__
inline constexpr uint64_t kStep = 17;
#else
inline constexpr uint64_t kStep = 1;
#endif

/// Runs a Scenario: undisturbed, then on disks that fail.
class Trial {
 public:
  explicit Trial(Scenario scenario) : scenario_(std::move(scenario)) {}

  [[nodiscard]] const Folder& input() const { return input_; }

  /// Fails the n-th call for each n until a run passes without a failure.
  void fail_each(int error, bool lasts) {
    know_results();
    for (uint64_t n = 1;; n += kStep) {
      SCOPED_TRACE("call " + std::to_string(n) + (lasts ? " and all after it" : "") + ", errno " +
                   std::to_string(error));
      fresh();
      FailingFileSystem disk({.n = n, .error = error, .lasts = lasts});
      const Ran ran = chain_on(disk);
      if (ran.exit == 0) {
        check_whole();
      } else {
        check_told(ran, error);
        check_nothing_half();
      }
      if (ran.exit != 0 || disk.failed()) go_on();
      if (::testing::Test::HasFailure()) return;
      if (!disk.failed()) return check_many(n);
    }
  }

  /// Loses the power at each call until a run passes without.
  void lose_power_at_each(ForgetfulFileSystem::Unsynced unsynced, uint64_t seed = 0) {
    know_results();
    for (uint64_t n = 1;; n += kStep) {
      SCOPED_TRACE("power lost at call " + std::to_string(n) + ", seed " + std::to_string(seed));
      fresh();
      ForgetfulFileSystem disk(root(), n);
      const Ran ran = chain_on(disk);
      disk.crash(unsynced, seed * 1000 + n);
      if (ran.exit == 0) check_whole();
      check_nothing_half();
      go_on();
      if (::testing::Test::HasFailure()) return;
      if (!disk.lost_power()) return check_many(n);
    }
  }

  /// Writes in small pieces, signals between: nothing changes.
  void cut_each() {
    know_results();
    fresh();
    FailingFileSystem disk({.cuts = true});
    const Ran ran = chain_on(disk);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    check_whole();
  }

 private:
  [[nodiscard]] std::string root() const { return folder_ / "disk"; }
  [[nodiscard]] Ran call(const Arguments& command) const {
    Arguments arguments = command;
    for (std::string& argument : arguments) {
      if (argument.starts_with("DISK")) argument.replace(0, 4, root());
      if (argument.starts_with("INPUT/")) argument.replace(0, 6, input_ / "");
    }
    return cli::run(arguments);
  }
  [[nodiscard]] Ran call_all(const std::vector<Arguments>& commands) const {
    Ran ran;
    ran.exit = 0;
    for (size_t i = 0; i < commands.size() && ran.exit == 0; ++i) ran = call(commands[i]);
    return ran;
  }
  [[nodiscard]] Ran chain_on(FileSystem& disk) const {
    const ReplacedFileSystem replaced(disk);
    return call_all(scenario_.chain);
  }
  void fresh() {
    std::filesystem::remove_all(root());
    if (!std::filesystem::exists(folder_ / "start")) {
      std::filesystem::create_directory(root());
      FailingFileSystem quick({});
      const ReplacedFileSystem replaced(quick);
      const Ran ran = call_all(scenario_.before);
      ASSERT_EQ(ran.exit, 0) << ran.err;
      std::filesystem::copy(root(), folder_ / "start", std::filesystem::copy_options::recursive);
    } else {
      std::filesystem::copy(folder_ / "start", root(), std::filesystem::copy_options::recursive);
    }
  }
  void know_results() {
    fresh();
    before_ = results();
    FailingFileSystem quick({});
    const Ran ran = chain_on(quick);
    ASSERT_EQ(ran.exit, 0) << ran.err;
    after_ = results();
    seen_after_ = seen();
  }
  [[nodiscard]] Files results() const {
    Files found;
    const auto add = [&](const std::filesystem::path& path) {
      const bool is_report = path.filename().string().starts_with("report.");  // tells times
      if (std::filesystem::is_regular_file(path))
        found[path.lexically_relative(root())] = is_report ? "" : bytes_at(path);
    };
    for (const std::string& name : scenario_.results) {
      const std::filesystem::path path = root() + "/" + name;
      add(path);
      if (!std::filesystem::is_directory(path)) continue;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) add(entry.path());
    }
    return found;
  }
  [[nodiscard]] std::string seen() const {
    std::string all;
    for (const Arguments& command : scenario_.look) {
      const Ran ran = call(command);
      EXPECT_EQ(ran.exit, 0) << ran.err;
      all += ran.out;
    }
    return all;
  }
  void check_same(const Files& found) const {
    std::vector<std::string> differing;
    for (const auto& [name, bytes] : after_)
      if (!found.contains(name) || found.at(name) != bytes) differing.push_back(name);
    for (const auto& [name, bytes] : found)
      if (!after_.contains(name)) differing.push_back(name);
    EXPECT_EQ(differing, std::vector<std::string>());
  }
  void check_whole() const {
    check_same(results());
    EXPECT_EQ(seen(), seen_after_);
  }
  // What is there is what was there before or what is to be there.
  void check_nothing_half() const {
    for (const auto& [name, bytes] : results()) {
      const bool old = before_.contains(name) && before_.at(name) == bytes;
      EXPECT_TRUE(old || (after_.contains(name) && after_.at(name) == bytes)) << name << " is half published";
    }
  }
  // What failed, where, and what helps.
  void check_told(const Ran& ran, int error) const {
    EXPECT_EQ(ran.exit, 2) << ran.err;
    EXPECT_NE(ran.err.find("'" + root()), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(error == ENOSPC ? "free some space" : "dmesg"), std::string::npos) << ran.err;
  }
  void go_on() const {
    FailingFileSystem quick({});
    const ReplacedFileSystem replaced(quick);
    const Ran ran = call_all(scenario_.go_on.empty() ? scenario_.chain : scenario_.go_on);
    EXPECT_TRUE(ran.exit == 0 || ran.err.find("already") != std::string::npos) << ran.err;
    check_whole();
    check_no_strays();
  }
  void check_no_strays() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root())) {
      const std::string name = entry.path().filename();
      EXPECT_EQ(name.find(".tmp"), std::string::npos) << entry.path();
      for (const char* work : {"staged", "scratch", "part-"}) EXPECT_FALSE(name.starts_with(work)) << entry.path();
    }
  }
  // A loop that ends at once has tried nothing.
  static void check_many(uint64_t n) { EXPECT_GT(n, 5); }

  Scenario scenario_;
  Folder folder_, input_;
  Files before_, after_;
  std::string seen_after_;
};

}  // namespace neardup::faults
