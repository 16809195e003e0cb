// What a run keeps in its work folder, damaged before another process goes on with it: the results are those of a run
// that nobody touched, or it is refused, and the message names a file of the folder.
#include <gtest/gtest.h>

#include "tests/damage.h"
#include "tests/failing_file_system.h"
#include "tests/promise/engine/family_run.h"

namespace neardup::engine::damaged_work_test {
namespace {

class DamagedWork : public FamilyRun {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    write_inputs(1);
  }
  // The inputs of `seed` have the sizes and times of all others.
  void write_inputs(uint64_t seed) const {
    const std::vector<std::string> texts = made_texts(seed, 16);
    write_jsonl(folder_ + "/in/a.jsonl", {texts.begin(), texts.begin() + 8});
    write_jsonl(folder_ + "/in/b.jsonl", {texts.begin() + 8, texts.end()}, 8);
    for (const char* name : {"/in/a.jsonl", "/in/b.jsonl"}) {
      std::filesystem::resize_file(folder_ + name, 30'000);  // zeros: a rejected record
      std::filesystem::last_write_time(folder_ + name, std::filesystem::file_time_type());
    }
  }
  [[nodiscard]] DedupOptions small(const std::string& output) const {
    DedupOptions o = options(output);
    o.num_threads = 1;
    o.read.batch_bytes = 2000;
    o.read.group_key = "n";
    return o;
  }
  // Stops a run in each of two folders, the other one over other texts.
  using Stop = std::function<void(const DedupOptions&)>;
  void stop_both(const DedupOptions& o, const Stop& stop) const {
    DedupOptions other = o;
    other.output = folder_ + "/other";
    write_inputs(2);
    stop(other);
    write_inputs(1);
    stop(o);
  }

  // Goes on with what was left, damaged in each way.
  void damage(const DedupOptions& o, const DedupOptions& again, const report::Report& expected) {
    const auto right = read_results(folder_ + "/right");
    const DamagedFolder damaged(o.output);
    size_t num_refused = 0, num_right = 0;
    const auto look = [&](const std::string& what) {
      const auto report = dedup(again, {});
      if (!report) {
        EXPECT_NE(report.error().message.find(o.output), std::string::npos) << what << ": " << report.error().message;
        ++num_refused;
      } else {
        EXPECT_EQ(report->total.kept, expected.total.kept) << what;
        EXPECT_TRUE(read_results(o.output) == right) << what;
        ++num_right;
      }
    };
    damaged.restore();
    look("nothing");
    EXPECT_EQ(num_right, 1u);
    damaged.flip_each(2, look);
    damaged.cut_each(look);
    damaged.exchange_each(look);
    damaged.take_each_from(folder_ + "/other", look);
    EXPECT_GT(num_refused, 0u);
  }

  FailingFileSystem unsynced_{{}};
  const ReplacedFileSystem replaced_{unsynced_};
};

TEST_P(DamagedWork, OfARunThatWasStoppedWhileItRead) {
  const report::Report right = run(small("right"));
  DedupOptions o = small("out");
  stop_both(o, [](const DedupOptions& stopped) {
    StopRun stopper(5);
    EXPECT_EQ(dedup(stopped, stopper.context()).error().code, Code::kCancelled);
  });
  DedupOptions again = o;
  again.resume = true;
  damage(o, again, right);
}

TEST_P(DamagedWork, OfARunThatWasStoppedBehindItsMatches) {
  const report::Report right = run(small("right"));
  DedupOptions o = small("out");
  stop_both(o, [](const DedupOptions& stopped) {
    StopRun stopper("write");
    EXPECT_EQ(dedup(stopped, stopper.context()).error().code, Code::kCancelled);
    EXPECT_TRUE(std::filesystem::exists(stopped.output + "/.neardup/outcome.bin"));
  });
  DedupOptions again = o;
  again.resume = true;
  damage(o, again, right);
}

TEST_P(DamagedWork, OfWhatAStoreHas) {
  DedupOptions fill = small("fill"), right_options = small("right"), o = small("out");
  for (DedupOptions* each : {&fill, &right_options, &o}) {
    each->write_pairs = false;
    each->recipe = *recipe::find_recipe("grams");
  }
  fill.into = folder_ + "/store";
  fill.inputs = {folder_ + "/in/a.jsonl"};
  run(fill);
  right_options.references = o.references = {fill.into};
  const report::Report right = run(right_options);
  EXPECT_GT(right.total.exact + right.total.near, 5u);
  StopRun stopper("write");
  EXPECT_EQ(dedup(o, stopper.context()).error().code, Code::kCancelled);
  EXPECT_TRUE(std::filesystem::exists(o.output + "/.neardup/stored/rows.bin"));
  std::filesystem::remove(o.output + "/.neardup/outcome.bin");
  o.resume = true;
  damage(o, o, right);
}

TEST_P(DamagedWork, OfShards) {
  const report::Report right = run(small("right"));
  DedupOptions o = small("out");
  o.shard_count = 2;
  stop_both(o, [this](const DedupOptions& stopped) {
    DedupOptions shard = stopped;
    for (const int i : {0, 1}) {
      shard.shard_index = i;
      run(shard);
    }
  });
  DedupOptions merge = o;
  merge.merge_shards = true;
  damage(o, merge, right);
  // As a whole one part in the place of the other one.
  DedupOptions fresh = o;
  fresh.overwrite = true;
  for (const int i : {0, 1}) {
    fresh.shard_index = i;
    run(fresh);
    fresh.overwrite = false;
  }
  const std::string work = o.output + "/.neardup/";
  std::filesystem::rename(work + "part-0-of-2", work + "aside");
  std::filesystem::rename(work + "part-1-of-2", work + "part-0-of-2");
  std::filesystem::rename(work + "aside", work + "part-1-of-2");
  EXPECT_EQ(dedup(merge, {}).error().code, Code::kCorruption);
}

TEST_P(DamagedWork, OfARunThatIsComplete) {
  const report::Report right = run(small("right"));
  DedupOptions o = small("out");
  run(o);
  const std::string path = o.output + "/.neardup/run.json";
  const uint64_t size = std::filesystem::file_size(path);
  DedupOptions again = o, anew = o;
  again.resume = anew.overwrite = true;
  int bit = 0, num_refused = 0;
  for (const uint64_t place : rot_places(size, 40, 5)) {
    flip_bit(path, place, bit);
    const auto report = dedup(again, {});
    EXPECT_TRUE(!report || report->total.kept == right.total.kept) << place;
    if (!report) EXPECT_NE(report.error().message.find(o.output), std::string::npos) << report.error().message;
    if (!report && num_refused++ % 8 == 0) {  // the cure that it names
      EXPECT_NE(report.error().message.find("--overwrite"), std::string::npos) << report.error().message;
      EXPECT_EQ(run(anew).total.kept, right.total.kept) << place;
      EXPECT_TRUE(read_results(o.output) == read_results(folder_ + "/right")) << place;
    } else {
      flip_bit(path, place, bit);
    }
    bit = (bit + 3) % 8;
  }
  EXPECT_GT(num_refused, 8);
}

INSTANTIATE_TEST_SUITE_P(Families, DamagedWork, ::testing::Values(FamilyChoice::kSimHash, FamilyChoice::kMinHash),
                         family_name);

}  // namespace
}  // namespace neardup::engine::damaged_work_test
