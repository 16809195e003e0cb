// Every call that changes the disk fails in turn, once or from then on, or the power is lost there: each chain of
// commands says so and leaves nothing half, and goes on to the bytes of an undisturbed one.
#include <gtest/gtest.h>

#include <cerrno>
#include <ostream>

#include "tests/keep_memory.h"
#include "tests/promise/faults/scenario.h"

namespace neardup::faults {
namespace {

const Arguments kDedup = {"dedup", "INPUT/a.jsonl", "INPUT/pages", "-o", "DISK/out", "--pairs", "--threads", "1"};

Arguments with(Arguments command, const std::vector<std::string>& more) {
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

using Unsynced = ForgetfulFileSystem::Unsynced;

struct Case {
  const char* name;
  Scenario scenario;
};

void PrintTo(const Case& the_case, std::ostream* out) { *out << the_case.name; }

std::vector<Case> cases() {
  const std::vector<std::string> outputs = {"out/kept",           "out/duplicates.jsonl", "out/clusters.jsonl",
                                            "out/rejected.jsonl", "out/pairs.jsonl",      "out/commonness.bin",
                                            "out/report.json",    "out/report.html"};
  const Arguments other = {"dedup", "INPUT/b.jsonl", "-o", "DISK/out", "--threads", "1"};
  const Arguments shard0 = with(kDedup, {"--shard", "0/2"}), shard1 = with(kDedup, {"--shard", "1/2"}),
                  merge = with(kDedup, {"--merge-shards", "2"});
  const Arguments into = {"dedup", "INPUT/a.jsonl", "-o", "DISK/out", "--into", "DISK/store", "--threads", "1"},
                  into_again = {"dedup", "INPUT/b.jsonl", "-o", "DISK/more", "--into", "DISK/store", "--threads", "1"};
  const Arguments create = {"index", "create", "DISK/index", "INPUT/a.tsv", "--threads", "1"},
                  add = {"index", "add", "DISK/index", "INPUT/b.tsv", "--threads", "1"},
                  erase = {"index", "delete", "DISK/index", "--ids", "INPUT/ids"},
                  compact = {"index", "compact", "DISK/index"}, check = {"index", "check", "DISK/index"},
                  query = {"index", "query", "DISK/index", "INPUT/both.tsv", "--distance", "3"};
  return {
      {"Dedup", {{}, {kDedup}, {with(kDedup, {"--resume"})}, {}, outputs}},
      {"DedupOverwrite", {{other}, {with(kDedup, {"--overwrite"})}, {with(kDedup, {"--overwrite"})}, {}, outputs}},
      {"Shards",
       {{},
        {shard0, shard1, merge},
        {with(shard0, {"--resume"}), with(shard1, {"--resume"}), with(merge, {"--resume"})},
        {},
        outputs}},
      {"ShardsOfAnother",
       {{with(other, {"--shard", "0/2"})},
        {with(shard0, {"--overwrite"}), shard1, merge},
        {with(shard0, {"--overwrite"}), shard1, merge},
        {},
        outputs}},
      {"DedupInto",
       {{},
        {into, into_again},
        {with(into, {"--resume"}), with(into_again, {"--resume"})},
        {},
        {"out/kept", "out/duplicates.jsonl", "out/clusters.jsonl", "more/kept", "more/duplicates.jsonl",
         "more/clusters.jsonl"}}},
      {"Idf", {{}, {{"idf", "INPUT/a.jsonl", "-o", "DISK/a.idf", "--threads", "1"}}, {}, {}, {"a.idf"}}},
      {"Pairs",
       {{},
        {{"pairs", "INPUT/a.raw", "--raw", "--work", "DISK/work", "-o", "DISK/pairs", "--distance", "3", "--threads",
          "1", "--memory", "16M"}},
        {},
        {},
        {"pairs"},
        8}},
      {"SimilarIndex",
       {{{"similar", "INPUT/pages", "--index", "DISK/known", "--progress", "off"}},
        {{"similar", "INPUT/trees", "INPUT/pages", "--index", "DISK/known", "-o", "DISK/similar.tsv"}},
        {},
        {{"similar", "INPUT/trees", "INPUT/pages", "--index", "DISK/known", "--progress", "off"}},
        {"similar.tsv"}}},
      {"IndexCreate", {{}, {create}, {}, {check, query}, {}}},
      {"IndexAdd", {{create}, {add}, {}, {check, query}, {}}},
      {"IndexErase", {{create, add}, {erase}, {}, {check, query}, {}}},
      {"IndexCompact", {{create, add, erase}, {compact}, {}, {check, query}, {}}},
  };
}

class Faults : public ::testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() { keep_freed_memory(); }
  Faults() : trial_(GetParam().scenario) {
    const Folder& input = trial_.input();
    input.write("a.jsonl", some_texts(12, 1));
    input.write("b.jsonl", some_texts(6, 2));
    std::filesystem::create_directories(input / "pages/more");
    input.write("pages/one.txt", "a page of some words that are written only here and there");
    input.write("pages/more/two.txt", "a page of some words that are written only here and there");
    std::filesystem::create_directories(input / "trees");
    for (const char* name : {"trees/a", "trees/b", "trees/c"})
      input.write(name, some_texts(9, 3) + some_texts(3, static_cast<uint64_t>(name[6])));
    input.write("a.tsv", some_prints(60, 1));
    input.write("b.tsv", some_prints(30, 2));
    input.write("both.tsv", some_prints(60, 1) + some_prints(30, 2));
    input.write("ids", "d1000\nd1001\nd2002\n");
    std::mt19937_64 random(7);
    std::string raw;
    for (int i = 0; i < 1200; ++i) {
      const uint64_t value = i % 3 == 0 ? random() % 256 * 0x0101'0101'0101 : random();
      raw.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    input.write("a.raw", raw);
  }
  Trial trial_;
};

TEST_P(Faults, OneCallFails) { trial_.fail_each(EIO, false); }
TEST_P(Faults, TheDiskIsFullFromThenOn) { trial_.fail_each(ENOSPC, true); }
TEST_P(Faults, SignalsAndShortWrites) { trial_.cut_each(); }
TEST_P(Faults, PowerIsLost) { trial_.lose_power_at_each(Unsynced::kNone); }
TEST_P(Faults, PowerIsLostAndNewNamesAreThere) { trial_.lose_power_at_each(Unsynced::kNewNames); }
TEST_P(Faults, PowerIsLostAndRemovedNamesAreGone) { trial_.lose_power_at_each(Unsynced::kRemovals); }
TEST_P(Faults, PowerIsLostAndSomeIsThere) {
  for (uint64_t seed = 1; seed <= GetParam().scenario.num_chances; ++seed)
    trial_.lose_power_at_each(Unsynced::kByChance, seed);
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Chains, Faults, ::testing::ValuesIn(cases()), name_of);

}  // namespace
}  // namespace neardup::faults
