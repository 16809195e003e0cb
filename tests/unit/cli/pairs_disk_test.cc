// `neardup pairs` through a work folder, and its clusters, against the same command in memory and the definition.
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <random>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folder_lock.h"
#include "neardup/fingerprint/file.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

std::vector<uint64_t> make_values(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> values;
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = i > 0 && random() % 3 == 0 ? values[random() % i] : random();
    for (uint64_t flips = random() % 4; flips > 0; --flips) value ^= uint64_t{1} << random() % 64;
    values.push_back(value);
  }
  return values;
}

void write_file(const std::string& path, const std::vector<uint64_t>& values, uint32_t columns,
                const std::string& recipe) {
  auto writer = fingerprint::FileWriter::create(path, {recipe, "{}", columns});
  ASSERT_TRUE(writer);
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string id = "doc\t" + std::to_string(i);
    std::vector<uint64_t> fingerprints{values[i], ~values[values.size() - 1 - i]};
    fingerprints.resize(columns);
    if (i % 11 == 5) fingerprints.clear();
    ASSERT_TRUE(writer->add({id, fingerprints, {}, 0, 0}));
  }
  ASSERT_TRUE(writer->commit());
}

TEST(PairsOnDisk, AreThoseInMemory) {
  const Folder folder;
  for (const uint32_t columns : {1U, 2U}) {
    write_file(folder / "a.bin", make_values(2000, 1), columns, "r");
    write_file(folder / "b.bin", make_values(700, 1), columns, "r");
    for (const std::vector<std::string>& files : {std::vector<std::string>{folder / "a.bin"},
                                                  {folder / "a.bin", folder / "b.bin"},
                                                  {folder / "b.bin", folder / "a.bin"}}) {
      std::vector<std::string> command{"pairs"};
      command.insert(command.end(), files.begin(), files.end());
      const Ran memory = run(command);
      command.insert(command.end(), {"--work", folder / "work", "--memory", "20M"});
      const Ran disk = run(command);
      ASSERT_EQ(memory.exit, 0) << memory.err;
      ASSERT_EQ(disk.exit, 0) << disk.err;
      EXPECT_GT(memory.out.size(), 1000U);
      EXPECT_TRUE(memory.out == disk.out) << files.size() << " files, columns " << columns;
      EXPECT_TRUE(std::filesystem::is_empty(folder / "work")) << "something is left";
    }
  }
}

TEST(PairsOnDisk, RawNumbersAreNamedByTheirPosition) {
  const Folder folder;
  const std::vector<uint64_t> values{7, 0xffff0000, 6, 0xffff0001};
  folder.write("raw", std::string(reinterpret_cast<const char*>(values.data()), 32));
  const Ran ran = run({"pairs", folder / "raw", "--raw", "--work", folder / "work"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "0\t2\t1\n1\t3\t1\n");
  const Ran two = run({"pairs", folder / "raw", folder / "raw", "--raw", "--distance", "0", "--work", folder / "work"});
  EXPECT_EQ(two.out, "0\t0\t0\n1\t1\t0\n2\t2\t0\n3\t3\t0\n");
}

TEST(PairsOnDisk, RefusesOtherRecipesAndTextFiles) {
  const Folder folder;
  write_file(folder / "a.bin", make_values(10, 1), 1, "r");
  write_file(folder / "b.bin", make_values(10, 1), 1, "s");
  EXPECT_EQ(run({"pairs", folder / "a.bin", folder / "b.bin", "--work", folder / "w"}).exit, 2);
  EXPECT_EQ(run({"pairs", folder.write("t.tsv", "a\t0000000000000000\n"), "--work", folder / "w"}).exit, 2);
  EXPECT_EQ(run({"pairs", folder / "a.bin", "--raw"}).exit, 1);
  EXPECT_EQ(run({"pairs", folder / "a.bin", "--clusters", "star", "--work", folder / "w"}).exit, 1);
}

// One run at a time, and none goes on with what another has left: in both ways to join.
TEST(PairsOnDisk, TheFolderBelongsToOneRun) {
  const Folder folder;
  const std::string large = folder / "large.bin", small = folder / "small.bin", work = folder / "work";
  write_file(large, make_values(2000, 1), 1, "r");
  write_file(small, make_values(10, 1), 1, "r");
  ASSERT_TRUE(create_directories(work + "/neardup-pairs"));
  for (const std::vector<std::string>& files : {std::vector<std::string>{large}, {small, large}, {large, small}}) {
    std::vector<std::string> command{"pairs", "--work", work};
    command.insert(command.end(), files.begin(), files.end());
    {
      const auto lock = FolderLock::acquire(work + "/neardup-pairs/lock", false);
      ASSERT_TRUE(lock);
      const Ran second = run(command);
      EXPECT_EQ(second.exit, 2);
      EXPECT_NE(second.err.find(work + "/neardup-pairs/lock' is locked"), std::string::npos) << second.err;
      EXPECT_NE(second.err.find("choose another folder"), std::string::npos) << second.err;
    }
    EXPECT_FALSE(std::filesystem::exists(work + "/neardup-pairs/run")) << "claimed what another works in";
    folder.write("work/neardup-pairs/run", "neardup pairs 1\nother.bin 1 2\ndistance 3 raw false\n");
    const Ran other = run(command);
    EXPECT_EQ(other.exit, 2);
    EXPECT_EQ(other.out, "");
    EXPECT_NE(other.err.find("holds a stopped run of something else"), std::string::npos) << other.err;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(work + "/neardup-pairs"), {}), 2) << "lock and run";
    std::filesystem::remove(work + "/neardup-pairs/run");
  }
}

TEST(PairsClusters, NameTheOneThatStays) {
  const Folder folder;
  const std::string file = folder.write("p.tsv",
                                        "a\t0000000000000000\nb\t0000000000000007\nc\t000000000000003f\n"
                                        "d\t0000000000000000\ne\t-\nf\tffff000000000000\n");
  EXPECT_EQ(run({"pairs", file, "--clusters", "star"}).out, "b\ta\t3\nd\ta\t0\n");
  EXPECT_EQ(run({"pairs", file, "--clusters", "components"}).out, "b\ta\t3\nc\ta\t6\nd\ta\t0\n");
  const std::string wide = folder.write("w.tsv", "a\t0000000000000000,0000000000000000\n");
  EXPECT_EQ(run({"pairs", wide, "--clusters", "star"}).exit, 1);
}

}  // namespace
}  // namespace neardup::cli
